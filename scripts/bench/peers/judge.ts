import { MARK } from '../../../test/support/generate/words.ts'
import { faultsOf } from '../../../test/support/judge/pairing.ts'
import type { Part, Said } from '../../../test/support/judge/said.ts'
import type { Conversation } from './conversation.ts'

/** Whose rules the messages have to keep. */
export type Provider = 'Anthropic' | 'Gemini' | 'OpenAI Chat' | 'OpenAI Responses'

/** What the provider would refuse. */
export function refused(messages: readonly Said[], provider: Provider): string[] {
  if (provider === 'OpenAI Responses') return responsesFaults(messages)
  const shape = provider === 'Anthropic' ? 'anthropic' : provider === 'Gemini' ? 'gemini' : 'openai'
  return faultsOf(messages, shape, 100)
}

/** Calls and outputs need not stand side by side here, but each has exactly one partner, and the call comes first. */
function responsesFaults(messages: readonly Said[]): string[] {
  const faults: string[] = []
  const open = new Set<string>()
  const taken = new Set<string>()
  for (const { kind, id } of messages.flatMap(({ parts }) => parts)) {
    if (kind === 'call') {
      if (taken.has(id)) faults.push(`the id ${id} comes twice`)
      taken.add(id)
      open.add(id)
    } else if (kind === 'result' && !open.delete(id)) faults.push(`an output for ${id}, which is not open`)
  }
  return [...faults, ...[...open].map((id) => `no output for ${id}`)]
}

/** How many texts are in none of the messages after the repair, and of how many calls all real results are gone. */
export function lost(before: Conversation, after: readonly Said[]): number {
  const parts = before.flatMap((message) => message.parts)
  const kept = new Set(marksIn(after.flatMap((message) => message.parts)))
  const texts = new Set(marksIn(parts.filter(({ kind }) => kind === 'text')).filter((mark) => !kept.has(mark)))
  const calls = new Set(parts.filter(({ kind }) => kind === 'call').map(({ id }) => id))
  const unanswered = [...calls].filter((id) => {
    const results = marksIn(parts.filter((part) => part.kind === 'result' && part.id === id))
    return results.length > 0 && !results.some((mark) => kept.has(mark))
  })
  return texts.size + unanswered.length
}

const marksIn = (parts: readonly Part[]): string[] => parts.flatMap(({ text }) => text.match(MARK) ?? [])
