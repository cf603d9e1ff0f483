import { Flag } from '../model/blocks.ts'
import type { Entry } from '../model/document.ts'
import { MediaBlock, type Medium } from '../model/media.ts'
import type { Ids } from '../text/ids.ts'
import { type JsonView, lookup, type Path } from '../text/view.ts'
import { NONE, OUTSIDE, type Sniffed, sniff } from './sniff.ts'

/** Where an image or a document stands in a message, each path from the block on. */
interface Stored {
  /** Its declared type. */
  readonly type?: Path
  /** Its base64, or a URL. */
  readonly data: Path
  /** The declared type, where it is not the text at `type`. */
  readonly named?: string
  readonly document?: boolean
  /** Whether `data` may be a data URL; undefined: where no type stands beside it. */
  readonly takesUrl?: boolean
  /** Whether `data` may be a link to the web (the default). */
  readonly takesLinks?: boolean
  /** `data` is the document's own text, not base64. */
  readonly isPlain?: boolean
  /** What `data` may be beside a text: null where the id of an upload stands beside it, the bytes as a list of numbers. */
  readonly orElse?: 'null' | 'array'
  readonly anew?: Medium['anew']
  readonly flags?: number
}

const DATA_URL = /^data:([^;,]*)[^,]*;base64,/
/** Characters in which a data URL says what it is. */
const HEAD = 128

/** The block of an image or a document, with what its bytes say of it. */
export function mediaBlock(view: JsonView, entry: Entry, tail: Path, ids: Ids, stored: Stored): MediaBlock {
  const data = lookup(view, stored.data)
  const declared = stored.type && lookup(view, stored.type)
  const head = data?.peek(HEAD) ?? ''
  const url = DATA_URL.exec(head)
  const name = declared?.string() ?? stored.named ?? url?.[1] ?? ''
  const isUrl = url !== null && (stored.takesUrl ?? stored.type === undefined)
  const flags = (stored.flags ?? 0) | natureOf(name, stored.document)
  const facts = { name: ids.add(name), size: data?.length ?? 0, flags }
  return new MediaBlock(entry, tail, facts, {
    type: stored.type && [...tail, ...stored.type],
    data: [...tail, ...stored.data],
    isUrl,
    ...(stored.anew ? { anew: stored.anew } : {}),
    ...sniffed(data, stored, url, isUrl),
  })
}

function sniffed(data: JsonView | undefined, stored: Stored, url: RegExpExecArray | null, isUrl: boolean): Sniffed {
  if (data === undefined || stored.isPlain) return OUTSIDE
  if (data.kind !== 'string') return data.kind === 'object' || data.kind === stored.orElse ? OUTSIDE : NONE
  if (!url && stored.takesLinks !== false && /^[a-z][a-z\d+.-]*:/i.test(data.peek(HEAD) ?? '')) return OUTSIDE
  return sniff(data, isUrl ? url![0].length : 0)
}

/** A recording, a document, or neither: an image. */
function natureOf(name: string, isDocument = !(name === '' || /^image\//i.test(name))): number {
  if (/^(?:audio|video)\//i.test(name)) return Flag.recording
  return isDocument ? Flag.document : 0
}

/** A sound as OpenAI has it: `{input_audio: {data, format}}`, its format a word (`wav`). */
export function soundBlock(view: JsonView, entry: Entry, tail: Path, ids: Ids): MediaBlock {
  const named = `audio/${lookup(view, FORMAT)?.string() ?? ''}`
  return mediaBlock(view, entry, tail, ids, { data: SOUND, named, takesUrl: false })
}

const FORMAT: Path = Object.freeze(['input_audio', 'format'])
const SOUND: Path = Object.freeze(['input_audio', 'data'])
