/**
 * Runs one repair function in a process of its own and prints what it did, as JSON: `run.ts NAME FOLDER count` or `run.ts NAME FOLDER time MESSAGES`.
 */
import { median } from '../measure.ts'
import { damagedConversations, longConversation } from './conversation.ts'
import { REPAIRERS, type Ready } from './functions.ts'
import { lost, type Provider, refused } from './judge.ts'

export interface Counted {
  readonly conversations: number
  /** How many the provider takes, before the repair and after it. */
  readonly before: number
  readonly valid: number
  readonly lost: number
  /** Of how many conversations the messages that were given in are others afterwards. */
  readonly changed: number
  /** Kinds of what is refused of the rest, for the curious. */
  readonly faults: Readonly<Record<string, number>>
}

export interface Timed {
  /** Seconds of processor time. */
  readonly cpu: number
}

const SEED = 1

async function count({ shape, repair }: Ready, provider: Provider): Promise<Counted> {
  const conversations = damagedConversations(300, SEED)
  const faults: Record<string, number> = {}
  let before = 0
  let valid = 0
  let gone = 0
  let changed = 0
  for (const conversation of conversations) {
    const messages = shape.write(conversation)
    const given = JSON.stringify(messages)
    if (refused(shape.read(messages), provider).length === 0) before++
    const after = shape.read(await repair(messages))
    if (JSON.stringify(messages) !== given) changed++
    const refusals = refused(after, provider)
    if (refusals.length === 0) valid++
    const kinds = refusals.map((fault) => fault.replace(/^[^:]*: /, '').replace(/\S*\d\S*/g, '…'))
    for (const kind of new Set(kinds)) faults[kind] = (faults[kind] ?? 0) + 1
    gone += lost(conversation, after)
  }
  return { conversations: conversations.length, before, valid, lost: gone, changed, faults }
}

async function time({ shape, repair }: Ready, messages: number): Promise<Timed> {
  const conversation = longConversation(messages)
  const spent: number[] = []
  for (let i = 0; i < 5; i++) {
    // Anew each time: some of the functions work in place.
    const list = shape.write(conversation)
    const before = process.cpuUsage()
    await repair(list)
    const { user, system } = process.cpuUsage(before)
    spent.push((user + system) / 1e6)
    // One run of a slow one says enough.
    if (spent[0]! > 5) break
  }
  return { cpu: median(spent) }
}

const [name, folder, what, messages] = process.argv.slice(2)
const repairer = REPAIRERS.find((each) => each.name === name)
if (!repairer || !folder) throw new Error(`no function is called ${name}`)
const ready = await repairer.load(folder)
// A function may print what it does.
const told = what === 'count' ? await count(ready, repairer.provider) : await time(ready, Number(messages))
process.stdout.write(`\nresult ${JSON.stringify(told)}\n`)
// Some of the packages leave something running.
process.exit()
