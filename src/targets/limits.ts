import type { Limit, Target } from './target.ts'

/** A limit of a provider as people are told of it. */
export interface Told {
  readonly what: string
  readonly limit: string
  readonly source: string
}

const LAYOUTS: Readonly<Record<Target['results']['layout'], string>> = {
  'leading-run': 'the first blocks of the user messages behind the turn',
  'next-messages': 'the messages directly behind the turn',
  'equal-count': 'all in the very next message, as many as there are calls',
  anywhere: 'anywhere behind their call',
}

/** All that a target limits, each with its unit; with a model only what counts for that model. */
export function limitsOf(target: Target, model?: string): Told[] {
  const told: Told[] = []
  const say = (what: string, limit: string | undefined, source: string | undefined): void => {
    if (limit !== undefined) told.push({ what, limit, source: source ?? '' })
  }
  const byModel = (what: string, unit: string, limits: readonly (Limit & { readonly model: RegExp })[] = []): void => {
    const counting = model === undefined ? limits : limits.filter((each) => each.model.test(model)).slice(0, 1)
    for (const { model: pattern, limit, source } of counting) {
      const which = limits.length > 1 && model === undefined ? ` (${namesOf(pattern)})` : ''
      say(what, `${group(limit)} ${unit}${which}`, source)
    }
  }
  say('results stand', LAYOUTS[target.results.layout], '')
  say('ids of calls', target.ids && `${idsOf(target.ids)}`, target.ids?.source)
  byModel(
    target.countsPages ? 'images, and pages of documents, in one request' : 'images and documents in one request',
    'at most',
    target.media,
  )
  const { images, documents, documentSize } = target
  say('images in one request', images && `at most ${group(images.limit)}`, images?.source)
  say('documents in one request', documents && `at most ${group(documents.limit)}`, documents?.source)
  say(
    'an image',
    target.imageSize && `at most ${group(target.imageSize.limit)} characters of base64`,
    target.imageSize?.source,
  )
  say('a document', documentSize && `at most ${group(documentSize.limit)} characters of base64`, documentSize?.source)
  say('types of images', target.imageTypes?.types.join(', '), target.imageTypes?.source)
  say(
    'side of an image',
    target.imageSide && `at most ${group(target.imageSide.limit)} pixels`,
    target.imageSide?.source,
  )
  const many = target.manyImages
  say(
    'side of an image among many',
    many &&
      `at most ${group(many.limit)} pixels with more than ${many.above} images${many.countsDocuments ? ' and documents' : ''}`,
    many?.source,
  )
  byModel('pages of PDF in one request', 'at most', target.pdfPages)
  say('a request', target.requestSize && `at most ${group(target.requestSize.limit)} bytes`, target.requestSize?.source)
  say('models that see no images', target.textOnly && `${target.textOnly.model.source}`, target.textOnly?.source)
  return told.map((each) => ({ ...each, limit: each.limit.replace(/^([\d,]+) at most/, 'at most $1') }))
}

function idsOf({ pattern, maxLength }: NonNullable<Target['ids']>): string {
  return `${pattern.source}, at most ${maxLength} characters`
}

/** What a pattern of models means, as far as it can be said in a word. */
function namesOf(pattern: RegExp): string {
  return pattern.source === '(?:)' ? 'other models' : `models like ${pattern.source}`
}

/** Digits in groups of three, the same in every language. */
function group(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
