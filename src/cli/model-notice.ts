import { plain } from '../reporters/plain.ts'
import { knownModel } from '../targets/models.ts'
import type { Target } from '../targets/target.ts'
import { didYouMean } from './suggest.ts'

/** What is to be said of a model that somebody named and that a target does not know: it is no error, since models come and go. */
export function modelNotice(target: Target, model: string): string | undefined {
  const known = knownModel(target, model)
  if (known.is !== 'unknown') return undefined
  const meant = didYouMean(model, known.names)
  return plain(`convfix: ${target.name} does not know the model "${model}"${meant}: its limits for other models count`)
}
