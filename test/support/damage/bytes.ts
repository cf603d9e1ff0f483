import type { Dice } from '../dice.ts'

/** Damage to the lines of a file before they are joined. */
export const lineDamage: Readonly<Record<string, (lines: string[], dice: Dice) => void>> = {
  tear(lines, dice) {
    const at = dice.roll(lines.length)
    lines[at] = lines[at]!.slice(0, dice.roll(lines[at]!.length))
  },

  tearHead(lines, dice) {
    const at = dice.roll(lines.length)
    lines[at] = lines[at]!.slice(1 + dice.roll(lines[at]!.length))
  },

  glue(lines, dice) {
    if (lines.length < 2) return
    const at = dice.roll(lines.length - 1)
    const stub = dice.once(2) ? lines[at]!.slice(0, dice.roll(lines[at]!.length)) : lines[at]!
    lines.splice(at, 2, stub + lines[at + 1]!)
  },

  nulLine(lines, dice) {
    lines.splice(dice.roll(lines.length + 1), 0, '\0'.repeat(1 + dice.roll(64)))
  },

  nulBefore(lines, dice) {
    const at = dice.roll(lines.length)
    lines[at] = '\0'.repeat(1 + dice.roll(16)) + lines[at]!
  },

  nulBehind(lines, dice) {
    const at = dice.roll(lines.length)
    lines[at] = lines[at]! + '\0'.repeat(1 + dice.roll(16))
  },

  nulOver(lines, dice) {
    const at = dice.roll(lines.length)
    const line = lines[at]!
    const from = dice.roll(line.length)
    const to = from + dice.roll(line.length - from)
    lines[at] = line.slice(0, from) + '\0'.repeat(to - from) + line.slice(to)
  },

  pretty(lines, dice) {
    const at = dice.roll(lines.length)
    lines[at] = lines[at]!.replaceAll(',"', ',\n  "')
  },

  rawBreak(lines, dice) {
    const at = dice.roll(lines.length)
    lines[at] = lines[at]!.replace('~', '\n~')
  },

  noise(lines, dice) {
    lines.splice(
      dice.roll(lines.length + 1),
      0,
      dice.pick(['error: disk full', '}', '{', '42', 'null', '{}', '"text"']),
    )
  },
}

/** Damage to the bytes of a file. */
export const byteDamage: Readonly<Record<string, (bytes: Buffer, dice: Dice) => Buffer>> = {
  cutFile: (bytes, dice) => bytes.subarray(0, dice.roll(bytes.length)),
  cutStart: (bytes, dice) => bytes.subarray(dice.roll(bytes.length)),
  nulTail: (bytes, dice) => Buffer.concat([bytes, Buffer.alloc(1 + dice.roll(600))]),
  mark: (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),

  badByte(bytes, dice) {
    const changed = Buffer.from(bytes)
    if (changed.length > 0)
      changed[dice.roll(changed.length)] = dice.pick([0xff, 0x80, 0xc3, 0xf0, 0x22, 0x5c, 0x0a, 0x00])
    return changed
  },

  cutEmoji(bytes, dice) {
    const at = bytes.indexOf(Buffer.from('🦊'))
    if (at < 0) return bytes
    return Buffer.concat([bytes.subarray(0, at + 1 + dice.roll(3)), bytes.subarray(at + 4)])
  },

  hole(bytes, dice) {
    const at = dice.roll(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + dice.roll(200))])
  },
}
