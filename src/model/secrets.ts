/** Texts that look like keys of well-known services, tokens of a login, or private keys. */
const SECRETS =
  /\b(?:sk|pk|rk)-[\w-]{12,}|\bgh[opsur]_\w{12,}|\bgithub_pat_\w{12,}|\bglpat-[\w-]{12,}|\bAKIA[0-9A-Z]{8,}|\bAIza[\w-]{12,}|\bxox[abeprs]-[\w-]{8,}|\bhf_\w{12,}|\bnpm_\w{12,}|\beyJ[\w-]{8,}\.[\w.-]*|\bBearer\s+[\w.~+/-]{12,}=*|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*/g

/** Characters of a secret that are shown: enough to know which one it is. */
const SHOWN = 6

/** The same text with what looks like a secret made unreadable: excerpts end up in logs and issues. */
export function masked(text: string): string {
  return text.replace(SECRETS, (secret) => `${secret.slice(0, SHOWN)}…`)
}
