import fc from 'fast-check'
import { AnthropicWriter } from './anthropic.ts'
import { Envelope } from './envelope.ts'
import type { Fields, Value } from './json.ts'
import type { Specimen } from './specimen.ts'
import { type Step, type Talk, talk } from './talk.ts'

const SESSION = '3f2a91c0-1111-4111-8111-111111111111'

/** How much of what Claude Code writes beside the messages stands in a session. */
interface Habits {
  readonly notes: boolean
  readonly sidechain: boolean
  readonly bookkeeping: boolean
  /** After which turn it is compacted, if at all, and how many lines are kept. */
  readonly compactAfter: number
  readonly keeps: number
}

const habits: fc.Arbitrary<Habits> = fc.record({
  notes: fc.boolean(),
  sidechain: fc.boolean(),
  bookkeeping: fc.boolean(),
  compactAfter: fc.nat(6),
  keeps: fc.nat(2),
})

class Session {
  readonly records: Fields[] = []
  readonly writer: AnthropicWriter
  readonly envelope: Envelope
  readonly #habits: Habits
  /** What the next record hangs on. */
  tip: string | null = null
  #messages = 0

  constructor(seed: number, habits: Habits) {
    this.writer = new AnthropicWriter(seed)
    this.envelope = new Envelope(this.writer.dice, SESSION)
    this.#habits = habits
  }

  /** A record of the chain; it becomes the tip unless told otherwise. */
  link(type: string, more: Fields, parent: string | null = this.tip, isTip = true): string {
    const uuid = this.envelope.uuid()
    const record: Fields = {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: '/work',
      sessionId: SESSION,
      version: '2.1.230',
      gitBranch: 'main',
      type,
      ...more,
      uuid,
      timestamp: this.envelope.time(),
    }
    this.records.push(this.envelope.ordered(record))
    if (isTip) this.tip = uuid
    return uuid
  }

  user(content: Value, more: Fields = {}): string {
    return this.link('user', { message: { role: 'user', content }, ...more })
  }

  /** One answer of the API: a line for each block, and a line for each result, hung on the line of its call. */
  answer(step: Step): void {
    const { blocks, results } = this.writer.answer(step)
    const lines = new Map<Value, string>()
    const message = (content: Fields): Fields => ({
      message: {
        id: `msg_${this.#messages}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5-20250929',
        content: [content],
        stop_reason: content.type === 'tool_use' ? 'tool_use' : null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
      requestId: `req_${this.#messages}`,
    })
    this.#messages++
    for (const block of blocks) lines.set(block.id ?? '', this.link('assistant', message(block)))
    for (const result of results) {
      const line = lines.get(result.tool_use_id!)!
      const more: Fields = {
        message: { role: 'user', content: [result] },
        toolUseResult: this.envelope.shown(),
        sourceToolAssistantUUID: line,
      }
      this.link('user', more, line)
    }
    if (results.length === 0) this.note()
  }

  /** What is a link of the chain and no message. */
  note(): void {
    if (!this.#habits.notes) return
    const { dice } = this.writer
    if (dice.once(2))
      this.link('progress', { data: { type: 'hook_progress' }, toolUseID: 'none', parentToolUseID: 'none' })
    if (dice.once(2)) this.link('system', { subtype: 'turn_duration', durationMs: 12, isMeta: false })
    if (dice.once(3)) this.link('attachment', { attachment: { type: 'todo_reminder', content: [], itemCount: 0 } })
  }

  sidechain(): void {
    const agentId = 'a1b2c3'
    const side = (type: string, message: Fields, parent: string | null): string =>
      this.link(type, { isSidechain: true, agentId, message }, parent, false)
    const first = side('user', { role: 'user', content: 'look around' }, null)
    side(
      'assistant',
      { id: `msg_side${this.#messages++}`, role: 'assistant', model: 'm', content: [{ type: 'text', text: 'done' }] },
      first,
    )
  }

  compact(keeps: number): void {
    const kept = this.#keepable(keeps)
    const boundary = this.link(
      'system',
      { subtype: 'compact_boundary', content: 'Conversation compacted', logicalParentUuid: this.tip },
      null,
    )
    const data: Fields = { trigger: 'auto', preTokens: 1000 }
    const record = this.records.at(-1)!
    record.compactMetadata = data
    const summary = this.user(`This session is continued. ${this.writer.words.say('u')}`, {
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
    })
    if (kept.length > 0) data.preservedMessages = { anchorUuid: summary, uuids: kept }
    record.uuid = boundary
  }

  /** The last lines of the chain, as far as they are texts: no pair may be cut. */
  #keepable(most: number): string[] {
    const kept: string[] = []
    for (const record of this.records.toReversed()) {
      if (kept.length === most || record.uuid !== (kept.length === 0 ? this.tip : this.#parentOf(kept[0]!))) break
      const message = record.message as Fields | undefined
      const [first] = Array.isArray(message?.content) ? message.content : []
      const type = first === undefined ? 'text' : (first as Fields).type
      if (!message || type !== 'text') break
      kept.unshift(record.uuid as string)
    }
    return kept
  }

  #parentOf(uuid: string): Value | undefined {
    return this.records.find((record) => record.uuid === uuid)?.parentUuid
  }

  aside(record: Fields): void {
    if (this.#habits.bookkeeping) this.records.push(record)
  }
}

function session(from: Talk, habits: Habits): Fields[] {
  const made = new Session(from.seed, habits)
  const { writer } = made
  made.aside({ type: 'summary', summary: 'A talk', leafUuid: '00000001-0000-4000-8000-000000000000' })
  from.turns.forEach(({ texts, image, steps }, i) => {
    const snapshot = { messageId: made.tip, trackedFileBackups: {}, timestamp: made.envelope.time() }
    made.aside({ type: 'file-history-snapshot', messageId: made.tip, snapshot, isSnapshotUpdate: false })
    made.user(writer.prompt(texts, image))
    if (habits.sidechain && i === 0) made.sidechain()
    for (const step of steps) {
      made.answer(step)
      if (step.calls === 0) made.user(writer.words.say('u'))
    }
    made.answer({ text: true, thinking: false, calls: 0, order: 0 })
    if (i === habits.compactAfter) made.compact(habits.keeps)
    made.aside({ type: 'queue-operation', operation: 'enqueue', timestamp: made.envelope.time(), sessionId: SESSION })
    made.aside({ type: 'last-prompt', lastPrompt: 'go', leafUuid: made.tip, sessionId: SESSION })
  })
  made.aside({ type: 'custom-title', customTitle: 'A talk', sessionId: SESSION })
  return made.records
}

export const claudeCodeSessions: fc.Arbitrary<Specimen> = fc.tuple(talk, habits).map(([from, kept]) => ({
  format: 'claude-code',
  shape: 'anthropic',
  layout: 'lines',
  records: session(from, kept),
  around: {},
  seed: from.seed,
}))
