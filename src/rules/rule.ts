import type { Block } from '../model/blocks.ts'
import type { Conversation, Document, Message } from '../model/document.ts'
import type { Facts } from '../model/facts.ts'
import type { Place, Repair, Severity } from '../model/finding.ts'
import type { Target } from '../targets/target.ts'

/** The order in which repairs are made; each phase leaves what the earlier ones did true. */
export const PHASES = [
  'bytes',
  'strings',
  'shape',
  'ids',
  'media',
  'reasoning',
  'move-results',
  'deduplicate',
  'remove-orphans',
  'answer',
  'emptiness',
  'roles',
  'layout',
  'budgets',
  'cache',
] as const
export type Phase = (typeof PHASES)[number]

export const FAMILIES = ['file', 'chain', 'pairing', 'roles', 'content', 'reasoning', 'media'] as const
export type Family = (typeof FAMILIES)[number]

export interface Options {
  /** What becomes of a result without a call: removed, or kept as quoted user text. */
  readonly orphanResults: 'remove' | 'text'
  /** Most images and documents in one request; undefined: what target and model allow. */
  readonly maxMedia: number | undefined
  /** Whether the file may be written by its agent at this moment. */
  readonly live: boolean
}

/** What a rule looks at. Rules of documents see no conversation; rules of conversations are asked for each of them. */
export interface Context {
  readonly document: Document
  readonly conversation: Conversation
  readonly target: Target
  readonly options: Options
}

/** Where and what: the part of a finding that only the rule knows. Words and repair are made from it by pure functions. */
export interface Match {
  readonly at: Block | Message | Place
  /** The message (as the API counts it) that the place belongs to; not needed where `at` is a message. */
  readonly message?: Message | undefined
  readonly related?: readonly { readonly at: Block | Message | Place; readonly message: string }[]
  readonly ids?: readonly string[]
  /** A kind of this fault on which providers may have a verdict of its own: `rule/aspect` in their tables. */
  readonly aspect?: string | undefined
  /** Overrules the target's verdict: for faults of the file, and where the verdict depends on the place. */
  readonly severity?: Severity
}

export interface Docs {
  /** What it finds. */
  readonly finds: string
  /** Why it matters: what the provider or the client does about it. */
  readonly why: string
  /** A shortest example, as JSON or JSONL. */
  readonly example: string
  readonly repair: string
  /** Which repairs are safe, which are not, and why. */
  readonly safety: string
  /** Documentation pages and issue numbers. */
  readonly sources: readonly string[]
}

interface Meta {
  /** Names the problem: kebab-case, stable for ever. */
  readonly name: string
  readonly family: Family
  readonly phase: Phase
  /** One line. */
  readonly summary: string
  /** Severity where no target's verdict decides. */
  readonly severity: Severity
  readonly docs: Docs
  /** The providers' error texts that this fault causes; the first one is shown for targets without one of their own. */
  readonly errors: readonly { readonly target?: string; readonly aspect?: string; readonly text: string }[]
  readonly since: string
}

/** A rule: what it is, and three pure functions. `detect` finds, `words` says it, `repair` mends it. */
export type Rule<M extends Match = Match> = Meta & {
  readonly words: (match: M, context: Context) => string
  readonly repair?: (match: M, context: Context) => Repair | undefined
} & (
    | {
        readonly scope: 'document'
        readonly detect: (document: Document, context: Omit<Context, 'conversation'>) => Iterable<M>
      }
    | {
        readonly scope: 'conversation'
        /** Whether there can be anything to detect; without it the rule looks at every conversation. */
        readonly needs?: (facts: Facts) => boolean
        readonly detect: (conversation: Conversation, context: Context) => Iterable<M>
      }
  )

/** Gives a rule its type while its matches keep theirs. */
export function rule<M extends Match>(definition: Rule<M>): Rule {
  return definition as unknown as Rule
}
