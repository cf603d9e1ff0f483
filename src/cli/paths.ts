import { isAbsolute, relative, resolve, sep } from 'node:path'

/**
 * A path by which a file can be opened. It is the user's own where that means the same file, so that reports and errors speak
 * of the file as the user does.
 */
export function toOpen(path: string, absolute: string): string {
  return resolve(path) === absolute ? path : absolute
}

/** A path as it is shown beside `named`, which the user wrote: from the present folder too where it lies below. */
export function toShow(path: string, named: string, cwd: string): string {
  if (isAbsolute(named)) return path
  const short = relative(cwd, resolve(cwd, path))
  return short === '..' || short.startsWith(`..${sep}`) || isAbsolute(short) ? path : short
}
