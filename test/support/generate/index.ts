import type fc from 'fast-check'
import { anthropicLists, dataSets, openAiLists } from './lists.ts'
import type { Specimen } from './specimen.ts'

/** Healthy transcripts of every kind. */
export const SPECIMENS: Readonly<Record<string, fc.Arbitrary<Specimen>>> = {
  anthropic: anthropicLists,
  openai: openAiLists,
  rows: dataSets,
}
