import { rule } from '../rule.ts'

export const notATranscript = rule({
  name: 'not-a-transcript',
  family: 'file',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'The file is no conversation in any known format',
  since: '0.1.0',
  errors: [],
  docs: {
    finds:
      'A file whose content is none of the known transcript formats. Files that a client is known to keep beside its conversations (indexes, histories of prompts) are passed over with a word. The name of the file is not looked at.',
    why: 'Nothing can be said about it, and a gate that is silent about a file it did not understand is worse than none.',
    example: '{"name":"a package","version":"1.0.0"}',
    repair: 'None. Name the format with --input-format where convfix does not recognise it by itself.',
    safety: 'No repair.',
    sources: [],
  },
  *detect(document) {
    if (document.format === 'unknown' && !document.isEmpty && document.bystander === undefined)
      yield { at: { record: 0, bytes: [0, 0] } }
  },
  words: () =>
    'the file is no transcript in any format that convfix knows: see convfix formats, or name one with --input-format',
})
