import { modelsLike } from './models.ts'
import type { Limit, Models, NameRule, SystemPlace, Target } from './target.ts'

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

const PLACES: Readonly<Record<SystemPlace, string>> = {
  first: 'as the first message',
  'behind-system': 'behind another one',
  'behind-user': 'behind one of the user',
  'before-answer': 'between a prompt and its answer',
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
  const models = (what: string, which: Models | undefined): void => {
    if (!which) return
    const pattern = which.model.source
    const of =
      model === undefined ? (pattern === '(?:)' ? 'all models' : modelsLike(which.model)) : yesOrNo(which, model)
    say(what, of, which.source)
  }
  say('results stand', LAYOUTS[target.results.layout], '')
  say('ids of calls', target.ids && namesAre(target.ids), target.ids?.source)
  say('names of tools', target.toolNames && namesAre(target.toolNames), target.toolNames?.source)
  byModel('messages in one request', 'at most', target.messages ? [{ model: /(?:)/, ...target.messages }] : [])
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
  say('types of documents in base64', target.documentTypes?.types.join(', '), target.documentTypes?.source)
  say(
    'side of an image',
    target.imageSide && `at most ${group(target.imageSide.limit)} pixels`,
    target.imageSide?.source,
  )
  say('formats of recordings', target.soundTypes?.types.join(', '), target.soundTypes?.source)
  const { imageSideAbove: above, imageRatio: ratio } = target
  say('each side of an image', above && `more than ${group(above.limit)} pixels`, above?.source)
  say('the longer side of an image', ratio && `at most ${group(ratio.limit)} times the shorter one`, ratio?.source)
  const many = target.manyImages
  say(
    'side of an image among many',
    many &&
      `at most ${group(many.limit)} pixels with more than ${many.above} images${many.countsDocuments ? ' and documents' : ''}`,
    many?.source,
  )
  byModel('pages of PDF in one request', 'at most', target.pdfPages)
  say('a request', target.requestSize && `at most ${group(target.requestSize.limit)} bytes`, target.requestSize?.source)
  const places = target.systemPlaces ?? []
  for (const each of model === undefined ? places : places.filter((place) => place.model.test(model)).slice(0, 1)) {
    const which = places.length > 1 && model === undefined ? ` (${namesOf(each.model)})` : ''
    const where = each.places.map((place) => PLACES[place]).join(', ') || 'nowhere'
    say('system messages in the list', `${where}${which}`, each.source)
  }
  // Of some it is only guessed.
  if (target.verdicts['trailing-assistant']?.verdict === 'error')
    models('a message of the assistant at the end is refused', target.refusesPrefill)
  models('thought signatures are demanded', target.thoughtSignatures)
  models('sees no images', target.textOnly)
  return told.map((each) => ({ ...each, limit: each.limit.replace(/^([\d,]+) at most/, 'at most $1') }))
}

const yesOrNo = ({ model: pattern }: Models, model: string): string => (pattern.test(model) ? 'yes' : 'no')

function namesAre({ pattern, maxLength }: NameRule): string {
  return `${pattern.source}, at most ${maxLength} characters`
}

/** What a pattern of models means, as far as it can be said in a word. */
function namesOf(pattern: RegExp): string {
  return pattern.source === '(?:)' ? 'other models' : modelsLike(pattern)
}

/** Digits in groups of three, the same in every language. */
function group(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
