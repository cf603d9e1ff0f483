import { type MediaBlock, MOST_PAGES } from '../../model/media.ts'
import { limitOf } from '../../targets/index.ts'
import { type Match, rule } from '../rule.ts'
import { group, mediaOf, modelOf, replaceBy } from './media.ts'

interface TooLong extends Match {
  readonly block: MediaBlock
  readonly limit: number
}

export const pdfPages = rule<TooLong>({
  name: 'pdf-pages',
  family: 'media',
  phase: 'media',
  scope: 'conversation',
  severity: 'info',
  summary: 'A PDF has more pages than one request may hold',
  since: '0.1.0',
  errors: [{ target: 'anthropic', text: 'A maximum of 100 PDF pages may be provided.' }],
  docs: {
    finds:
      'A PDF with more pages than the provider takes in one request; the limit depends on the model. Pages are counted where the file says how many it has in plain; one whose page tree is packed is not judged. Where it says more than anybody can believe, its pages are counted one by one, as far as they are to be seen.',
    why: 'The document is sent with every further request, and every one of them is refused.',
    example:
      '[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjQKMiAwIG9iago8PCAvVHlwZSAvUGFnZXMgL0NvdW50IDEyMCA+PgplbmRvYmoKJSVFT0YK"}}]}]',
    repair: 'The document is replaced by the text `[Document removed to save context: … pages]`.',
    safety: 'Safe: what is replaced is named in the report and kept in the backup.',
    sources: ['https://platform.claude.com/docs/en/build-with-claude/pdf-support', 'anthropics/claude-code#6231'],
  },
  needs: ({ kinds }) => kinds.has('media'),
  *detect(conversation, { document, target }) {
    const limit = limitOf(target.pdfPages, modelOf(document, conversation))
    if (limit === undefined) return
    for (const { block, message } of mediaOf(conversation))
      if (block.medium.pages > limit) yield { at: block, message, block, limit }
  },
  words: ({ block, limit }) => {
    const taken = `at most ${group(limit)} are taken in one request`
    return block.medium.pages > MOST_PAGES
      ? `the PDF says that it has ${pagesOf(block)}, which cannot be believed; ${taken}`
      : `the PDF has ${pagesOf(block)}, ${taken}`
  },
  repair: ({ block }) => replaceBy([block], 'replace it by a text', pagesOf),
})

const pagesOf = ({ medium: { pages } }: MediaBlock): string =>
  pages > MOST_PAGES ? `more than ${group(MOST_PAGES)} pages` : `${group(pages)} pages`
