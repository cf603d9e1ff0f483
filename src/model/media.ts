import type { Id } from '../text/ids.ts'
import type { Path } from '../text/view.ts'
import { Block } from './blocks.ts'
import type { Entry } from './document.ts'

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
   * white space, a data URL's prefix, the URL-safe alphabet or the padding are set right; `broken`: anything else.
   */
  readonly state: 'outside' | 'sound' | 'unclean' | 'broken'
  /** Media type by the first bytes; empty where they are those of nothing known. */
  readonly format: string
  /** Pixels; 0 where the head does not say. */
  readonly width: number
  readonly height: number
  /** Pages of a PDF; 0 where they cannot be counted without unpacking it. */
  readonly pages: number
}

/** An image or a document. */
export class MediaBlock extends Block {
  readonly medium: Medium

  constructor(entry: Entry, tail: Path, facts: { name: Id; size: number; flags: number }, medium: Medium) {
    super('media', entry, tail, facts)
    this.medium = medium
  }
}
