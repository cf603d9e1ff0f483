// A program that holds a file open and appends a record every millisecond: `writer.mjs PATH`. Ended by a line on its standard
// input, it prints how many records it wrote.
import { closeSync, openSync, writeSync } from 'node:fs'

const fd = openSync(process.argv[2], 'a')
let written = 0
const timer = setInterval(() => {
  writeSync(fd, `{"role":"user","content":"by the writer ${written}"}\n`)
  written++
  if (written === 20) process.stdout.write('writing\n')
}, 1)
process.stdin.once('data', () => {
  clearInterval(timer)
  closeSync(fd)
  process.stdout.write(`${written}\n`)
  process.stdin.destroy()
})
