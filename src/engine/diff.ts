import type { Source } from '../text/source.ts'
import type { TextRecords } from '../text/text-records.ts'

/** What writing the records would change, as a unified diff of the lines. */
export async function unifiedDiff(path: string, source: Source, records: TextRecords): Promise<string> {
  const { createTwoFilesPatch } = await import('diff')
  const before = Buffer.from(source.read(0, source.size)).toString('utf8')
  const after = Buffer.concat(Array.from(textOf(records, source))).toString('utf8')
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, { context: 1 })
}

/** The whole text of the records, in pieces. */
export function* textOf(records: TextRecords, source: Source, piece = 1 << 20): Generator<Uint8Array> {
  for (const each of records.pieces()) {
    if (each instanceof Uint8Array) yield each
    else for (let at = each.start; at < each.end; at += piece) yield source.read(at, Math.min(each.end, at + piece))
  }
}
