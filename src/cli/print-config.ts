import { resolve } from 'node:path'
import { selectRules } from '../engine/rules.ts'
import { type Configs, judgingOf } from './config.ts'
import type { Engine } from './engine.ts'
import { type Io, write } from './io.ts'
import { toShow } from './paths.ts'
import type { Settings } from './settings.ts'

/** `--print-config`: what a file is judged by, flags and configuration together, as JSON. */
export async function printConfig(
  io: Io,
  configs: Configs,
  engine: Engine,
  settings: Settings,
  file: string | undefined,
): Promise<number> {
  const { path, effective } = await configs.of(resolve(io.cwd(), file ?? 'transcript.jsonl'))
  const judging = judgingOf(settings.judging, effective)
  const { rules } = selectRules(judging)
  const applied = new Set(rules.map(({ name }) => name))
  const value = {
    file: file ?? null,
    config: path === undefined ? null : toShow(path, '', io.cwd()),
    preset: effective?.preset ?? 'recommended',
    format: judging.format ?? null,
    target: judging.target ?? null,
    model: judging.model ?? null,
    limits: { maxMedia: judging.maxMedia ?? null },
    ignored: effective?.ignored ?? false,
    // `default`: as the provider's rules say.
    rules: Object.fromEntries(
      engine.rules.map(({ name, family }) => [
        name,
        applied.has(name) ? (judging.severities?.[name] ?? judging.severities?.[family] ?? 'default') : 'off',
      ]),
    ),
  }
  await write(io.stdout, `${JSON.stringify(value, null, 2)}\n`)
  return 0
}
