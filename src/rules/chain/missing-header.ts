import { rule } from '../rule.ts'

export const missingHeader = rule({
  name: 'missing-header',
  family: 'chain',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'The session has no header',
  since: '0.1.0',
  errors: [{ text: 'no usable header record' }, { text: 'Session file is not a valid pi session' }],
  docs: {
    finds:
      'A session of Codex without its `session_meta` record, or one of pi without its `session` line: the line is torn, or was cut off with the start of the file.',
    why: 'The client takes the id of the session from it, and does not load a session without one.',
    example:
      '{"timestamp":"2026-10-01T10:00:01.000Z","type":"turn_context","payload":{"cwd":"/work","model":"gpt-5"}}\n{"timestamp":"2026-10-01T10:00:02.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}',
    repair:
      'Where the other records, or what is left of a torn header, name the thread and its folder, a header is written with what they say. Else the report says what is not known, and nothing is made up.',
    safety: 'Safe: nothing is taken out, and an id is never invented.',
    sources: ['observed with pi 1.6.0', 'openai/codex#38341', 'openai/codex, `codex-rs/rollout/src/recorder.rs`'],
  },
  *detect(document) {
    if (document.header) yield { at: { record: document.records.order()[0] ?? 0 } }
  },
  words: (_, { document: { header } }) =>
    header && header.value === undefined
      ? `no record of the file is its header, and no other one says ${header.unsaid}: put the first line of a backup in front, or that of another session of this folder with the id of this one`
      : 'no record of the file is its header',
  repair: (_, { document }) => {
    const value = document.header?.value
    if (value === undefined) return undefined
    return {
      title: 'write a header with what the other records say',
      safety: 'safe',
      loses: [],
      operations: [{ do: 'insert-record', record: -1, value }],
    }
  },
})
