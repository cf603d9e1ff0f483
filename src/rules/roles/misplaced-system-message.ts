import type { Document, Message } from '../../model/document.ts'
import type { Operation } from '../../model/finding.ts'
import type { SystemPlace, Target } from '../../targets/target.ts'
import { lookup } from '../../text/view.ts'
import { type Match, rule } from '../rule.ts'

interface Misplaced extends Match {
  readonly at: Message
  /** Whether the provider takes none at all. */
  readonly nowhere: boolean
  /** The system message that the list begins with, where nothing but such ones stands between. */
  readonly head: Message | undefined
  /** Whether some models take it where it stands, and nobody knows which it goes to. */
  readonly stands: boolean
  /** Whether it could be the body's own field for what the system says. */
  readonly hoists: boolean
}

export const misplacedSystemMessage = rule<Misplaced>({
  name: 'misplaced-system-message',
  family: 'roles',
  phase: 'roles',
  scope: 'conversation',
  severity: 'info',
  summary: 'A system message stands where the provider does not take one',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: "use the top-level 'system' parameter for the initial system prompt" },
    { target: 'local-template', text: 'System message must be at the beginning.' },
    { target: 'mistral', text: "Unexpected role 'system' after role 'assistant'" },
    { text: "role 'system' is not supported on this model" },
    { text: 'Please use a valid role: user, model' },
  ],
  docs: {
    finds:
      'In arrays, bodies and data sets in the shape of the provider: a system message where it takes none. Anthropic has a field of its own for the first one, and only Opus 4.8 and later, Fable 5 and Mythos 5 take one in the list, between a prompt and its answer. Where no model is named and one would take it, that is only of note. Chat templates of Qwen 3.5 and later take exactly one, at the beginning. Mistral takes none behind an answer or a result. Other providers take it anywhere.',
    why: 'A reminder was written into the history, or the history comes from another provider. The request is refused.',
    example:
      '[{"role":"system","content":"Be short."},{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}]}]',
    repair:
      'In a body of Anthropic the first system messages become its `system`. Two at the beginning of a list become one. A later one becomes a message of the user, in its place.',
    safety:
      'Safe where the system still says it, and says it first. Unsafe where it becomes a message of the user: it weighs less there. It is never moved to the beginning, where it would hold for what was said before it.',
    sources: [
      'https://platform.claude.com/docs/en/api/messages/create',
      'table of message shapes sent to the API, 2026-07-25',
      'vllm-project/vllm#41114',
      'can1357/oh-my-pi#958',
      'mistralai/mistral-common, `validator.py`',
    ],
  },
  *detect({ messages, model }, { document, target }) {
    // The client of a session, and whoever turns messages into another shape, puts the system's words where they belong.
    if (document.use === 'session' || document.dialect !== target.dialect) return
    const known = document.model ?? model
    const places = placesFor(target, known)
    if (!places) return
    // Other models take none there.
    const isModelAsked = known === undefined && target.systemPlaces!.length > 1
    /** How many system messages the list begins with. */
    const leading = messages.findIndex(({ role }) => role !== 'system')
    for (const [index, at] of messages.entries()) {
      if (at.role !== 'system') continue
      const stands = places.some((place) => standsAt(place, messages, index))
      if (stands && !isModelAsked) continue
      const isLeading = leading < 0 || index < leading
      const nowhere = places.length === 0
      const hoists = isLeading && target.dialect === 'anthropic'
      const head = isLeading && index > 0 && places.includes('first') ? messages[0] : undefined
      const match = { at, nowhere, hoists, head, stands }
      yield stands ? { ...match, severity: 'info' } : match
    }
  },
  words: ({ nowhere, stands }) => {
    if (stands) return 'only some models of the provider take a system message in this place'
    return nowhere
      ? 'the provider takes no system message in the list'
      : 'the provider takes no system message in this place'
  },
  repair: ({ at, head, hoists, stands }, { document }) => {
    if (stands) return undefined
    if (head) {
      return {
        title: 'fold it into the system message before it',
        safety: 'safe',
        loses: [],
        operations: [{ do: 'fold', from: at, into: head }],
      }
    }
    if (hoists && isInBody(document, at)) {
      return {
        title: "make it the body's own `system`",
        safety: 'safe',
        loses: [],
        operations: [{ do: 'hoist-system', message: at }],
      }
    }
    const operations = at.entries.map(
      (entry): Operation => ({
        do: 'change-entry',
        entry,
        changes: [{ op: 'set', path: ['role'], value: 'user' }],
      }),
    )
    return { title: 'make it a message of the user', safety: 'unsafe', loses: [], operations }
  },
})

/** Undefined: anywhere. Of an unknown model the most that any takes is asked. */
function placesFor({ systemPlaces }: Target, model: string | undefined): readonly SystemPlace[] | undefined {
  if (!systemPlaces) return undefined
  const found = model === undefined ? systemPlaces[0] : systemPlaces.find((each) => each.model.test(model))
  return found?.places
}

function standsAt(place: SystemPlace, messages: readonly Message[], index: number): boolean {
  const before = messages[index - 1]
  const next = messages[index + 1]
  switch (place) {
    case 'first':
      return index === 0
    case 'behind-system':
      return before?.role === 'system'
    case 'behind-user':
      return before?.role === 'user'
    case 'before-answer':
      return (
        (before?.role === 'user' || before?.blocks.at(-1)?.kind === 'server-result') &&
        (next === undefined || next.role === 'assistant')
      )
  }
}

/** Whether the list stands in a body, which has a field for the system. */
function isInBody(document: Document, { entries: [entry] }: Message): boolean {
  if (!entry || entry.path.length < 2) return false
  const record = document.records.view(entry.record)
  return record !== undefined && lookup(record, entry.path.slice(0, -2))?.kind === 'object'
}
