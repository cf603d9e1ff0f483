/** Texts that look like keys of well-known services, tokens of a login, or private keys. */
const KEYS =
  /\b(?:sk|pk|rk)-[\w-]{12,}|\bgh[opsur]_\w{12,}|\bgithub_pat_\w{12,}|\bglpat-[\w-]{12,}|\bAKIA[0-9A-Z]{8,}|\bAIza[\w-]{12,}|\bxox[abeprs]-[\w-]{8,}|\bhf_\w{12,}|\bnpm_\w{12,}|\beyJ[\w-]{8,}\.[\w.-]*|\bBearer\s+(?=[A-Za-z~+/=._-]*\d)[\w.~+/-]{12,}=*|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*/g

/** Characters of such a key that are shown: enough to know which one it is. */
const SHOWN = 6

/** What a value is the secret of: the part of a name that stands before its sign. */
const NAME = `passwd|password|passphrase|(?:client[_-]?)?secret(?:[_-]?key)?|token|api[_-]?key|access[_-]?key|private[_-]?key|(?<=[_-])pwd`

/** Values that say that there is none, or what kind there is; references to one that stands elsewhere. */
const NO_VALUE = String.raw`(?:true|false|null|nil|none|undefined|string|str|required|optional|redacted)\b|[$<{%*(\[]|[\w.\[\]]*(?:password|passwd|secret|token|key)\b|[\w.]+\(|(?:self|this|args|opts|options|config|settings|env|process|os)\.`

/**
 * What stands behind such a name: `=…` as shells, addresses and connection strings write it, for nobody writes prose so (at the end it
 * may be cut); quoted, with a colon or spaces around the sign (JSON, code), where a value of several words is prose; with a colon
 * and nothing around it (YAML, notes), where only what no word looks like counts.
 */
const VALUES = [
  String.raw`(?<shell>=["']?)(?!${NO_VALUE})(?:[^\s"'&;,]{4,}|[^\s"'&;,]+$)`,
  String.raw`(?<quoted>\\?["']?\s{0,4}(?:=>|[:=])\s{0,4}\\?["'])(?!${NO_VALUE})[^\s"'\\]{4,}(?=\\?["']|$)`,
  String.raw`(?<noted>\s?[:=]\s{1,4}|:)(?!${NO_VALUE})(?=[^\s"',;]{0,40}\d)(?=[^\s"',;]{0,40}[^\s"',;\d.])[^\s"',;]{7,}`,
]
const ASSIGNED = new RegExp(`(${NAME})(?=[\\\\"'\\s=:])(?:${VALUES.join('|')})`, 'gi')

/** What stands behind a scheme in the header of that name. */
const HEADER =
  /(authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:Bearer|Basic|Digest|Token|ApiKey)\s{1,4})(?![$<{])[^\s"']{4,}/gi

/** A password in an address. */
const ADDRESS = /(:\/\/[^\s/:@"'<>?#]{0,64}:)(?![$<{%*])[^\s/@"'<>?#]{1,256}(?=@)/g

/** The same text with what looks like a secret made unreadable: excerpts end up in logs and issues. */
export function masked(text: string): string {
  return text
    .replace(HEADER, '$1…')
    .replace(ADDRESS, '$1…')
    .replace(ASSIGNED, '$1$<shell>$<quoted>$<noted>…')
    .replace(KEYS, (secret) => `${secret.slice(0, SHOWN)}…`)
}
