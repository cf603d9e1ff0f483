/** What a provider does about a fault: refuses it, takes it to the user's harm, takes it, or nobody knows. */
export interface Verdict {
  readonly verdict: 'error' | 'warning' | 'ok' | 'unknown'
  /** A documentation page or issue, and the date it was read. */
  readonly source: string
}

/** Where a system message stands in the list: as the first, behind another one of them, behind one of the user, or between that and the answer. */
export type SystemPlace = 'first' | 'behind-system' | 'behind-user' | 'before-answer'

/** The most of something; its unit stands where it is used. */
export interface Limit {
  readonly limit: number
  readonly source: string
}

/** What an id or a name must look like; the length in characters. */
export interface NameRule {
  readonly pattern: RegExp
  readonly maxLength: number
  readonly source: string
}

/** Media types; `isVerbatim`: they have to be written just so, although case does not matter in a media type (RFC 9110). */
export interface Types {
  readonly types: readonly string[]
  readonly isVerbatim?: boolean
  readonly source: string
}

/** Models of which something is true. */
export interface Models {
  readonly model: RegExp
  readonly source: string
}

/** The rules of one provider API: data only. */
export interface Target {
  readonly name: string
  readonly title: string
  /** The wire shape of its messages, by dialect name. */
  readonly dialect: 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini' | 'bedrock-converse' | 'ollama'
  /** How the results of a turn must lie. */
  readonly results: {
    /**
     * `leading-run`: the first blocks of the user messages behind the turn; `next-messages`: the messages directly behind it;
     * `equal-count`: all in the very next message; `anywhere`: anywhere behind their call.
     */
    readonly layout: 'leading-run' | 'next-messages' | 'equal-count' | 'anywhere'
    /** Whether consecutive assistant messages count as one turn. */
    readonly joinsTurns: boolean
    /** Whether a call id may come back in a later turn of the same request. */
    readonly idsUniqueInRequest: boolean
  }
  /**
   * Verdict for each rule that depends on the provider; a rule that is not named keeps its own severity. `rule/aspect` is for one kind of
   * its faults only.
   */
  readonly verdicts: Readonly<Record<string, Verdict>>
  /** Names of tools in a history, which may be longer than those of declared tools. */
  readonly toolNames?: NameRule
  /** Most messages in one request. */
  readonly messages?: Limit
  readonly ids?: { readonly pattern: RegExp; readonly maxLength: number; readonly source: string }
  /** Most images and documents in one request, both together, by model; none where they are only counted apart. */
  readonly media: readonly (Limit & { readonly model: RegExp })[]
  /** Most images in one request, documents not counted. */
  readonly images?: Limit
  /** Most documents in one request, images not counted. */
  readonly documents?: Limit
  /** The pages of a PDF count as images do against {@link media}. */
  readonly countsPages?: boolean
  /** Longest image in one request, in characters of base64. */
  readonly imageSize?: Limit
  /** Longest document in one request, in characters of base64. */
  readonly documentSize?: Limit
  /** Types of images that it takes. */
  readonly imageTypes?: Types
  /** Types of documents that it takes as base64. */
  readonly documentTypes?: Types
  /** Formats of sounds that it takes, as media types: `audio/wav`. */
  readonly soundTypes?: Types
  /** Each side of an image has to be longer than this, in pixels. */
  readonly imageSideAbove?: Limit
  /** How many times as long as its shorter side the longer side of an image may be. */
  readonly imageRatio?: Limit
  /** Longest side of an image, in pixels. */
  readonly imageSide?: Limit
  /** Longest side of an image, in pixels, in a request with more images (`countsDocuments`: and documents) than `above`. */
  readonly manyImages?: Limit & { readonly above: number; readonly countsDocuments?: boolean }
  /** Most pages of PDF in one request, by model. */
  readonly pdfPages?: readonly (Limit & { readonly model: RegExp })[]
  /** Longest request, in bytes. */
  readonly requestSize?: Limit
  /** Models that see no images. */
  readonly textOnly?: Models
  /** Where system messages may stand, by model; anywhere where nothing is given. */
  readonly systemPlaces?: readonly (Models & { readonly places: readonly SystemPlace[] })[]
  /** Models that do not go on from a message of the assistant at the end of a request; undefined: all do. */
  readonly refusesPrefill?: Models
  /** Models that demand a thought signature at the first call of each step. */
  readonly thoughtSignatures?: Models
  /** Whether the conversation has to begin with a user message. */
  readonly startsWithUser: boolean
}
