import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { FileProblem } from '../../src/files/errors.ts'
import type { Produce } from '../../src/files/replace.ts'

const folders: string[] = []
const mounts: string[] = []

afterEach(() => {
  for (const mount of mounts.splice(0)) execFileSync('umount', ['-l', mount])
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** An empty folder for one test. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'convfix-test-'))
  folders.push(folder)
  return folder
}

/** A folder on a small file system of its own, or undefined where mounting is not permitted. */
export function mounted(options: string): string | undefined {
  const folder = join(scratch(), 'mount')
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  mounts.push(folder)
  return folder
}

export function remountReadOnly(folder: string): void {
  execFileSync('mount', ['-o', 'remount,ro', folder], { stdio: 'ignore' })
}

export function file(folder: string, name: string, content: string | Uint8Array = '{}\n'): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  return path
}

export const text = (path: string): string => readFileSync(path, 'utf8')

/** Every name in a folder, hidden ones too, sorted. */
export const names = (folder: string): string[] => readdirSync(folder).sort()

export const content =
  (...parts: string[]): Produce =>
  async (write) => {
    for (const part of parts) write(Buffer.from(part))
  }

export const untouched = { backup: true, unchanged: () => undefined }

/** The problem with which a promise fails. */
export async function problem(promise: Promise<unknown>): Promise<FileProblem> {
  try {
    await promise
  } catch (error) {
    return error as FileProblem
  }
  throw new Error('expected a failure')
}
