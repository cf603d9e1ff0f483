import type { MediaBlock } from '../../model/media.ts'
import { type Match, rule } from '../rule.ts'
import { imagesOf, modelOf, replaceBy } from './media.ts'

interface Unseen extends Match {
  readonly block: MediaBlock
  readonly model: string
}

export const mediaOnTextModel = rule<Unseen>({
  name: 'media-on-text-model',
  family: 'media',
  phase: 'media',
  scope: 'conversation',
  severity: 'info',
  summary: 'An image is sent to a model that takes texts only',
  since: '0.1.0',
  errors: [{ target: 'deepseek', text: 'unknown variant `image_url`, expected `text`' }],
  docs: {
    finds: 'An image in a conversation whose recorded or given model is known to take none.',
    why: 'A session with screenshots was handed to another model, which refuses every request with one of them.',
    example:
      '{"model":"deepseek-chat","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/1.png"}}]}]}',
    repair: 'Each image is replaced by a text that names the model.',
    safety: 'Safe: what is replaced is named in the report and kept in the backup.',
    sources: ['nesquena/hermes-webui#2297', 'rikkahub/rikkahub#1433'],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation, { document, target }) {
    const model = modelOf(document, conversation)
    if (model === undefined || !target.textOnly?.model.test(model)) return
    for (const { block, message } of imagesOf(conversation)) yield { at: block, message, block, model }
  },
  words: ({ model }) => `${model} takes no images`,
  repair: ({ block, model }) => replaceBy([block], 'replace it by a text', () => `${model} takes none`),
})
