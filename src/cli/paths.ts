import { resolve } from 'node:path'

/**
 * A path by which a file can be opened. It is the user's own where that means the same file, so that reports and errors speak
 * of the file as the user does.
 */
export function toOpen(path: string, absolute: string): string {
  return resolve(path) === absolute ? path : absolute
}
