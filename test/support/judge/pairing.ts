import type { Shape } from '../generate/specimen.ts'
import { isObject, type Part, type Said } from './said.ts'

/** What the provider would refuse of the messages that it is sent. */
export function faultsOf(messages: readonly Said[], shape: Shape, maxMedia: number): string[] {
  // What becomes of a role that nobody has is no matter of pairing.
  if (messages.some(({ role }) => !ROLES.has(role))) return []
  const faults: string[] = []
  const judge = shape === 'openai' ? nextMessages : inTurns
  judge(messages, shape, (text) => faults.push(text))
  if (shape === 'anthropic') contents(messages, (text) => faults.push(text))
  else if (shape === 'openai') openAiContents(messages, (text) => faults.push(text))
  const media = messages.flatMap(({ parts }) => parts.flatMap((part) => [part, ...part.inner]))
  const count = media.filter(({ kind }) => kind === 'media').length
  if (count > maxMedia) faults.push(`${count} images, ${maxMedia} are allowed`)
  for (const { parts, where } of messages) {
    if (parts.some(({ text }) => LONE.test(text))) faults.push(`${where}: half a surrogate pair`)
  }
  return faults
}

type Say = (fault: string) => void

/** Messages of one role in a row count as one turn; its calls are answered in the next one. */
function inTurns(messages: readonly Said[], shape: Shape, say: Say): void {
  const turns: { readonly role: string; readonly parts: Part[]; readonly where: string }[] = []
  for (const { role, parts, where } of messages) {
    const last = turns.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else turns.push({ role, parts: [...parts], where })
  }
  const model = shape === 'anthropic' ? 'assistant' : 'model'
  const taken = new Set<string>()
  if (shape === 'anthropic' && turns[0] && turns[0].role !== 'user')
    say(`${turns[0].where}: the first turn is no user's`)
  turns.forEach(({ role, parts, where }, i) => {
    const calls = parts.filter(({ kind }) => kind === 'call')
    const results = parts.filter(({ kind }) => kind === 'result')
    if (role === model) {
      if (results.length > 0) say(`${where}: a result in a turn of the model`)
      for (const { id } of calls) {
        if (taken.has(id)) say(`${where}: the id ${id} comes twice`)
        taken.add(id)
      }
      if (shape === 'gemini') taken.clear()
      if (calls.length > 0 && turns[i + 1]?.role !== 'user') say(`${where}: calls without any answer`)
      return
    }
    if (calls.length > 0) say(`${where}: a call in a turn of the user`)
    const before = turns[i - 1]
    const open = new Set(
      before?.role === model ? before.parts.filter(({ kind }) => kind === 'call').map(({ id }) => id) : [],
    )
    const end = parts.findIndex(({ kind }) => kind !== 'result')
    const run = shape === 'gemini' || end < 0 ? results : parts.slice(0, end)
    const called = new Set(open)
    for (const { id } of run) {
      // Qwen Code takes the first of several results and leaves the others out.
      if (!open.delete(id) && !(shape === 'gemini' && called.has(id)))
        say(`${where}: a result for ${id}, which is not open`)
    }
    if (run.length < results.length) say(`${where}: a result behind other parts`)
    for (const id of open) say(`${where}: no result for ${id}`)
  })
}

/** Each result is a message of its own, directly behind the message with the call. */
function nextMessages(messages: readonly Said[], _shape: Shape, say: Say): void {
  let open = new Set<string>()
  const close = (where: string): void => {
    for (const id of open) say(`${where}: no result for ${id}`)
    open = new Set()
  }
  for (const { role, parts, where } of messages) {
    if (role === 'tool') {
      for (const { id } of parts) if (!open.delete(id)) say(`${where}: a result for ${id}, which is not open`)
      continue
    }
    close(where)
    for (const { kind, id } of parts) {
      if (kind !== 'call') continue
      if (open.has(id)) say(`${where}: the id ${id} comes twice in one turn`)
      open.add(id)
    }
  }
  close('end')
}

function contents(messages: readonly Said[], say: Say): void {
  for (const { role, parts, content, where } of messages) {
    if (role === 'user' && (content === '' || parts.length === 0)) say(`${where}: a user message without content`)
    for (const { kind, value, id, inner } of parts) {
      if (kind === 'call' && !isObject(value)) say(`${where}: the input of ${id} is no object`)
      if ((kind === 'call' || kind === 'result') && !/^[a-zA-Z0-9_-]{1,64}$/.test(id)) say(`${where}: the id ${id}`)
      if (content === value) continue
      for (const each of [{ kind, value }, ...inner]) {
        if (each.kind === 'text' && inner.indexOf(each as Part) < 0 && isBlank(each.value))
          say(`${where}: a blank text`)
        else if (each.kind === 'text' && each.value === '') say(`${where}: an empty text in a result`)
      }
    }
  }
}

function openAiContents(messages: readonly Said[], say: Say): void {
  for (const { role, parts, content, where } of messages) {
    if (role === 'assistant' && parts.length === 0 && content !== '') say(`${where}: an answer without content`)
  }
}

const isBlank = (text: unknown): boolean => typeof text === 'string' && text.trim() === ''

const LONE = /\p{Surrogate}/u

const ROLES = new Set(['user', 'assistant', 'model', 'tool', 'system', 'developer'])
