import { type AppliedFix, type CheckOptions, check, type Finding, fix } from '../../src/index.ts'
import type { Damaged } from './damage.ts'
import { MARK } from './generate/words.ts'
import { asString, isObject, type Part } from './judge/said.ts'
import { isNamed, type Judgement, judge } from './judge.ts'

/** A file, what was done to it, and what an independent judge says of it before and after. */
export interface Run {
  readonly input: Buffer
  readonly options: CheckOptions
  readonly before: { readonly format: string | null; readonly findings: readonly Finding[]; readonly judged: Judgement }
  readonly output: Uint8Array
  readonly applied: readonly AppliedFix[]
  readonly after: { readonly format: string | null; readonly findings: readonly Finding[]; readonly judged: Judgement }
}

const MAX_MEDIA = 3

export function run({ bytes, blows }: Pick<Damaged, 'bytes' | 'blows'>): Run {
  const options: CheckOptions = blows.some(({ kind }) => kind === 'images') ? { maxMedia: MAX_MEDIA } : {}
  const before = check(bytes, options)
  const { output, applied } = fix(bytes, options)
  const after = check(output, options)
  const judged = (file: Uint8Array, format: string | null): Judgement =>
    judge(file, format ?? 'unknown', options.maxMedia)
  return {
    input: bytes,
    options,
    before: { ...before, judged: judged(bytes, before.format) },
    output,
    applied,
    after: { ...after, judged: judged(output, after.format) },
  }
}

/** A law says what is wrong with a run. */
export type Law = (run: Run) => string[]

const isRepaired = ({ severity, fix }: Finding): boolean => severity !== 'info' && fix?.safety === 'safe'

/** No finding, no change; and what no repair touched stands as it stood, byte for byte. */
export const identity: Law = ({ input, output, before, after, applied }) => {
  const breaches: string[] = []
  const isSame = Buffer.compare(input, output) === 0
  if (applied.length === 0 && !isSame) breaches.push('changed without a repair')
  if (applied.length === 0 && before.findings.some(isRepaired)) breaches.push('nothing is done about a fixable finding')
  if (applied.length > 0 && !before.findings.some(isRepaired)) breaches.push('repaired without a finding')
  if (isSame) return breaches
  const old = joined(Buffer.from(input).toString('utf8'))
  const isTrimmed = applied.some(({ rule }) => rule === 'trailing-whitespace')
  const isTorn = applied.some(({ family }) => family === 'file')
  for (const part of literals(after.judged.parts)) {
    const { text, raw } = part
    if (isWrapped(part, `${Buffer.from(input)}`, isTorn ? undefined : before.judged.parts)) continue
    const [mark] = text.match(MARK) ?? []
    if (
      mark === undefined ||
      MENDED.test(text) ||
      raw.includes('\\n~') ||
      old.includes(joined(raw)) ||
      (isTrimmed && old.includes(joined(raw.slice(0, -1)))) ||
      raw.includes('\ufffd')
    )
      continue
    breaches.push(`${mark} is written anew: ${raw.slice(0, 80)}`)
  }
  // A line that is freed of NUL bytes may say the same as its copy.
  return isTorn ? breaches : [...breaches, ...rewritten(input, output)]
}

/** Texts that a repair wrote or changed: a result kept as text, two results in one, half a character replaced. */
const MENDED = /^\[convfix\]|another answer|\n~|\ufffd/

/**
 * Whether a call holds nothing but the whole of an input that was no object: as the object that its text spells, or wrapped. What
 * stood in a record that had to be mended (`before` is undefined) could not be read then: it has to stand in the file.
 */
function isWrapped({ kind, value, text, raw }: Part, file: string, before: readonly Part[] | undefined): boolean {
  if (kind !== 'call') return false
  const stood = (inner: string): boolean =>
    before?.some((part) => part.kind === 'call' && (part.value === inner || asString(part.value).trim() === inner)) ??
    unbroken(unescaped(file)).includes(unbroken(inner))
  if (isObject(value) && stood(raw)) return true
  const wrapped: unknown = typeof value === 'string' ? parsed(text) : value
  if (!isObject(wrapped) || Object.keys(wrapped).join() !== '_raw') return false
  const inner = wrapped._raw
  if (typeof inner !== 'string') return file.includes(raw.replace(/^\{\s*"_raw"\s*:\s*|\s*\}$/g, ''))
  return !isObject(parsed(inner)) && stood(inner)
}

const unbroken = (text: string): string => text.replace(/[\r\n]/g, '')

/** What the escapes of JSON stand for, wherever they stand. */
const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, hex: string | undefined, char: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : ({ t: '\t', b: '\b', f: '\f' }[char] ?? char),
  )

/** Without line breaks, raw or written: a record that was broken into lines is joined. */
const joined = (text: string): string => text.replace(/[\r\n]|\\[rn]/g, '')

/** Texts and inputs with a value of their own: what nothing but a repair of that very value may change. */
function literals(parts: readonly Part[]): Part[] {
  return parts
    .flatMap((part) => (part.kind === 'result' ? literals(part.inner) : [part]))
    .filter(({ kind, value }) => {
      return (kind === 'text' || kind === 'call') && value !== null
    })
}

