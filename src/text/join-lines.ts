import { escapeRawControls } from './escape-controls.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LF = 0x0a
const CR = 0x0d

/** Writes one JSON text on one line: breaks inside of strings become escapes, those between the tokens go. */
export function joinLines(bytes: Uint8Array): Uint8Array {
  const escaped = escapeRawControls(bytes)
  const out = Buffer.allocUnsafe(escaped.length)
  let to = 0
  let inString = false
  for (let at = 0; at < escaped.length; at++) {
    const c = escaped[at]!
    if (c === QUOTE) inString = !inString
    else if (inString && c === BACKSLASH) out[to++] = escaped[at++]!
    else if (!inString && (c === LF || c === CR)) continue
    out[to++] = escaped[at]!
  }
  return out.subarray(0, to)
}
