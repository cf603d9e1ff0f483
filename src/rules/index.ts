import { CHAIN_RULES } from './chain/index.ts'
import { apiErrorRecord } from './content/api-error-record.ts'
import { blankText } from './content/blank-text.ts'
import { cacheControl } from './content/cache-control.ts'
import { emptyMessage } from './content/empty-message.ts'
import { emptyText } from './content/empty-text.ts'
import { errorResultWithMedia } from './content/error-result-with-media.ts'
import { extraField } from './content/extra-field.ts'
import { invalidItemId } from './content/invalid-item-id.ts'
import { invalidToolCallId } from './content/invalid-tool-call-id.ts'
import { invalidToolName } from './content/invalid-tool-name.ts'
import { missingField } from './content/missing-field.ts'
import { toolArgumentsNotJson } from './content/tool-arguments-not-json.ts'
import { toolInputNotObject } from './content/tool-input-not-object.ts'
import { toolResultContent } from './content/tool-result-content.ts'
import { trailingWhitespace } from './content/trailing-whitespace.ts'
import { unknownBlock } from './content/unknown-block.ts'
import { FILE_RULES } from './file/index.ts'
import { invalidBase64 } from './media/invalid-base64.ts'
import { mediaDimensions } from './media/media-dimensions.ts'
import { mediaOnTextModel } from './media/media-on-text-model.ts'
import { mediaOverflow } from './media/media-overflow.ts'
import { mediaTooLarge } from './media/media-too-large.ts'
import { mediaTypeMismatch } from './media/media-type-mismatch.ts'
import { pdfPages } from './media/pdf-pages.ts'
import { requestTooLarge } from './media/request-too-large.ts'
import { undecodableMedia } from './media/undecodable-media.ts'
import { unsupportedMediaType } from './media/unsupported-media-type.ts'
import { duplicateToolCall } from './pairing/duplicate-tool-call.ts'
import { duplicateToolResult } from './pairing/duplicate-tool-result.ts'
import { misorderedToolResult } from './pairing/misordered-tool-result.ts'
import { orphanServerToolCall } from './pairing/orphan-server-tool-call.ts'
import { orphanServerToolResult } from './pairing/orphan-server-tool-result.ts'
import { orphanToolCall } from './pairing/orphan-tool-call.ts'
import { orphanToolResult } from './pairing/orphan-tool-result.ts'
import { partialToolCall } from './pairing/partial-tool-call.ts'
import { toolResultNotFirst } from './pairing/tool-result-not-first.ts'
import { danglingReasoning } from './reasoning/dangling-reasoning.ts'
import { invalidThinkingSignature } from './reasoning/invalid-thinking-signature.ts'
import { missingReasoning } from './reasoning/missing-reasoning.ts'
import { missingReasoningContent } from './reasoning/missing-reasoning-content.ts'
import { missingThinkingSignature } from './reasoning/missing-thinking-signature.ts'
import { missingThoughtSignature } from './reasoning/missing-thought-signature.ts'
import { reasoningNotPortable } from './reasoning/reasoning-not-portable.ts'
import { thinkingLast } from './reasoning/thinking-last.ts'
import { thinkingOrder } from './reasoning/thinking-order.ts'
import { unexpectedReasoningField } from './reasoning/unexpected-reasoning-field.ts'
import { firstMessageRole } from './roles/first-message-role.ts'
import { misplacedSystemMessage } from './roles/misplaced-system-message.ts'
import { stackedRoles } from './roles/stacked-roles.ts'
import { trailingAssistant } from './roles/trailing-assistant.ts'
import { unknownRole } from './roles/unknown-role.ts'
import { userAfterTool } from './roles/user-after-tool.ts'
import { wrongRoleBlock } from './roles/wrong-role-block.ts'
import type { Family, Rule } from './rule.ts'

/** Every rule, by family; within a family in the order in which people meet the faults. */
export const RULES: readonly Rule[] = [
  ...FILE_RULES,
  ...CHAIN_RULES,

  orphanToolCall,
  orphanToolResult,
  misorderedToolResult,
  toolResultNotFirst,
  duplicateToolCall,
  duplicateToolResult,
  partialToolCall,
  orphanServerToolCall,
  orphanServerToolResult,

  stackedRoles,
  firstMessageRole,
  misplacedSystemMessage,
  trailingAssistant,
  userAfterTool,
  wrongRoleBlock,
  unknownRole,

  emptyText,
  blankText,
  emptyMessage,
  toolInputNotObject,
  toolArgumentsNotJson,
  invalidToolCallId,
  invalidItemId,
  invalidToolName,
  missingField,
  extraField,
  unknownBlock,
  toolResultContent,
  errorResultWithMedia,
  cacheControl,
  trailingWhitespace,
  apiErrorRecord,

  missingThinkingSignature,
  invalidThinkingSignature,
  thinkingOrder,
  thinkingLast,
  danglingReasoning,
  missingReasoning,
  missingThoughtSignature,
  reasoningNotPortable,
  missingReasoningContent,
  unexpectedReasoningField,

  mediaOverflow,
  mediaTooLarge,
  mediaDimensions,
  mediaTypeMismatch,
  unsupportedMediaType,
  invalidBase64,
  undecodableMedia,
  mediaOnTextModel,
  pdfPages,
  requestTooLarge,
]

export function ruleNamed(name: string): Rule | undefined {
  return RULES.find((rule) => rule.name === name)
}

export function rulesOf(family: Family): readonly Rule[] {
  return RULES.filter((rule) => rule.family === family)
}
