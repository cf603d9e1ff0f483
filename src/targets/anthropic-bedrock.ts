import { anthropic } from './anthropic.ts'
import type { Target } from './target.ts'
import { refuses, unknown } from './verdict.ts'

const SIZES = 'https://platform.claude.com/docs/en/api/overview#request-size-limits, read 2026-08-22'
const VISION = 'https://platform.claude.com/docs/en/build-with-claude/vision#request-limits, read 2026-08-22'

/** Claude on Amazon Bedrock (InvokeModel): the Messages API of Anthropic with limits of its own. */
export const anthropicBedrock: Target = {
  ...anthropic,
  name: 'anthropic-bedrock',
  title: 'Claude on Amazon Bedrock (InvokeModel)',
  verdicts: {
    ...anthropic.verdicts,
    'invalid-base64/link': refuses(`base64 only: ${VISION}`),
    'stacked-roles': unknown('refused in 2024; whether it still is, is not established, 2026-11-30'),
  },
  requestSize: { limit: 20 * 1024 * 1024, source: SIZES },
  // Here documents are counted with the images, says the same page.
  manyImages: { above: 20, limit: 2000, countsDocuments: true, source: VISION },
  imageSize: { limit: 5 * 1024 * 1024, source: `${VISION}; aws/amazon-q#3912, 2026-09` },
}