/** Lines that say the same as before in other bytes. */
function rewritten(input: Uint8Array, output: Uint8Array): string[] {
  const lines = (file: Uint8Array): Set<string> =>
    new Set(
      Buffer.from(file)
        .toString('latin1')
        .split('\n')
        .map((line) => line.replace(/\r$/, '')),
    )
  const old = lines(input)
  const left = lines(output)
  const saying = new Set<string>()
  // A line that still stands is not the one that was written anew: copies say the same.
  for (const line of old) if (!left.has(line)) saying.add(canonical(line) ?? '')
  const breaches: string[] = []
  for (const line of left) {
    const says = old.has(line) ? undefined : canonical(line)
    if (says !== undefined && saying.has(says)) breaches.push(`a line is written anew: ${line.slice(0, 80)}`)
  }
  return breaches
}

const canonical = (line: string): string | undefined => JSON.stringify(parsed(line))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** After a fix nothing fixable is left, and nothing that the judge objects to. */
export const soundness: Law = ({ after }) => {
  const left = after.findings.filter(isRepaired).map(({ rule, message }) => `still ${rule}: ${message}`)
  // What is reported as beyond repair is no secret.
  if (after.findings.some(({ severity }) => severity === 'error')) return left
  return [...left, ...after.judged.faults.map((fault) => `judge: ${fault}`)]
}

/** A second fix changes nothing. */
export const idempotence: Law = ({ output, options }) => {
  const again = fix(output, options)
  if (Buffer.compare(again.output, output) === 0) return []
  return [`changes again: ${again.applied.map(({ rule }) => rule).join(', ')}`]
}

/** What was said stands on the path as often as before, but for what the report names and for copies. */
export const conservation: Law = ({ output, before, after, applied }) => {
  const breaches: string[] = []
  const removed = applied.flatMap((each) => each.removed)
  const digests = new Set(removed.map(({ sha256 }) => sha256))
  // What was changed before it was removed has another digest by then: it is told by its kind alone.
  let unnamed = removed.filter(({ excerpt }) => !MARK_IN.test(excerpt)).length
  for (const mark of before.judged.marks.keys()) {
    if (after.judged.marks.has(mark)) continue
    const holders = before.judged.parts.filter(({ text }) => text.includes(mark))
    const isTold =
      removed.some(({ excerpt }) => excerpt.includes(mark)) || holders.some((part) => isNamed(part, digests))
    if (isTold || isSuperseded(mark, output, applied) || unnamed-- > 0) continue
    breaches.push(`${mark} is lost: ${applied.map(({ rule }) => rule).join(', ')}`)
  }
  for (const [call, result] of before.judged.pairs) {
    const answer = after.judged.answers.get(call)
    if (answer?.startsWith('[convfix]')) breaches.push(`${result} answers ${call} and was replaced by an invented one`)
  }
  return breaches
}

const MARK_IN = new RegExp(MARK.source)

/** Repairs that make records readable which the client passed over. */
const REVEALING = new Set(['nul-bytes', 'glued-records', 'split-record', 'byte-order-mark'])

/**
 * Where a record can be read again, it is a compaction or a leaf again as well, and what it stands for or leaves aside is no longer
 * loaded: as before the damage. It stays in the file.
 */
function isSuperseded(mark: string, output: Uint8Array, applied: readonly AppliedFix[]): boolean {
  const text = Buffer.from(output)
    .toString('utf8')
    .split('\n')
    .map((line) => canonical(line) ?? '')
    .join('\n')
  if (!text.includes(mark) || !text.includes('parentUuid')) return false
  const isCompacted = text.includes('compact_boundary') || text.includes('chat_compression')
  const isMended = applied.some(({ family }) => family === 'file' || family === 'chain')
  return applied.some(({ rule }) => REVEALING.has(rule)) || (isMended && isCompacted)
}

/** Signed thinking is never written anew: what is left of it stands in the input to the byte, and no block goes that no report names. */
export const thinking: Law = ({ input, before, after, applied }) => {
  if (applied.some(({ family }) => family === 'file')) return []
  const old = Buffer.from(input).toString('utf8')
  const rawsOf = ({ parts }: Judgement): string[] =>
    parts.filter(({ kind }) => kind === 'thinking').map(({ raw }) => raw)
  const left = rawsOf(after.judged)
  const anew = left.filter((raw) => !old.includes(raw)).map((raw) => `thinking is written anew: ${raw.slice(0, 80)}`)
  const named = applied.flatMap(({ removed }) => removed).length
  const lost = rawsOf(before.judged).length - left.length
  return lost > named ? [...anew, `${lost} blocks of thinking are gone, ${named} removals are named`] : anew
}

/** The same input gives the same output and the same report. */
export const determinism: Law = ({ input, options, output, applied }) => {
  const again = fix(Uint8Array.from(input), options)
  if (Buffer.compare(again.output, output) !== 0) return ['another output']
  return JSON.stringify(again.applied) === JSON.stringify(applied) ? [] : ['another report']
}

/** A healthy file gives no error and no warning, and is recognised. */
export const silence: Law = ({ before }) => {
  const loud = before.findings.filter(({ severity }) => severity !== 'info')
  const breaches = loud.map(({ severity, rule, message }) => `${severity} ${rule}: ${message}`)
  return before.format === null ? ['not recognised', ...breaches] : breaches
}

/** The judge itself has to find nothing in a healthy file, or it proves nothing. */
export const fairness: Law = ({ before }) => before.judged.faults.map((fault) => `judge: ${fault}`)

export const LAWS: Readonly<Record<string, Law>> = {
  identity,
  soundness,
  idempotence,
  conservation,
  thinking,
  determinism,
}
