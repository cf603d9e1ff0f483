/**
 * Writes dist: a file for each part that is loaded by itself instead of one for each module, since three hundred small modules
 * cost a short run more than half of its time. Packages stay packages; names and lines stay readable.
 */
import { build } from 'rolldown'

await build({
  input: { index: './src/index.ts', 'cli/main': './src/cli/main.ts', 'cli/worker': './src/cli/worker.ts' },
  platform: 'node',
  external: /^[^./]/,
  output: { dir: 'dist', cleanDir: true, entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
})
