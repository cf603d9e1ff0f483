import { asBuffer } from './text-view.ts'

/** How much is decoded at a time: strings have a limit, files do not. */
const STEP = 1 << 20

/**
 * Well-formed UTF-8: each ill-formed sequence becomes U+FFFD, exactly as `TextDecoder` has it, and every other byte stays.
 */
export function replaceInvalid(bytes: Uint8Array): Uint8Array {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += STEP) {
    parts.push(Buffer.from(decoder.decode(bytes.subarray(at, at + STEP), { stream: true }), 'utf8'))
  }
  parts.push(Buffer.from(decoder.decode(), 'utf8'))
  return Buffer.concat(parts)
}

/**
 * JSON text in which each `\u` escape of half a surrogate pair is replaced by the escape of U+FFFD, in the case of its own
 * letters. Pairs and every other byte stay.
 */
export function replaceLoneSurrogates(bytes: Uint8Array): Uint8Array {
  const source = asBuffer(bytes)
  const out = Buffer.from(source)
  for (let at = source.indexOf(0x5c); at >= 0; ) {
    const unit = unitAt(source, at)
    let next = at + (unit < 0 ? 2 : 6)
    if (unit >= 0xd800 && unit <= 0xdfff) {
      const low = unit < 0xdc00 ? unitAt(source, next) : -1
      if (low >= 0xdc00 && low <= 0xdfff) next += 6
      else out.write(source[at + 2] === 0x44 ? 'FFFD' : 'fffd', at + 2, 'latin1')
    }
    // Escapes often stand close together: the native search pays only for what is further away.
    at = source[next] === 0x5c ? next : source.indexOf(0x5c, next)
  }
  return out
}

/** The code unit of a `\uXXXX` escape; -1 where there is none. */
function unitAt(bytes: Buffer, at: number): number {
  if (bytes[at] !== 0x5c || bytes[at + 1] !== 0x75) return -1
  const digits = bytes.toString('latin1', at + 2, at + 6)
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1
}
