import { createRequire } from 'node:module'
import { cleaned } from '../model/base64.ts'
import type { Medium } from '../model/media.ts'

// Loaded when the first image is met, and at once: what a block says is taken while its bytes are in memory.
const require = createRequire(import.meta.url)

/** Bytes in which a format writes how large its picture is; of a JPEG whose metadata are larger the size stays unknown. */
const HEAD = 1 << 18

/** The first bytes of what is found in the place of images and documents. */
const MAGIC: readonly (readonly [type: string, test: (head: string) => boolean])[] = [
  ['image/png', (head) => head.startsWith('\x89PNG')],
  ['image/jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['image/gif', (head) => head.startsWith('GIF8')],
  ['image/webp', (head) => head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP'],
  ['image/bmp', (head) => head.startsWith('BM')],
  ['image/tiff', (head) => head.startsWith('II*\0') || head.startsWith('MM\0*')],
  ['image/avif', (head) => head.slice(4, 12) === 'ftypavif'],
  ['image/heic', (head) => /^ftyp(?:hei[cx]|hevc|mif1)/.test(head.slice(4, 12))],
  ['image/svg+xml', (head) => /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/.test(head)],
  ['application/pdf', (head) => head.startsWith('%PDF')],
]

export type Sniffed = Pick<Medium, 'state' | 'format' | 'width' | 'height' | 'pages'>

const NOTHING = { format: '', width: 0, height: 0, pages: 0 }

/** What is not in the file. */
export const OUTSIDE: Sniffed = { state: 'outside', ...NOTHING }

/** Looks at base64: whether it decodes, and what it is by its bytes. */
export function sniff(base64: string): Sniffed {
  const sound = decode(base64)
  const bytes = sound ?? decode(cleaned(base64))
  if (!bytes) return { state: 'broken', ...NOTHING }
  const head = bytes.toString('latin1', 0, 256)
  const format = MAGIC.find(([, test]) => test(head))?.[0] ?? ''
  const size = format.startsWith('image/') ? sizeOf(bytes) : undefined
  return {
    state: sound ? 'sound' : 'unclean',
    format,
    width: size?.width ?? 0,
    height: size?.height ?? 0,
    pages: format === 'application/pdf' ? pagesOf(bytes) : 0,
  }
}

/** The bytes of base64 that is exactly as it should be; Node itself passes over whatever does not belong there. */
function decode(text: string): Buffer | undefined {
  if (text.length === 0 || text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : undefined
}

function sizeOf(bytes: Buffer): { readonly width: number; readonly height: number } | undefined {
  try {
    const { imageSize } = require('image-size') as typeof import('image-size')
    return imageSize(bytes.subarray(0, HEAD))
  } catch {
    // A picture that is cut, or one of a format whose head says nothing.
    return undefined
  }
}

/** What of a PDF tells its pages: where an object begins and ends, what it is, and how many pages a node of the tree counts. */
const PDF_MARKS =
  /(\d{1,10})\s{1,8}\d{1,5}\s{1,8}obj\b|\bendobj\b|\/Type\s{0,8}\/(Pages?)(?![a-zA-Z])|\/Count\s{1,8}(\d{1,7})/g

/**
 * How many pages a PDF says it has: the largest count of a node of its page tree, else its page objects. A file that was saved with
 * changes behind its old end has an object more than once: the last one counts. In a file with packed objects neither can be seen.
 */
function pagesOf(bytes: Buffer): number {
  const nodes = new Map<string, number>()
  const pages = new Set<string>()
  let [object, type, tally] = ['', '', 0]
  const close = (): void => {
    nodes.delete(object)
    pages.delete(object)
    if (type === 'Pages') nodes.set(object, tally)
    else if (type === 'Page') pages.add(object)
  }
  for (const [, number, kind, count] of bytes.toString('latin1').matchAll(PDF_MARKS)) {
    if (kind) type ||= kind
    else if (count) tally ||= Number(count)
    else {
      if (object) close()
      ;[object, type, tally] = [number ?? '', '', 0]
    }
  }
  if (object) close()
  let most = 0
  for (const count of nodes.values()) most = Math.max(most, count)
  return most || pages.size
}
