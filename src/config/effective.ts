import type { Severity } from '../model/finding.ts'
import { compileGlobs } from './glob.ts'
import type { Config, Judgement, Preset } from './schema.ts'

/** What a configuration says of one file. */
export interface Effective {
  readonly preset: Preset
  readonly format: string | undefined
  readonly target: string | undefined
  readonly model: string | undefined
  readonly maxMedia: number | undefined
  /** Rules that do not apply, by their own names. */
  readonly off: readonly string[]
  /** By rule or family. */
  readonly severity: Readonly<Record<string, Severity>>
  /** Left out of folders and patterns. */
  readonly ignored: boolean
}

/** @param path relative to the folder of the configuration, with forward slashes */
export function effective(config: Config, path: string, ruleFamilies: ReadonlyMap<string, string>): Effective {
  const fitting = (config.overrides ?? []).filter(({ files }) => compileGlobs(files)(path))
  const layers: readonly Judgement[] = [config, ...fitting]
  const last = <T>(of: (layer: Judgement) => T | undefined): T | undefined =>
    layers.reduce<T | undefined>((found, layer) => of(layer) ?? found, undefined)
  const rules = settled(
    layers.map((layer) => layer.rules),
    ruleFamilies,
  )
  return {
    preset: config.preset ?? 'recommended',
    format: last((layer) => layer.format),
    target: last((layer) => layer.target),
    model: last((layer) => layer.model),
    maxMedia: last((layer) => layer.limits?.maxMedia),
    off: Object.keys(rules).filter((rule) => rules[rule] === 'off'),
    severity: settled(
      layers.map((layer) => layer.severity),
      ruleFamilies,
    ),
    ignored: config.ignores !== undefined && compileGlobs(config.ignores)(path),
  }
}

/** What is said of each rule: the last layer that says anything of it counts, and in a layer the rule before its family. */
function settled<T>(
  layers: readonly (Readonly<Record<string, T>> | undefined)[],
  ruleFamilies: ReadonlyMap<string, string>,
): Record<string, T> {
  const said: Record<string, T> = {}
  for (const layer of layers) {
    if (!layer) continue
    for (const [rule, family] of ruleFamilies) {
      const word = layer[rule] ?? layer[family]
      if (word !== undefined) said[rule] = word
    }
  }
  return said
}
