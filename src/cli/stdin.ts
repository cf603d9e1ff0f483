/** Standard input as bytes; a stream that was told to decode text gives them back as UTF-8. */
export async function* chunksOf(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const piece of input) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}
