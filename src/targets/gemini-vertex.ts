import { gemini } from './gemini.ts'
import type { Target } from './target.ts'

const COUNTS = 'https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding, 2026'

/** `generateContent` of Gemini on Google Cloud: fewer images in one request. */
export const geminiVertex: Target = {
  ...gemini,
  name: 'gemini-vertex',
  title: 'Gemini on Google Cloud',
  media: [
    { model: /gemini-3-pro-preview/, limit: 900, source: COUNTS },
    { model: /(?:)/, limit: 3000, source: COUNTS },
  ],
}
