import type { JsonView } from '../text/view.ts'

/**
 * The fields of the blocks that clients write themselves (https://platform.claude.com/docs/en/api/messages/create, read 2026-08-22).
 * Of blocks that only the provider writes nobody knows them all.
 */
const FIELDS: ReadonlyMap<string | undefined, ReadonlySet<string>> = new Map(
  Object.entries({
    text: ['type', 'text', 'citations', 'cache_control'],
    // A cache marker that stands where none is taken is another fault.
    thinking: ['type', 'thinking', 'signature', 'cache_control'],
    redacted_thinking: ['type', 'data', 'cache_control'],
    tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller'],
    tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
    image: ['type', 'source', 'cache_control'],
  }).map(([type, fields]) => [type, new Set(fields)]),
)

/** The fields of a block that its kind does not have. */
export function extraFields(view: JsonView): string[] {
  const fields = FIELDS.get(view.get('type')?.string())
  return fields ? Array.from(view.members(), ([key]) => key).filter((key) => !fields.has(key)) : []
}
