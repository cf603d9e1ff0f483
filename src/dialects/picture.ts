import type { Medium } from '../model/media.ts'

/** In pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Bytes of the shortest head of a picture, up to where its data begin. */
const HEADS: Readonly<Record<string, number>> = {
  // Its mark and the chunk IHDR.
  'image/png': 33,
  'image/gif': 13,
  // Its mark, and the head of a lossless frame.
  'image/webp': 25,
  'image/bmp': 26,
  'image/tiff': 8,
}

/**
 * What makes a picture none, by its first bytes (`isAll`: there are no more of them); undefined also where they do not say. Formats in
 * which nothing is to be seen are left in peace: the frames of a GIF may be larger than its screen, a JPEG may tell its height at its end.
 */
export function flawOf(format: string, bytes: Uint8Array, size: Size | undefined, isAll: boolean): Medium['flaw'] {
  if (bytes.length < (HEADS[format] ?? 0)) return 'cut'
  if (!size) return isAll && format === 'image/jpeg' && endsBeforeFrame(bytes) ? 'cut' : undefined
  const { width, height } = size
  if (format === 'image/jpeg') return width === 0 ? 'no-pixels' : undefined
  const isCounted = format === 'image/png' || format === 'image/webp' || format === 'image/bmp'
  return isCounted && (width === 0 || height === 0) ? 'no-pixels' : undefined
}

/** Whether a JPEG is over before it tells of a frame. Each segment says how long it is; what is no segment is not understood. */
function endsBeforeFrame(bytes: Uint8Array): boolean {
  for (let at = 2; at < bytes.length; ) {
    if (bytes[at] !== 0xff) return false
    while (bytes[at] === 0xff) at++
    const marker = bytes[at]
    if (marker === undefined || marker === END || marker === SCAN) return true
    if (isFrame(marker)) return at + 8 > bytes.length
    const length = ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    if (at + 2 >= bytes.length) return true
    if (isBare(marker) || length < 2) return false
    at += 1 + length
  }
  return true
}

const END = 0xd9
const SCAN = 0xda

/** Marks that have no length and no business before the frame. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** Frames are told of from C0 to CF, among them three marks of other things. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
