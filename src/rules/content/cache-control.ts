import { type Block, deep, Flag } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'

/** Markers that one request may have. */
const MOST = 4

interface Marked extends Match {
  readonly block: Block
  /** Markers in all, where there are too many; undefined where this one stands at a place that takes none. */
  readonly count: number | undefined
}

export const cacheControl = rule<Marked>({
  name: 'cache-control',
  family: 'content',
  phase: 'cache',
  scope: 'conversation',
  severity: 'info',
  summary: 'There are more cache markers than the provider takes, or one stands where it takes none',
  since: '0.1.0',
  errors: [
    { target: 'anthropic', text: 'A maximum of 4 blocks with cache_control may be provided. Found 5.' },
    { target: 'anthropic', text: 'cache_control cannot be set for empty text blocks' },
  ],
  docs: {
    finds:
      'In arrays and request bodies: more than four blocks with `cache_control`, the markers of a body’s system prompt and tools not counted; and a marker on a thinking block or an empty text. Agents set the markers anew with every request, so their sessions are not judged.',
    why: 'A client that adds a marker with each turn and stores the messages with them ends up with too many, and the provider refuses the request.',
    example:
      '[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://example.com/1.png"},"cache_control":{"type":"ephemeral"}},{"type":"text","text":"b","cache_control":{"type":"ephemeral"}},{"type":"text","text":"c","cache_control":{"type":"ephemeral"}},{"type":"text","text":"d","cache_control":{"type":"ephemeral"}},{"type":"text","text":"e","cache_control":{"type":"ephemeral"}}]}]',
    repair: 'The oldest markers are removed until four are left; one at a wrong place goes in any case.',
    safety: 'Safe: a marker says nothing to the model. All that it costs is what the cache would have saved.',
    sources: ['https://platform.claude.com/docs/en/build-with-claude/prompt-caching', 'ericc-ch/copilot-api#145'],
  },
  needs: ({ flags }) => (flags & Flag.cacheMarker) !== 0,
  *detect({ messages }, { document, target }) {
    if (document.use === 'session' || document.dialect !== target.dialect) return
    const marked: { readonly block: Block; readonly message: Message }[] = []
    for (const message of messages) {
      for (const block of deep(message.blocks)) {
        if (!block.is(Flag.cacheMarker)) continue
        if (takesNone(block)) yield { at: block, message, block, count: undefined }
        else marked.push({ block, message })
      }
    }
    for (const { block, message } of marked.slice(0, Math.max(0, marked.length - MOST)))
      yield { at: block, message, block, count: marked.length }
  },
  words: ({ count, block }) =>
    count === undefined
      ? `a cache marker stands on ${block.kind === 'thinking' ? 'thinking' : 'an empty text'}`
      : `${count} blocks have a cache marker, at most ${MOST} are taken`,
  repair: ({ block }) => ({
    title: 'remove the marker',
    safety: 'safe',
    loses: [],
    operations: [
      {
        do: 'change-entry',
        entry: block.entry,
        changes: [{ op: 'remove', path: [...block.tail, 'cache_control'] }],
      },
    ],
  }),
})

function takesNone(block: Block): boolean {
  return block.kind === 'thinking' || (block.kind === 'text' && block.is(Flag.empty))
}
