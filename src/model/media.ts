import type { JsonChange } from '../text/edit.ts'
import type { Id } from '../text/ids.ts'
import type { Path } from '../text/view.ts'
import { Block } from './blocks.ts'
import type { Entry } from './document.ts'

/** A PDF that says it has more pages than these is not believed. */
export const MOST_PAGES = 100_000

/** What was seen of a medium while its bytes were in memory. */
export interface Medium {
  /** Where its declared type stands, from the stored message on; undefined where the shape has none, or a data URL holds it. */
  readonly type: Path | undefined
  /** Where its base64 or its URL stands, from the stored message on. */
  readonly data: Path
  /** Whether `data` is a data URL, which names the type as well. */
  readonly isUrl: boolean
  /**
   * `outside`: it is not in the file (a URL, the id of an upload); `sound`: base64 as it should be; `unclean`: base64 that decodes once
   * white space, a data URL's prefix, the URL-safe alphabet or the padding are set right; `empty`: a text without base64; `none`: no
   * text at all, but null, a number or a list; `broken`: anything else.
   */
  readonly state: 'outside' | 'sound' | 'unclean' | 'empty' | 'none' | 'broken'
  /** What makes a picture of a known format none: its bytes end within its head, or it says that it has no pixels. */
  readonly flaw: 'cut' | 'no-pixels' | undefined
  /** The changes that write it where its base64 belongs; only where it stands in another place. Paths start at the stored message. */
  readonly anew?: ((type: string, base64: string) => readonly JsonChange[]) | undefined
  /** Media type by the first bytes; empty where they are those of nothing known. */
  readonly format: string
  /** Pixels; 0 where the head does not say. */
  readonly width: number
  readonly height: number
  /** Pages of a PDF, or what it says of them (see {@link MOST_PAGES}); 0 where they cannot be counted without unpacking it. */
  readonly pages: number
}

/** An image, a document or a recording. */
export class MediaBlock extends Block {
  readonly medium: Medium

  constructor(entry: Entry, tail: Path, facts: { name: Id; size: number; flags: number }, medium: Medium) {
    super('media', entry, tail, facts)
    this.medium = medium
  }
}
