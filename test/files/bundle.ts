import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { scratch } from './scratch.ts'

/** Builds `child.ts` into one plain file: it starts ten times as fast as from the sources, and every user may read it. */
export async function bundledChild(): Promise<string> {
  const folder = scratch()
  chmodSync(folder, 0o755)
  await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    build: { ssr: 'child.ts', outDir: folder, rollupOptions: { output: { entryFileNames: 'child.mjs' } } },
  })
  return join(folder, 'child.mjs')
}
