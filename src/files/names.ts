/** The name of the n-th backup (from 1): `NAME.convfix.bak`, `NAME.convfix.2.bak`, … */
export function backupPath(path: string, number: number): string {
  return number === 1 ? `${path}.convfix.bak` : `${path}.convfix.${number}.bak`
}

/** Whether a file name is one of ours: a backup, the record beside it, or a temporary file. */
export function isOwnFile(name: string): boolean {
  return /\.convfix(\.\d+)?\.bak(\.sha256)?$/.test(name) || /^\..*\.convfix-\d+-\d+\.tmp$/.test(name)
}
