import { describe, expect, it } from 'vitest'
import { type Sniffed, sniff as sniffView } from '../../src/dialects/sniff.ts'
import { parseView } from '../../src/text/text-view.ts'
import { ValueView } from '../../src/text/value-view.ts'
import type { JsonView } from '../../src/text/view.ts'

const stored = (text: string): JsonView => parseView(Buffer.from(JSON.stringify(text)))!
/** With the slashes escaped, as some writers do: the text has to be decoded first. */
const escaped = (text: string): JsonView => parseView(Buffer.from(JSON.stringify(text).replaceAll('/', '\\/')))!
const sniff = (base64: string): Sniffed => sniffView(stored(base64), 0)

const pdf = (...objects: string[]): string => Buffer.from(`%PDF-1.4\n${objects.join('\n')}`).toString('base64')
const object = (number: number, dictionary: string): string => `${number} 0 obj\n<< ${dictionary} >>\nendobj`
const tree = (number: number, count: number): string => object(number, `/Type /Pages /Count ${count}`)

it.each<[string, string[], number]>([
  ['the count of the tree', [tree(2, 12)], 12],
  ['the root of the tree, not its branches', [tree(3, 5), tree(2, 12), tree(4, 7)], 12],
  ['the count before the type', [object(2, '/Count 12 /Type/Pages')], 12],
  ['a dictionary inside the node', [object(2, '/Type /Pages /Resources << /Font << >> >> /Count 12')], 12],
  ['what was saved last', [tree(2, 120), 'startxref 9 %%EOF', tree(2, 80)], 80],
  ['page objects without a tree', [object(3, '/Type /Page /Parent 2 0 R'), object(4, '/Type/Page')], 2],
  ['a page saved twice', [object(3, '/Type /Page'), object(3, '/Type /Page')], 1],
  ['not the outline', [tree(2, 3), object(9, '/Type /Outlines /Count 900')], 3],
  ['not a name that only begins so', [object(3, '/Type /PageLabel')], 0],
  ['objects one by one, where nobody can believe the count', [tree(2, 1e11), object(3, '/Type /Page')], 1],
  ['what it says, where there is nothing else', [tree(2, 100_001)], 100_001],
  ['nothing of packed objects', [object(3, '/Type /ObjStm /N 40')], 0],
])('pages: %s', (_, objects, pages) => {
  expect(sniff(pdf(...objects))).toMatchObject({ format: 'application/pdf', pages })
})

it('counts the pages of what only looks like a tree in linear time', () => {
  const started = process.cpuUsage().user
  expect(sniff(pdf(`<<${'/Type/Pages '.repeat(340)}`.repeat(1000))).pages).toBe(0)
  // 4 MB; what looked back from each mark took 3 s.
  expect(process.cpuUsage().user - started).toBeLessThan(1_500_000)
})

/** What is decoded at once has 65,536 characters, so the long ones lie about that. */
const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, i) => (i * 89) & 0xff))
const long = bytes(49_152 * 2 + 500).toString('base64')

describe.each<[string, (text: string) => JsonView]>([
  ['in a file', stored],
  ['in a file, with escapes', escaped],
  ['in memory', (text) => new ValueView(text)],
])('base64 %s', (_, view) => {
  it.each<[string, string, Sniffed['state']]>([
    ['nothing', '', 'empty'],
    ['a prefix and nothing', 'data:image/png;base64,', 'empty'],
    ['white space', ' \n', 'empty'],
    ['behind two prefixes', `data:image/png;base64,data:image/png;base64,${long}`, 'unclean'],
    ['one byte', bytes(1).toString('base64'), 'sound'],
    ['two bytes', bytes(2).toString('base64'), 'sound'],
    ['just one piece', bytes(49_152).toString('base64'), 'sound'],
    ['a byte more than a piece', bytes(49_153).toString('base64'), 'sound'],
    ['several pieces', long, 'sound'],
    ['without padding', bytes(49_153).toString('base64').replaceAll('=', ''), 'unclean'],
    ['of the other alphabet', long.replaceAll('+', '-').replaceAll('/', '_'), 'unclean'],
    ['with a line break behind a piece', `${long.slice(0, 65_536)}\n${long.slice(65_536)}`, 'unclean'],
    ['with four spaces', `${long.slice(0, 100)}    ${long.slice(100)}`, 'unclean'],
    ['behind a prefix', `data:image/png;base64,${long}`, 'unclean'],
    ['with padding in the middle', `${long.slice(0, 65_534)}==${long.slice(65_536)}`, 'broken'],
    ['with other text in it', `${long.slice(0, 70_000)}<<!>${long.slice(70_000)}`, 'broken'],
    ['a letter too many', `${long.slice(0, 65_536)}A`, 'broken'],
    ['letters beyond ASCII', `${long.slice(0, 65_532)}éÀÈù`, 'broken'],
  ])('%s', (_name, text, state) => {
    expect(sniffView(view(text), 0).state).toBe(state)
  })

  it('behind the prefix of a data URL', () => {
    const prefix = 'data:image/gif;base64,'
    const gif = Buffer.from('GIF89a\x05\0\x03\0', 'latin1').toString('base64')
    expect(sniffView(view(prefix + gif), prefix.length)).toMatchObject({
      state: 'sound',
      format: 'image/gif',
      width: 5,
    })
  })
})

