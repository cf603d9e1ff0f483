import { nameUnnamed } from '../../dialects/unnamed.ts'
import type { Assembly, CompactionFault, Entry, Message } from '../../model/document.ts'
import { type Id, NO_ID } from '../../text/ids.ts'
import type { Skeleton } from '../format.ts'
import { type Walk, walk } from './chain.ts'
import { type Facts, factsOf } from './records.ts'

/** What Qwen Code 0.24.4 makes of the records on the path (`SessionApiHistoryAccumulator`), before it repairs anything. */
export function assemble(document: Skeleton): Assembly {
  const { fragmentsOf, ...chain } = walk(document)
  const contents = history(document, chain.path, fragmentsOf)
  nameUnnamed(contents.flat(), document.ids)
  const model = newestModel(chain.path)
  return {
    conversations: [
      {
        label: 'session',
        role: 'main',
        root: 'messages',
        messages: fold(contents),
        model: model === NO_ID ? undefined : document.ids.text(model),
      },
    ],
    chain: { ...chain, compactions: compactionFaults(chain.path), foreign: foreignRecords(document) },
  }
}

/** The stored messages of each content that the client puts together, oldest first. */
function history(document: Skeleton, path: readonly Entry[], fragmentsOf: Walk['fragmentsOf']): (readonly Entry[])[] {
  let contents: (readonly Entry[])[] = []
  let previous: Facts | undefined
  for (const entry of path) {
    const facts = factsOf(entry)
    if (entry.kind === 'message') {
      contents.push(fragmentsOf(entry))
      previous = facts
    } else if (entry.kind === 'checkpoint') {
      if (!facts?.isList) continue
      // The compressed history takes the place of all that stood before; the last one counts.
      for (const [content] of contents) if (content && content.path.length > 1) content.onPath = false
      contents = document
        .entriesOf(entry.record)
        .slice(1)
        .map((content) => [content])
      for (const [content] of contents) content!.onPath = true
      previous = undefined
    } else if (facts?.subtype === 'slash_command' && previous?.type === 'user') {
      // A command that was answered without the model: its echo as a prompt is taken back.
      if (facts.command && facts.command === previous.command) contents.pop()
      previous = undefined
    }
  }
  return contents
}

/**
 * Joins neighbouring user contents, as the client does before it sends them (`extractCuratedHistory`). Model contents stay apart:
 * Qwen Code looks for the results of each behind that very content (`repairOrphanedToolUseTurns`) and joins them only afterwards.
 */
function fold(contents: readonly (readonly Entry[])[]): Message[] {
  const messages: Message[] = []
  let entries: Entry[] = []
  const close = (): void => {
    const [first] = entries
    if (first) messages.push({ role: first.role, blocks: entries.flatMap((entry) => entry.blocks), entries })
  }
  for (const content of contents) {
    if (content[0]!.role === 'user' && entries[0]?.role === 'user') entries.push(...content)
    else {
      close()
      entries = [...content]
    }
  }
  close()
  return messages
}

function newestModel(path: readonly Entry[]): Id {
  for (let i = path.length - 1; i >= 0; i--) {
    const model = factsOf(path[i]!)?.model ?? NO_ID
    if (model !== NO_ID) return model
  }
  return NO_ID
}

function compactionFaults(path: readonly Entry[]): CompactionFault[] {
  return path
    .filter((entry) => entry.kind === 'checkpoint' && !factsOf(entry)?.isList)
    .map((entry) => ({
      kind: 'broken-compaction',
      entry,
      message: 'the compressed history is no list of messages: Qwen Code cannot load the session',
      drop: true,
    }))
}

/** A file whose records name several sessions is refused as a whole (`mixed_session_ids`); the file's own is that of the most. */
function foreignRecords(document: Skeleton): Entry[] {
  const counts = new Map<Id, number>()
  for (const entry of document.entries()) {
    const session = factsOf(entry)?.session ?? NO_ID
    if (session !== NO_ID) counts.set(session, (counts.get(session) ?? 0) + 1)
  }
  if (counts.size < 2) return []
  const own = ownSession(counts)
  const foreign: Entry[] = []
  for (const entry of document.entries()) {
    const session = factsOf(entry)?.session ?? NO_ID
    if (session !== NO_ID && session !== own) foreign.push(entry)
  }
  return foreign
}

function ownSession(counts: ReadonlyMap<Id, number>): Id {
  let own: Id = NO_ID
  for (const [session, count] of counts) if (count > (counts.get(own) ?? 0)) own = session
  return own
}

/** The session that most records name. */
export function sessionOf(document: Pick<Skeleton, 'entries' | 'ids'>): string | undefined {
  const counts = new Map<Id, number>()
  for (const entry of document.entries()) {
    const session = factsOf(entry)?.session ?? NO_ID
    if (session !== NO_ID) counts.set(session, (counts.get(session) ?? 0) + 1)
  }
  const own = ownSession(counts)
  return own === NO_ID ? undefined : document.ids.text(own)
}
