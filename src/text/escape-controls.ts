const QUOTE = 0x22
const BACKSLASH = 0x5c
const SHORT: Readonly<Record<number, string>> = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r' }

/** How each control character is written inside a string; NUL has no entry, since it is damage and never text. */
const WRITTEN = Array.from({ length: 0x20 }, (_, c) =>
  Buffer.from(SHORT[c] ?? `\\u${c.toString(16).padStart(4, '0')}`, 'latin1'),
)

/**
 * Escapes the raw control characters inside the strings of a JSON text (line breaks and tabs above all), as a writer should
 * have done. NUL bytes stay, and so does everything outside of strings. Without anything to escape the bytes themselves come back.
 */
export function escapeRawControls(bytes: Uint8Array): Uint8Array {
  let grown = 0
  eachRawControl(bytes, (at) => {
    grown += WRITTEN[bytes[at]!]!.length - 1
  })
  if (grown === 0) return bytes
  const out = Buffer.allocUnsafe(bytes.length + grown)
  let from = 0
  let to = 0
  eachRawControl(bytes, (at) => {
    out.set(bytes.subarray(from, at), to)
    to += at - from
    const written = WRITTEN[bytes[at]!]!
    out.set(written, to)
    to += written.length
    from = at + 1
  })
  out.set(bytes.subarray(from), to)
  return out
}

function eachRawControl(bytes: Uint8Array, found: (at: number) => void): void {
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const c = bytes[at]!
    if (c === QUOTE) inString = !inString
    else if (!inString) continue
    // What stands behind a backslash belongs to the escape, be it right or wrong.
    else if (c === BACKSLASH) at++
    else if (c < 0x20 && c !== 0) found(at)
  }
}
