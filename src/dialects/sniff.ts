import { createRequire } from 'node:module'
import { cleaned } from '../model/base64.ts'
import type { Medium } from '../model/media.ts'
import type { JsonView } from '../text/view.ts'
import { pagesOf } from './pdf.ts'
import { flawOf, type Size } from './picture.ts'

// Loaded when the first image is met, and at once: what a block says is taken while its bytes are in memory.
const require = createRequire(import.meta.url)

/** Bytes in which most pictures say how large they are. */
const START = 3 << 10
/** Bytes in which nearly all do; of a JPEG whose metadata are larger the size stays unknown. */
const HEAD = 1 << 18

/** The first bytes of what is found in the place of images and documents. */
const MAGIC: readonly (readonly [type: string, test: (head: string) => boolean])[] = [
  ['image/png', (head) => head.startsWith('\x89PNG')],
  ['image/jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['image/gif', (head) => head.startsWith('GIF8')],
  ['image/webp', (head) => head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP'],
  ['audio/wav', (head) => head.startsWith('RIFF') && head.slice(8, 12) === 'WAVE'],
  ['audio/mp3', (head) => /^(?:ID3|\xff[\xf2\xf3\xfa\xfb])/.test(head)],
  ['audio/ogg', (head) => head.startsWith('OggS')],
  ['audio/flac', (head) => head.startsWith('fLaC')],
  ['audio/webm', (head) => head.startsWith('\x1a\x45\xdf\xa3')],
  ['image/bmp', (head) => head.startsWith('BM')],
  ['image/tiff', (head) => head.startsWith('II*\0') || head.startsWith('MM\0*')],
  ['image/avif', (head) => head.slice(4, 12) === 'ftypavif'],
  ['image/heic', (head) => /^ftyp(?:hei[cx]|hevc|mif1)/.test(head.slice(4, 12))],
  ['image/svg+xml', (head) => /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/.test(head)],
  // Readers look for it in the first kilobyte.
  ['application/pdf', (head) => head.includes('%PDF-')],
]

export type Sniffed = Pick<Medium, 'state' | 'flaw' | 'format' | 'width' | 'height' | 'pages'>

const NOTHING = { flaw: undefined, format: '', width: 0, height: 0, pages: 0 }

/** What is not in the file. */
export const OUTSIDE: Sniffed = { state: 'outside', ...NOTHING }

/** What is no text. */
export const NONE: Sniffed = { state: 'none', ...NOTHING }

/** Characters of base64 that are decoded at once: a multiple of four that stays in the caches. */
const PIECE = 1 << 16
const room = Buffer.allocUnsafe((PIECE / 4) * 3)

/**
 * Looks at base64 that begins at a character of a text: whether it decodes, and what it is by its bytes. It is walked through in pieces;
 * only what is not as it should be is held as a whole.
 */
export function sniff(data: JsonView, from: number): Sniffed {
  const text = data.part(0, 0) === undefined ? (data.string() ?? '') : undefined
  const length = (text ?? data).length
  const part = (start: number, end: number): string => text?.slice(start, end) ?? data.part(start, end) ?? ''
  if (isSound(part, from, length)) {
    const piecesOf = function* (bytes: number): Generator<Buffer> {
      const end = Math.min(length, from + Math.ceil(bytes / 3) * 4)
      for (let at = from; at < end; at += PIECE) yield Buffer.from(part(at, Math.min(at + PIECE, end)), 'base64')
    }
    return { state: 'sound', ...known(piecesOf) }
  }
  const plain = cleaned(part(from, length))
  if (plain === '') return { state: 'empty', ...NOTHING }
  const bytes = decode(plain)
  return bytes ? { state: 'unclean', ...known((count) => [bytes.subarray(0, count)]) } : { state: 'broken', ...NOTHING }
}

/** What the bytes are; asked for are the first so many, in pieces. */
function known(piecesOf: (bytes: number) => Iterable<Buffer>): Omit<Sniffed, 'state'> {
  const start = Buffer.concat([...piecesOf(START)])
  const head = start.toString('latin1', 0, 1024)
  const format = MAGIC.find(([, test]) => test(head))?.[0] ?? ''
  if (format === 'application/pdf')
    return { ...NOTHING, format, pages: pagesOf(texts(piecesOf(Number.MAX_SAFE_INTEGER))) }
  if (!format.startsWith('image/')) return { ...NOTHING, format }
  let seen = start
  let size = sizeOf(seen)
  if (!size && seen.length === START) size = sizeOf((seen = Buffer.concat([...piecesOf(HEAD)])))
  const { width, height } = size ?? NOTHING
  return { ...NOTHING, format, width, height, flaw: flawOf(format, seen, size, seen.length < HEAD) }
}

function* texts(pieces: Iterable<Buffer>): Generator<string> {
  for (const piece of pieces) yield piece.toString('latin1')
}

/** Whether base64 is exactly as it should be; Node itself passes over whatever does not belong there. */
function isSound(part: (from: number, to: number) => string, from: number, to: number): boolean {
  if (to === from || (to - from) % 4 !== 0) return false
  for (let at = from; at < to; at += PIECE) {
    const piece = part(at, Math.min(at + PIECE, to))
    const padding = at + PIECE < to ? 0 : paddingOf(piece)
    if (isUrlSafe(piece) || room.write(piece, 'base64') !== (piece.length / 4) * 3 - padding) return false
  }
  return true
}

/** The bytes of sound base64. */
function decode(text: string): Buffer | undefined {
  if (!isSound((from, to) => text.slice(from, to), 0, text.length)) return undefined
  return Buffer.from(text, 'base64')
}

const isUrlSafe = (text: string): boolean => text.includes('-') || text.includes('_')

const paddingOf = (text: string): number => (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)

function sizeOf(bytes: Buffer): Size | undefined {
  try {
    const { imageSize } = require('image-size') as typeof import('image-size')
    // It reads what lies behind the bytes, too, where they are a part of a larger buffer.
    return imageSize(Uint8Array.from(bytes))
  } catch {
    // A picture that is cut, or one of a format whose head says nothing.
    return undefined
  }
}
