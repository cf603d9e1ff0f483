import { anthropic } from './anthropic.ts'
import { deepseek } from './deepseek.ts'
import { gemini } from './gemini.ts'
import { localTemplate } from './local-template.ts'
import { mistral } from './mistral.ts'
import { openaiChat } from './openai-chat.ts'
import { PROVIDERS } from './providers.ts'
import { qwen } from './qwen.ts'
import type { Limit, Target, Verdict } from './target.ts'

/** What every one of them accepts: of each rule the strictest verdict, of each limit the smallest. */
export const portable: Target = {
  name: 'portable',
  title: 'Every provider at once',
  dialect: 'openai-chat',
  results: { layout: 'next-messages', joinsTurns: false, idsUniqueInRequest: true },
  verdicts: strictest(),
  // Mistral's nine letters and digits are the narrowest.
  ...(mistral.ids ? { ids: mistral.ids } : {}),
  // The shortest, and of fewer characters than Gemini's, which are as short.
  toolNames: openaiChat.toolNames!,
  messages: smallest(({ messages }) => messages)!,
  media: [smallest(({ media }) => media.at(-1))!],
  documents: smallest(({ documents }) => documents)!,
  countsPages: true,
  imageSize: smallest(({ imageSize }) => imageSize)!,
  documentSize: smallest(({ documentSize }) => documentSize)!,
  imageSide: smallest(({ imageSide }) => imageSide)!,
  manyImages: smallest(({ manyImages }) => manyImages)!,
  requestSize: smallest(({ requestSize }) => requestSize)!,
  imageTypes: commonTypes(),
  soundTypes: openaiChat.soundTypes!,
  imageSideAbove: qwen.imageSideAbove!,
  imageRatio: smallest(({ imageRatio }) => imageRatio)!,
  documentTypes: anthropic.documentTypes!,
  pdfPages: [smallest(({ pdfPages }) => pdfPages?.at(-1))!],
  // What one of them demands of some models, all of them together demand.
  systemPlaces: localTemplate.systemPlaces!,
  refusesPrefill: mistral.refusesPrefill!,
  thoughtSignatures: gemini.thoughtSignatures!,
  textOnly: deepseek.textOnly!,
  startsWithUser: true,
}

function strictest(): Record<string, Verdict> {
  const ranks = ['ok', 'unknown', 'warning', 'error']
  const verdicts: Record<string, Verdict> = {}
  for (const target of PROVIDERS) {
    for (const [rule, verdict] of Object.entries(target.verdicts)) {
      const known = verdicts[rule]
      if (known && ranks.indexOf(known.verdict) >= ranks.indexOf(verdict.verdict)) continue
      verdicts[rule] = { verdict: verdict.verdict, source: `${target.name}: ${verdict.source}` }
    }
  }
  return verdicts
}

function smallest<L extends Limit>(of: (target: Target) => L | undefined): L | undefined {
  return PROVIDERS.map(of)
    .filter((limit) => limit !== undefined)
    .sort((a, b) => a.limit - b.limit)[0]
}

function commonTypes(): NonNullable<Target['imageTypes']> {
  const lists = PROVIDERS.map(({ imageTypes }) => imageTypes?.types).filter((types) => types !== undefined)
  const [first, ...others] = lists
  const types = first!.filter((type) => others.every((list) => list.includes(type)))
  return { types, isVerbatim: true, source: 'the types that all of them take, 2026-11-30' }
}
