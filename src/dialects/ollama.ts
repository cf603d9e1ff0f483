import { Block, Flag, flagged, tailOf } from '../model/blocks.ts'
import { type Json, lookup, type Path } from '../text/view.ts'
import type { Content, Dialect } from './dialect.ts'
import { mediaBlock } from './media.ts'
import { openaiChat } from './openai-chat.ts'
import { storedId } from './unnamed.ts'

/**
 * Messages of Ollama's own chat API (`/api/chat`; npm @langchain/ollama, `utils.ts`): those of Chat Completions with the arguments of
 * a call as an object, contents that are always texts, images as base64 beside them, the reasoning in `thinking`, and results
 * that name the tool and need no id: they answer the calls of their turn in order.
 */
export const ollama: Dialect = {
  ...openaiChat,
  name: 'ollama',
  pairsByName: true,

  read(message, entry, ids) {
    openaiChat.read(message, entry, ids)
    const blocks = entry.blocks.map((block): Block => {
      const stored = lookup(message, block.tail)
      if (block.kind === 'tool-result') {
        const { tail, id, size, content, flags } = block
        const name = ids.of(message.get('tool_name') ?? message.get('name'))
        const unnamed = message.get('tool_call_id')?.length ? 0 : Flag.unnamed
        return new Block('tool-result', entry, tail, { id, name, size, content, flags: flags | unnamed })
      }
      if (block.kind !== 'tool-call') return block
      const isObject = stored && lookup(stored, ['function', 'arguments'])?.kind === 'object'
      const unnamed = stored?.get('id')?.length ? 0 : Flag.unnamed
      return flagged(block, unnamed | (isObject ? 0 : Flag.inputNotObject))
    })
    const thinking = message.get('thinking')
    if (thinking?.kind === 'string' && thinking.length > 0) {
      blocks.unshift(new Block('thinking', entry, THINKING, { size: thinking.length }))
    }
    // Base64 alone: the type shows in the bytes. The path of a file is what a library reads before it sends anything.
    const images = message.get('images')
    let index = 0
    for (const image of images?.kind === 'array' ? images.items() : []) {
      const isPlain = FILE.test(image.peek(-8) ?? '')
      blocks.push(mediaBlock(image, entry, tailOf('images', index++), ids, { ...IMAGE, isPlain }))
    }
    entry.blocks = blocks
  },

  namePath: (block) => (block.kind === 'tool-result' ? ['tool_name'] : openaiChat.namePath(block)),
  text: (text) => text,
  message: (role, blocks) => ({ role, content: blocks[0] ?? '' }),
  result: (call, text) => ({
    role: 'tool',
    content: text,
    tool_name: call.name,
    tool_call_id: storedId(call.id),
  }),

  carry: (role, [message]) => ({
    ...Object.fromEntries(Array.from(message?.members() ?? [], ([key, value]) => [key, value.verbatim()] as const)),
    role,
  }),

  load(message, block): Content {
    if (block.tail[0] === 'images') {
      const data = lookup(message, block.tail)?.string() ?? ''
      return { kind: 'media', document: false, mediaType: typeOfImage(data), data }
    }
    const content = openaiChat.load(message, block)
    const name = message.get('tool_name')?.string()
    const loaded = content.kind === 'tool-result' && name !== undefined ? { ...content, name } : content
    // In another shape a call needs an id of its own, and its result the same one.
    return 'id' in loaded && loaded.id === '' ? { ...loaded, id: `call_${block.id}` } : loaded
  },

  render(role, contents) {
    const messages: Json[] = contents.flatMap((content) =>
      content.kind === 'tool-result'
        ? [{ role: 'tool', content: textsOf(content.content), tool_name: content.name, tool_call_id: content.id }]
        : [],
    )
    const calls = contents.flatMap((content) =>
      content.kind === 'tool-call'
        ? [{ id: content.id, function: { name: content.name, arguments: content.input } }]
        : [],
    )
    const images = contents.flatMap((content) => (content.kind === 'media' && content.data ? [content.data] : []))
    const content = textsOf(contents)
    if (content === '' && calls.length === 0 && images.length === 0 && messages.length > 0) return messages
    messages.push({
      role: role === 'tool' || role === 'unknown' ? 'user' : role,
      content,
      images: images.length > 0 ? images : undefined,
      tool_calls: calls.length > 0 ? calls : undefined,
    })
    return messages
  },
}

const textsOf = (contents: readonly Content[]): string =>
  contents.flatMap((content) => (content.kind === 'text' && content.text !== '' ? [content.text] : [])).join('\n\n')

/** Neither data URLs nor links: "illegal base64 data at input byte 4" (ollama/ollama-js#68, BerriAI/litellm#30313). */
const IMAGE = { data: [], document: false, takesUrl: false, takesLinks: false } as const
const FILE = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic)$/i

const THINKING: Path = Object.freeze(['thinking'])

/** The type of an image by its first bytes, which Ollama does not name. */
function typeOfImage(base64: string): string {
  if (base64.startsWith('/9j/')) return 'image/jpeg'
  if (base64.startsWith('R0lG')) return 'image/gif'
  return base64.startsWith('UklG') ? 'image/webp' : 'image/png'
}
