import { type Block, Flag } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import type { NameRule, Target } from '../../targets/target.ts'
import type { Id } from '../../text/ids.ts'
import { NO_ID } from '../../text/ids.ts'
import { isValidId, NewIds } from '../new-id.ts'
import { type Match, rule } from '../rule.ts'
import { idsOf, idWords } from '../words.ts'

interface InvalidName extends Match {
  readonly at: Block
  readonly name: string
  readonly newName: string
  /** Every call and result that has the name. */
  readonly blocks: readonly Block[]
}

/** Of a target that is not known to demand anything: there is a name. */
const ANY: NameRule = { pattern: /\S/, maxLength: 10_000, source: 'a call names its tool' }

const ruleOf = ({ toolNames }: Target): NameRule => toolNames ?? ANY

export const invalidToolName = rule<InvalidName>({
  name: 'invalid-tool-name',
  family: 'content',
  phase: 'ids',
  scope: 'conversation',
  severity: 'info',
  summary: 'A tool call has no name, or one with characters or a length that the provider does not take',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'tool_use.name: String should have at most 200 characters' },
    { target: 'anthropic', text: 'tool_use.name: String should have at least 1 character' },
    { target: 'anthropic', text: "tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'" },
    { target: 'gemini', text: 'Invalid function name. Must start with a letter or an underscore.' },
    { text: "Invalid 'messages[9].tool_calls[0].function.name': string does not match pattern" },
  ],
  docs: {
    finds:
      'A tool call whose name is empty, is longer than the provider takes (64 characters; in a history of Anthropic 200), or has others than letters, digits, `_` and `-` (Gemini: `.` and `:` as well).',
    why: 'A model called a tool that does not exist and made up its name, or wrote a whole command where the name belongs. The call fails at once, but it stays in the history, and every later request with it is refused.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"files.read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"no such tool","is_error":true}]}]',
    repair:
      'All calls of the name, and the results that name it, get one new name, as like the old one as the provider allows. Two names never become one; the report says which became which.',
    safety:
      'Safe: nothing is taken out. The tool of such a name cannot be declared to the provider either, so no declaration is missed.',
    sources: [
      'https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools',
      'anthropics/claude-code#2673',
      'TanStack/ai#536',
      'mcp-use/mcp-use#90',
      'cline/cline#7339',
      'earendil-works/pi#1643',
      'mastra-ai/mastra#13632',
    ],
  },
  needs: ({ kinds }) => kinds.has('tool-call'),
  *detect(conversation, { document, target }) {
    const demanded = ruleOf(target)
    const invalid = new Map<Id, { readonly message: Message; readonly blocks: Block[] } | undefined>()
    const taken: string[] = []
    const results: Block[] = []
    for (const message of conversation.messages) {
      for (const block of message.blocks) {
        if (block.kind === 'tool-result' && block.name !== NO_ID) results.push(block)
        // A format without ids may have no names either.
        if (block.kind !== 'tool-call' || (block.name === NO_ID && block.is(Flag.unnamed))) continue
        if (!invalid.has(block.name)) {
          const name = document.ids.text(block.name)
          taken.push(name)
          invalid.set(block.name, isValidId(name, demanded) ? undefined : { message, blocks: [] })
        }
        invalid.get(block.name)?.blocks.push(block)
      }
    }
    // What only results name is not sent.
    for (const result of results) invalid.get(result.name)?.blocks.push(result)
    const names = NewIds.ofTools(taken, demanded)
    for (const place of invalid.values()) {
      if (!place) continue
      const { message, blocks } = place
      const at = blocks[0]!
      const name = document.ids.text(at.name)
      const newName = names.instead(name.trim() === '' ? `unnamed_tool${name}`.trim() : name)
      yield { at, message, name, newName, blocks, ids: idsOf(document, ...blocks) }
    }
  },
  words: ({ name }, { target }) => {
    if (name.trim() === '') return 'the tool call has no name'
    const most = ruleOf(target).maxLength
    return name.length > most
      ? `the tool name ${idWords(name)} has ${name.length} characters, at most ${most} are taken`
      : `the tool name ${idWords(name)} has characters that are not taken`
  },
  repair: ({ name, newName, blocks }) => ({
    title: name.trim() === '' ? `name it ${newName}` : `rename ${idWords(name)} to ${newName}`,
    safety: 'safe',
    loses: [],
    operations: blocks.map((block) => ({ do: 'rename-tool', block, name: newName })),
  }),
})