it.each([100, 20_000, 65_000])('measures a JPEG behind %i bytes of metadata', (length) => {
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe2, (length + 2) >> 8, (length + 2) & 0xff])
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0x01, 0x00, 0x02, 0x00, 1, 1, 0x11, 0, 0xff, 0xd9])
  const jpeg = Buffer.concat([head, Buffer.alloc(length, 1), frame, Buffer.alloc(20)])
  expect(sniff(jpeg.toString('base64'))).toMatchObject({ format: 'image/jpeg', width: 512, height: 256 })
})

it('sees the pages wherever in a piece they are told of', () => {
  const told = `\n${tree(2, 123)}\n`
  for (let from = 49_152 - told.length - 70; from < 49_160; from++) {
    const packed = Buffer.alloc(from, 0x80)
    packed.write('%PDF-1.4\n', 'latin1')
    const file = Buffer.concat([packed, Buffer.from(told), Buffer.alloc(200, 0x80)])
    expect(sniff(file.toString('base64')).pages).toBe(123)
  }
})

describe('a picture that is none', () => {
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
  const ihdr = (width: number, height: number): Buffer => {
    const head = latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR........\x08\0\0\0\0crc!')
    head.writeUInt32BE(width, 16)
    head.writeUInt32BE(height, 20)
    return head
  }
  const app = '\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x60\0\x60\0\0'
  const frame = (width: number): string => `\xff\xc0\0\x0b\x08\0\x10\0${String.fromCharCode(width)}\x01\x01\x11\0`
  const metadata = `\xff\xe2\xff\xff${'.'.repeat(65_533)}`.repeat(5)

  it.each<[string, Buffer, Sniffed['flaw']]>([
    ['a PNG up to its data', ihdr(8, 8), undefined],
    ['a byte less', ihdr(8, 8).subarray(0, 32), 'cut'],
    ['its mark alone', ihdr(8, 8).subarray(0, 8), 'cut'],
    ['without pixels', ihdr(0, 0), 'no-pixels'],
    ['without height', ihdr(8, 0), 'no-pixels'],
    ['of one pixel', ihdr(1, 1), undefined],
    ['a GIF without a screen, whose frames may have pixels', latin1('GIF89a\0\0\0\0\0\0\0'), undefined],
    ['a GIF that is cut', latin1('GIF89a\x08\0'), 'cut'],
    ['a JPEG with a frame', latin1(`\xff\xd8${app}${frame(8)}`), undefined],
    ['a JPEG that is cut before it', latin1(`\xff\xd8${app}`), 'cut'],
    ['a JPEG that is cut in its metadata', latin1(`\xff\xd8${metadata.slice(0, 5000)}`), 'cut'],
    ['a JPEG whose frame lies further on than anybody looks', latin1(`\xff\xd8${metadata}${frame(8)}`), undefined],
    ['a JPEG that ends without one', latin1(`\xff\xd8${app}\xff\xd9`), 'cut'],
    ['a JPEG without width', latin1(`\xff\xd8${app}${frame(0)}`), 'no-pixels'],
    ['a JPEG in which something else stands', latin1(`\xff\xd8${app}....`), undefined],
    ['a WebP that is cut', latin1('RIFF\x20\0\0\0WEBPVP8L\x14'), 'cut'],
    ['no picture at all', latin1('<html>'), undefined],
  ])('%s', (_, picture, flaw) => {
    expect(sniff(picture.toString('base64')).flaw).toBe(flaw)
  })

  it('tells nothing of what lies behind it in memory', () => {
    expect(sniff(latin1('GIF89a\x08\0').toString('base64'))).toMatchObject({ width: 0, height: 0 })
  })
})
