import { Block, deep } from '../model/blocks.ts'
import type { Conversation, Message } from '../model/document.ts'
import type { Finding } from '../model/finding.ts'
import type { ReportedFinding } from '../model/report.ts'
import type { Source } from '../text/source.ts'
import { findings, placeOf } from './check.ts'
import { Locator } from './locate.ts'
import { mentions, unbroken } from './mentions.ts'
import type { RunOptions } from './run.ts'
import type { Transcript } from './transcript.ts'

/** A place that an error text names, found in a file. */
export interface Consulted {
  /** As the error names it. */
  readonly text: string
  /** Where it stands, with the turns around it; undefined where the file holds no such place. */
  readonly place: ReportedFinding | undefined
  /** What is found at that message. */
  readonly findings: readonly ReportedFinding[]
}

/**
 * Looks up in a transcript what an error text names: the message at an index, the call or item with an id. `found` is what the rules
 * that the text is about find anywhere else.
 */
export function consult(
  text: string,
  rules: readonly string[],
  transcript: Transcript,
  source: Source | undefined,
  options: RunOptions,
): { readonly places: Consulted[]; readonly found: ReportedFinding[] } {
  const conversation = transcript.conversations.find(({ role }) => role === 'main') ?? transcript.conversations[0]
  const locator = new Locator(transcript, source)
  const all = findings(transcript, options)
  const told = new Set<Finding>()
  const places = !conversation
    ? []
    : named(text, conversation, transcript).flatMap(({ text, message, block }): Consulted[] => {
        if (!message) return [{ text, place: undefined, findings: [] }]
        const at = all.filter((finding) => finding.where?.message === message || finding.ids.includes(text))
        const first = at.filter((finding) => !told.has(finding))
        // What is wrong there was told of another name of the same place.
        if (at.length > 0 && first.length === 0) return []
        for (const finding of first) told.add(finding)
        const place = locator.report(pointer(conversation, message, block))
        return [{ text, place, findings: first.map((finding) => locator.report(finding)) }]
      })
  const others = all.filter((finding) => rules.includes(finding.rule) && !told.has(finding))
  return { places, found: others.map((finding) => locator.report(finding)) }
}

interface Named {
  readonly text: string
  readonly message?: Message | undefined
  readonly block?: Block | undefined
}

function named(text: string, { messages }: Conversation, { ids }: Transcript): Named[] {
  const asked = mentions(text)
  const whole = mentions(unbroken(text)).ids
  const holding = (id: string): Named | undefined => {
    const known = ids.add(id)
    for (const message of messages) {
      for (const block of deep(message.blocks))
        if (block.id === known || block.aliases.includes(known)) return { text: id, message, block }
      if (message.entries.some(({ id, group }) => id === known || group === known)) return { text: id, message }
    }
    return undefined
  }
  return [
    ...asked.places.map(({ text, message: index, block }): Named => {
      const message = messages[index]
      return { text, message, block: block === undefined ? undefined : message?.blocks[block] }
    }),
    ...asked.ids.map((id): Named => {
      const found = holding(id)
      if (found) return found
      // The edge of a terminal may have cut it.
      const longer = whole.find((each) => each.startsWith(id) && holding(each))
      return (longer === undefined ? undefined : holding(longer)) ?? { text: id }
    }),
  ]
}

/** A finding that accuses nobody: it only points. */
function pointer(conversation: Conversation, message: Message, block: Block | undefined): Finding {
  return {
    rule: '',
    family: '',
    severity: 'info',
    message: '',
    at: placeOf(block instanceof Block ? block : message),
    related: [],
    ids: [],
    conversation,
    where: { message, block },
    providerError: undefined,
    repair: undefined,
  }
}
