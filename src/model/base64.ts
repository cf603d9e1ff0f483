/** The same bytes in plain base64: no prefix (nor two of them), no white space, the usual alphabet, whole groups of four. */
export function cleaned(text: string): string {
  const plain = text
    .replace(/^(?:\s*data:[^,]*,)+/, '')
    .replace(/\s+/g, '')
    .replace(/=+$/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  return plain.length % 4 === 0 ? plain : plain.padEnd(plain.length + 4 - (plain.length % 4), '=')
}
