import { anthropic } from './anthropic.ts'
import type { Target } from './target.ts'
import { refuses, unknown } from './verdict.ts'

const SIZES = 'https://platform.claude.com/docs/en/api/overview#request-size-limits, read 2026-08-22'
const VISION = 'https://platform.claude.com/docs/en/build-with-claude/vision#request-limits, read 2026-08-22'

/** Claude on Google Cloud: the Messages API of Anthropic with limits of its own. */
export const anthropicVertex: Target = {
  ...anthropic,
  name: 'anthropic-vertex',
  title: 'Claude on Google Cloud',
  verdicts: {
    ...anthropic.verdicts,
    'invalid-base64/link': refuses(`base64 only: ${VISION}`),
    'stacked-roles': unknown('whether they are merged as on the direct API is not established, 2026-11-30'),
  },
  requestSize: { limit: 30 * 1024 * 1024, source: SIZES },
  // Here documents are counted with the images, says the same page.
  manyImages: { above: 20, limit: 2000, countsDocuments: true, source: VISION },
  imageSize: { limit: 5 * 1024 * 1024, source: VISION },
}
