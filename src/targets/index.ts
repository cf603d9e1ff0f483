import { portable } from './portable.ts'
import { PROVIDERS } from './providers.ts'
import type { Limit, Target } from './target.ts'

/** What a conversation can be judged by: the API of one provider, or all of them at once. */
export const TARGETS: readonly Target[] = [...PROVIDERS, portable]

export function targetNamed(name: string): Target | undefined {
  return TARGETS.find((target) => target.name === name)
}

/** The limit that a model has; for a model that is not known the last one counts, which fits all. Undefined where no limit is known. */
export function limitOf(
  limits: readonly (Limit & { readonly model: RegExp })[] | undefined,
  model: string | undefined,
): number | undefined {
  return limits?.find((entry) => entry.model.test(model ?? ''))?.limit
}
