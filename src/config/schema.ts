import type { Severity } from '../model/finding.ts'

/** The names that a configuration may use; given, since this layer knows no rules. */
export interface Vocabulary {
  readonly rules: readonly string[]
  readonly families: readonly string[]
  readonly targets: readonly string[]
  readonly formats: readonly string[]
}

export const PRESETS = ['recommended', 'strict', 'resume'] as const
export type Preset = (typeof PRESETS)[number]

/** What can be said for all files and, in an override, for some. */
export interface Judgement {
  readonly format?: string
  readonly target?: string
  readonly model?: string
  /** By rule or family; a rule's own word outdoes its family's. */
  readonly rules?: Readonly<Record<string, 'on' | 'off'>>
  readonly severity?: Readonly<Record<string, Severity>>
  readonly limits?: { readonly maxMedia?: number }
}

export interface Override extends Judgement {
  /** Patterns, relative to the folder of the configuration. */
  readonly files: readonly string[]
}

/** A configuration as it is written. */
export interface Config extends Judgement {
  readonly $schema?: string
  readonly preset?: Preset
  /** Files that are left out where folders are walked or patterns are expanded. */
  readonly ignores?: readonly string[]
  readonly overrides?: readonly Override[]
}

/** What a value of a configuration may be; the validator and the published JSON Schema are both made from it. */
export type Shape =
  | { readonly kind: 'text' }
  | { readonly kind: 'glob' }
  | { readonly kind: 'count' }
  | { readonly kind: 'choice'; readonly what: string; readonly of: readonly string[] }
  | { readonly kind: 'list'; readonly of: Shape; readonly least?: number }
  | { readonly kind: 'map'; readonly what: string; readonly keys: readonly string[]; readonly of: Shape }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Field>>; readonly required?: readonly string[] }

export interface Field {
  readonly shape: Shape
  readonly says: string
}

export const SEVERITIES = ['error', 'warning', 'info'] as const satisfies readonly Severity[]

export function shapeOf(words: Vocabulary): Shape & { readonly kind: 'object' } {
  const keys = [...words.families, ...words.rules]
  const globs: Shape = { kind: 'list', of: { kind: 'glob' } }
  const judgement: Readonly<Record<string, Field>> = {
    format: { shape: choice('transcript format', words.formats), says: 'Transcript format; detected when not given.' },
    target: {
      shape: choice('target', words.targets),
      says: "Provider whose rules apply; the format's own when not given.",
    },
    model: { shape: { kind: 'text' }, says: 'Model that limits depend on; the newest recorded when not given.' },
    rules: {
      shape: { kind: 'map', what: 'rule or family', keys, of: choice('setting', ['on', 'off']) },
      says: "Rules and families that apply or do not; a rule's own setting outdoes its family's.",
    },
    severity: {
      shape: { kind: 'map', what: 'rule or family', keys, of: choice('severity', SEVERITIES) },
      says: "How much a rule's findings matter, instead of what the provider's rules say.",
    },
    limits: {
      shape: {
        kind: 'object',
        fields: { maxMedia: { shape: { kind: 'count' }, says: 'Most images and documents in one request.' } },
      },
      says: 'Limits instead of those of target and model.',
    },
  }
  const override: Shape = {
    kind: 'object',
    required: ['files'],
    fields: {
      files: {
        shape: { ...globs, least: 1 },
        says: 'Patterns of the files, relative to this file; one that begins with ! takes files out again.',
      },
      ...judgement,
    },
  }
  return {
    kind: 'object',
    fields: {
      $schema: { shape: { kind: 'text' }, says: 'Where this schema is, for editors.' },
      preset: {
        shape: choice('preset', PRESETS),
        says: 'recommended: all rules as the provider judges. strict: warnings are errors. resume: only what blocks a resume.',
      },
      ignores: {
        shape: globs,
        says: 'Files that are left out of folders and patterns; a file that is named is always checked.',
      },
      ...judgement,
      overrides: {
        shape: { kind: 'list', of: override },
        says: 'What is different for some files; the last one that fits wins.',
      },
    },
  }
}

const choice = (what: string, of: readonly string[]): Shape => ({ kind: 'choice', what, of })

/** The JSON Schema (draft 7, which editors know best) of a configuration. */
export function jsonSchema(words: Vocabulary): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'convfix configuration',
    ...schemaOf(shapeOf(words)),
  }
}

function schemaOf(shape: Shape): object {
  switch (shape.kind) {
    case 'text':
      return { type: 'string' }
    case 'glob':
      return { type: 'string', minLength: 1, maxLength: 1024 }
    case 'count':
      return { type: 'integer', minimum: 0, maximum: 999_999_999 }
    case 'choice':
      return { enum: shape.of }
    case 'list':
      return { type: 'array', items: schemaOf(shape.of), ...(shape.least ? { minItems: shape.least } : {}) }
    case 'map':
      return { type: 'object', propertyNames: { enum: shape.keys }, additionalProperties: schemaOf(shape.of) }
    case 'object': {
      const properties = Object.entries(shape.fields).map(([name, field]) => [
        name,
        { description: field.says, ...schemaOf(field.shape) },
      ])
      return {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(shape.required ? { required: shape.required } : {}),
        additionalProperties: false,
      }
    }
  }
}
