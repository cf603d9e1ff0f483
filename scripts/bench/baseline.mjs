// What the ratio is taken against: a Node process that reads the file and runs JSON.parse on each line.
import { closeSync, openSync, readSync } from 'node:fs'

const fd = openSync(process.argv[2], 'r')
const chunk = Buffer.allocUnsafe(1 << 20)
let carry = Buffer.alloc(0)
let records = 0
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
if (records === 0) process.exitCode = 2
