/** What an error text names of a conversation. */
export interface Mentions {
  /** Places as the API counts them: index of the message, and of the block in it where that is named. */
  readonly places: readonly { readonly text: string; readonly message: number; readonly block: number | undefined }[]
  /** Ids of calls, items and messages. */
  readonly ids: readonly string[]
}

/** `messages.3`, `messages[3]`, and OpenAI's `messages.[3]`. */
const PLACE = /\b(?:messages|message|input|contents)(?:\.(\d+)|\.?\[(\d+)\])((?:[.[]\w+\]?)*)/g
/** The first index behind the message is that of the block: `.content.1`, `.content[1]`, `.parts[0]`, `.tool_calls[0]`. */
const BLOCK = /(?:content|parts|tool_calls)(?:\.(\d+)|\[(\d+)\])/
const ID = /\b(?:toolu_|tooluse_|srvtoolu_|call_|fc_|rs_|msg_|ws_|chatcmpl-tool-|functions\.)[\w.:|-]*\w/g

/** The places and ids that an error text names, in its order, each once. */
export function mentions(text: string): Mentions {
  const places = new Map<string, Mentions['places'][number]>()
  for (const [whole, dotted, bracketed, rest = ''] of text.matchAll(PLACE)) {
    const inner = BLOCK.exec(rest)
    const block = inner ? Number(inner[1] ?? inner[2]) : undefined
    const place = { text: whole, message: Number(dotted ?? bracketed), block }
    const key = `${place.message} ${block}`
    if (!places.has(key)) places.set(key, place)
  }
  const ids = new Set(Array.from(text.matchAll(ID), ([id]) => id))
  return { places: [...places.values()], ids: [...ids] }
}

/** A text whose lines were broken at the edge of a terminal, joined again. */
export function unbroken(text: string): string {
  return text.replace(/[ \t]*\r?\n[ \t]*/g, '')
}
