import { writeSync } from 'node:fs'
import { replaceFile } from '../../src/files/replace.ts'

// Run as a process of its own: `replace PATH` once, or `loop PATH LINES` until it is killed.
const [action, path = '', lines = '0'] = process.argv.slice(2)

if (action === 'replace') {
  const outcome = await replaceFile(path, async (write) => write(Buffer.from('new\n')), {
    backup: true,
    unchanged: () => undefined,
  }).catch((error: { code: string; message: string }) => ({ code: error.code, message: error.message }))
  writeSync(1, JSON.stringify(outcome))
} else {
  writeSync(1, 'ready\n')
  for (let round = 1; ; round++) {
    const line = Buffer.from(`${round} ${'x'.repeat(200)}\n`)
    const produce = async (write: (bytes: Uint8Array) => void): Promise<void> => {
      for (let n = 0; n < Number(lines); n++) {
        write(line)
        if (n % 500 === 0) await new Promise(setImmediate)
      }
    }
    await replaceFile(path, produce, { backup: round % 3 === 0, unchanged: () => undefined })
  }
}
