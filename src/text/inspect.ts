import { isUtf8 } from 'node:buffer'
import { RowFlag, RowKind } from './reader.ts'
import { scanDocument } from './scan.ts'
import { Fact, Tape } from './tape.ts'

/** What is to be said about the bytes of one record by themselves: its kind and its {@link RowFlag}s. */
export function inspect(bytes: Uint8Array): { readonly kind: RowKind; readonly flags: number } {
  const tape = new Tape()
  const isRecord = scanDocument(bytes, 0, bytes.length, tape) >= 0
  const surrogate = isRecord && tape.facts & Fact.loneSurrogate ? RowFlag.loneSurrogate : 0
  return {
    kind: isRecord ? RowKind.record : RowKind.torn,
    flags: surrogate | (isUtf8(bytes) ? 0 : RowFlag.invalidUtf8),
  }
}
