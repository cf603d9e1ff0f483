// What the ratio is taken against: a Node process that reads files and runs JSON.parse on each line.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

const [path, ...more] = process.argv.slice(2)
const paths = path.endsWith('.jsonl') ? [path, ...more] : readdirSync(path).map((name) => join(path, name))
const chunk = Buffer.allocUnsafe(1 << 20)
let records = 0
for (const each of paths) {
  const fd = openSync(each, 'r')
  let carry = Buffer.alloc(0)
  for (let got = readSync(fd, chunk); got > 0; got = readSync(fd, chunk)) {
    const bytes = carry.length > 0 ? Buffer.concat([carry, chunk.subarray(0, got)]) : chunk.subarray(0, got)
    let from = 0
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      JSON.parse(bytes.toString('utf8', from, at))
      records++
      from = at + 1
    }
    carry = Buffer.from(bytes.subarray(from))
  }
  closeSync(fd)
}
if (records === 0) process.exitCode = 2
