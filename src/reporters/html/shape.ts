/** What the page is given, as JSON. Short where it comes a hundred thousand times, plain everywhere else. */
export interface PageData {
  readonly version: string
  readonly mode: 'check' | 'fix' | 'dry-run'
  readonly command: string
  readonly seconds: string
  readonly files: readonly PageFile[]
  /** Of the whole run, those included that the page does not carry. */
  readonly totals: { readonly findings: number; readonly fixed: number; readonly fixable: number }
  /** Paths of the files in which nothing was found. */
  readonly healthy: readonly string[]
  /** What rules say of themselves, by their place in this list. */
  readonly rules: readonly PageRule[]
  /** What was left out of the page, in whole sentences. */
  readonly notes: readonly string[]
  readonly excerpts: boolean
}

/** What is the same for many findings. */
export interface PageRule {
  readonly rule: string
  readonly family: string
  readonly providerError: string | null
  readonly heals: string | null
  readonly help: string
}

export interface PageFile {
  readonly path: string
  /** Format, records, target, model: short facts in the order in which they are shown. */
  readonly facts: readonly string[]
  /** Sentences about the file as a whole: unreadable, in use, where the backup is. */
  readonly remarks: readonly { readonly kind: 'bad' | 'note' | 'good'; readonly text: string }[]
  readonly resume: string | null
  readonly findings: readonly PageFinding[]
  readonly removed: readonly string[]
  readonly conversations: readonly PageConversation[]
}

export interface PageFinding {
  /** Index into {@link PageData.rules}. */
  readonly rule: number
  readonly severity: 'error' | 'warning' | 'info'
  /** `open`: nothing repairs it; `fixable`: --fix would; `unsafe`: --unsafe-fixes would; `asked`: --fix would if its rule were
   * selected by name; `fixed`: it is gone; `known`: in the baseline. */
  readonly state: 'open' | 'fixable' | 'unsafe' | 'asked' | 'fixed' | 'known'
  readonly message: string
  readonly line: number
  readonly column: number
  readonly pointer: string
  readonly api: string
  readonly ids: readonly string[]
  readonly fix: string
  /** Conversation, turn and block (-1: the turn as a whole); absent for a fault of the file. */
  readonly at?: readonly [conversation: number, turn: number, block: number]
  readonly related: readonly { readonly line: number; readonly message: string; readonly turn: number }[]
}

export interface PageConversation {
  readonly label: string
  readonly role: 'main' | 'subagent' | 'row'
  /** How many turns there are; more than in {@link turns} where some were left out. */
  readonly count: number
  /** The turns before the repair; a number stands for that many that were left out. */
  readonly turns: readonly (PageTurn | number)[]
  /** What the repair changes, in the order of the turns; empty where it changes nothing. */
  readonly changes: readonly PageChange[]
}

export type PageTurn = readonly [line: number, role: number, blocks: readonly PageBlock[]]

/** Kind, name, id, size, bits of {@link BLOCK_BITS}, excerpt, blocks inside; what is missing at the end is empty. */
export type PageBlock = readonly [
  kind: number,
  name?: string,
  id?: string,
  size?: number,
  bits?: number,
  excerpt?: string,
  inside?: readonly PageBlock[],
]

/** A turn that is no longer what it was: `before` -1 for one that was added, `after` null for one that is gone. */
export interface PageChange {
  readonly kind: 'changed' | 'added' | 'removed' | 'moved'
  readonly before: number
  /** Index of the turn that it stands behind, or replaces; -1: before the first. */
  readonly behind: number
  readonly after: PageTurn | null
}

export const ROLES = ['system', 'user', 'assistant', 'tool', 'unknown'] as const

export const KINDS = [
  'text',
  'tool-call',
  'tool-result',
  'media',
  'thinking',
  'server-call',
  'server-result',
  'opaque',
] as const

export const BLOCK_BITS = { error: 1, synthetic: 2, document: 4 } as const
