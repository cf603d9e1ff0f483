import type { Block } from '../../model/blocks.ts'
import type { Message } from '../../model/document.ts'
import { type Match, rule } from '../rule.ts'
import { idsOf, idWords } from '../words.ts'

interface Misplaced extends Match {
  readonly result: Block
  readonly media: readonly Block[]
  /** The last message of the run of results that it belongs to. */
  readonly behind: Message
}

export const toolResultContent = rule<Misplaced>({
  name: 'tool-result-content',
  family: 'content',
  phase: 'layout',
  scope: 'conversation',
  severity: 'info',
  summary: 'A tool result holds an image, which the provider takes from the user only',
  since: '0.1.0',
  errors: [
    {
      target: 'openai-chat',
      text: "Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
    },
  ],
  docs: {
    finds: 'In the shape of Chat Completions: a message of the role `tool` with an image or a file in it.',
    why: 'The API refuses the request, or, with newer models, takes it and does not show the image to the model.',
    example:
      '[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_1","content":[{"type":"text","text":"taken"},{"type":"image_url","image_url":{"url":"https://example.com/1.png"}}]}]',
    repair:
      'The image goes into a message of the user behind all results of the turn; the texts of the result stay. A result of nothing but images keeps a text that says where they are.',
    safety: 'Safe: nothing is taken out.',
    sources: ['All-Hands-AI/OpenHands#7700', 'openai/openai-openapi#523', 'openai/openai-node#1030'],
  },
  needs: ({ kinds }) => kinds.has('media') && kinds.has('tool-result'),
  *detect({ messages }, { document, target }) {
    if (document.dialect !== 'openai-chat' || target.dialect !== 'openai-chat') return
    for (let i = 0; i < messages.length; i++) {
      const message = messages[i]!
      if (message.role !== 'tool') continue
      for (const result of message.blocks) {
        const media = result.content.filter(({ kind }) => kind === 'media')
        if (media.length === 0) continue
        let last = i
        while (messages[last + 1]?.role === 'tool') last++
        yield { at: media[0]!, message, result, media, behind: messages[last]!, ids: idsOf(document, result) }
      }
    }
  },
  words: ({ result, media }, { document }) =>
    `result ${idWords(document.ids.text(result.id))} holds ${media.length === 1 ? 'an image' : `${media.length} images`}`,
  repair: ({ media, behind }) => ({
    title: `move ${media.length === 1 ? 'it' : 'them'} into a message of the user behind the results`,
    safety: 'safe',
    loses: [],
    operations: [{ do: 'move-media', media, behind }],
  }),
})
