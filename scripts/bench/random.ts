import { crc32, deflateSync } from 'node:zlib'

/** A generator of numbers that gives the same ones for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export function uuid(next: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(next() * 16).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

const WORDS =
  'the parser reads each line and keeps where it stands so that a later pass can look again without a copy'.split(' ')

export function prose(next: () => number, characters: number): string {
  let text = ''
  while (text.length < characters) text += `${WORDS[Math.floor(next() * WORDS.length)]}${next() < 0.05 ? '\n' : ' '}`
  return text
}

/** A whole PNG of noise, which no compression makes smaller, in base64: 500 by 500 pixels are a megabyte. */
export function picture(next: () => number, side: number): string {
  const rows = Buffer.alloc(side * (1 + 3 * side))
  for (let at = 0; at < rows.length; at++) if (at % (1 + 3 * side) !== 0) rows[at] = Math.floor(next() * 256)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  // Eight bits a colour, three colours.
  head.set([8, 2], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts]).toString('base64')
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(data.length, 0)
  around.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)])
}
