import type { Container } from '../../model/document.ts'
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
      'A file whose content is none of the known transcript formats. The name of the file is not looked at. Files that a client is known to keep beside its conversations (indexes, histories of prompts) are passed over with a word; compressed files, SQLite databases and texts in UTF-16 are told apart, with the way to what they hold.',
    why: 'Nothing can be said about it, and a gate that is silent about a file it did not understand is worse than none.',
    example: '{"name":"a package","version":"1.0.0"}',
    repair: 'None. Name the format with --input-format where convfix does not recognise it by itself.',
    safety: 'No repair.',
    sources: ['openai/codex, `codex-rs/rollout/src/compression.rs`', 'https://www.sqlite.org/fileformat.html'],
  },
  *detect(document) {
    const isUnknown = document.format === 'unknown' && !document.isEmpty && document.bystander === undefined
    if (document.container || isUnknown) yield { at: { record: 0, bytes: [0, 0] } }
  },
  words: (_, { document }) => {
    if (document.container) return CONTAINERS[document.container]
    return 'the file is no transcript: looked for sessions of agents, arrays and bodies of messages, data sets and exports (convfix formats lists them; --input-format names one)'
  },
})

const CONTAINERS: Readonly<Record<Container, string>> = {
  zstd: 'the file is compressed with zstd, as Codex keeps archived sessions: unpack it with zstd -d FILE and check what comes out',
  gzip: 'the file is compressed with gzip: unpack it with gzip -dk FILE and check what comes out',
  sqlite:
    'the file is an SQLite database: export the conversation with the command of the agent that keeps it (as opencode export SESSION) and check what it writes',
  'utf-16':
    'the file is text in UTF-16, as PowerShell writes it with >: turn it into UTF-8 (iconv -f UTF-16 -t UTF-8 FILE) and check what comes out',
}
