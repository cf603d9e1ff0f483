import { masked } from '../../model/secrets.ts'
import { plain } from '../plain.ts'

/** Long runs without a space are data (base64, hashes, tokens), nothing that anybody reads; with slashes in them they may be paths. */
const RUN = /[A-Za-z0-9+/_=-]{100,}|(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+_=-]{48,}/g

/**
 * Words of a transcript as the page quotes them: on one line, nothing in them that turns the writing around, secrets and data
 * hidden, cut to a length. Masked before they are cut, so that no cut hides the beginning of a key.
 */
export function quoted(text: string, length: number): string {
  return cut(
    masked(plain(text)).replace(RUN, (run) => `[${run.length} characters]`),
    length,
  )
}

/** What is said about a transcript: as {@link quoted}, but long ids in it are kept. */
export function told(text: string, length: number): string {
  return cut(masked(plain(text)), length)
}

/** An id or a name: nothing is hidden, so that different ones stay different; of a very long one both ends are kept. */
export function named(text: string, length: number): string {
  const name = plain(text)
  if (name.length <= length) return name
  const half = length >> 1
  return `${cut(name, half)}${name.slice(-half)}`
}

/** The beginning of a text, never half a character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length).trimEnd()}…`
}
