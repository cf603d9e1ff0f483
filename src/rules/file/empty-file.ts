import { rule } from '../rule.ts'

export const emptyFile = rule({
  name: 'empty-file',
  family: 'file',
  phase: 'bytes',
  scope: 'document',
  severity: 'error',
  summary: 'The file holds nothing',
  since: '0.1.0',
  errors: [],
  docs: {
    finds: 'A file of no bytes, or of nothing but white space.',
    why: 'A crash between creating the file and the first record, or a full disk. There is nothing to resume.',
    example: '',
    repair: 'None: an empty file is never written to.',
    safety: 'No repair.',
    sources: ['cline/cline#5779'],
  },
  *detect(document) {
    if (document.records.order().length === 0 && document.isEmpty) yield { at: { record: 0, bytes: [0, 0] } }
  },
  words: () => 'the file is empty: there is nothing to resume',
})
