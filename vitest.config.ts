import { defineConfig } from 'vitest/config'

// Long enough for a machine that is busy with other work: it ends what hangs, and measures nothing.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 120_000 } })
