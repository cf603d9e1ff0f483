/** Line breaks and the like, which would tear a line of a report. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

/** C0, DEL, C1, the marks that turn the direction of writing, and halves of characters. */
const DANGEROUS =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const spelt = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Text of a transcript (or a file's name) as it may be shown on a terminal: on one line, and with nothing in it that moves the
 * cursor, changes colours, sets a title or turns the writing around. What is taken out is spelt out.
 */
export function plain(text: string): string {
  return text.replace(BREAKS, ' ').replace(DANGEROUS, spelt)
}

/** JSON text with the same characters escaped: no parser sees a difference, no terminal an order. */
export function plainJson(json: string): string {
  return json.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, spelt)
}
