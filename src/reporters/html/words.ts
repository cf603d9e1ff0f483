import { plain } from '../plain.ts'

/** Runs without a space from this length on are data (base64, hashes, tokens of a session), nothing that anybody reads. */
const RUN = /[A-Za-z0-9+/_=-]{48,}/g

/** Words that begin as the keys of well-known services do, bearer tokens, and what stands behind a name such as `password`. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(sk-|pk-|rk_|sk_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|ya29\.|hf_|npm_|eyJ)[A-Za-z0-9_./+=-]{8,}/g,
    '$1•••',
  ],
  [/\b(bearer|basic)(\s+)[A-Za-z0-9_./+=-]{8,}/gi, '$1$2•••'],
  [
    /((?:api[_-]?key|access[_-]?token|auth[_-]?token|secret|password|passwd)["']?\s*[:=]\s*["']?)[^\s"',;&]{4,}/gi,
    '$1•••',
  ],
]

/**
 * Text of a transcript as the page shows it: on one line, nothing in it that turns the writing around, secrets and data hidden, cut
 * to a length. Everything of a transcript that stands on the page comes through here; masked first, so that no cut hides a key's
 * beginning.
 */
export function words(text: string, length: number): string {
  let shown = plain(text)
  for (const [secret, instead] of SECRETS) shown = shown.replace(secret, instead)
  shown = shown.replace(RUN, (run) => `[${run.length} characters]`)
  return shown.length > length ? `${cut(shown, length)}…` : shown
}

/** The beginning of a text, never half a character. */
function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length).trimEnd()
}
