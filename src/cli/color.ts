import type { Paint } from '../reporters/reporter.ts'
import { UNPAINTED } from '../reporters/reporter.ts'

export type ColorChoice = 'auto' | 'always' | 'never'

/**
 * Whether text for a stream is coloured: the option first, then FORCE_COLOR, NO_COLOR, a dumb terminal, the stream that is
 * written to, and last the log of GitHub Actions, which shows colours although it is no terminal.
 */
export function resolveColor(
  choice: ColorChoice,
  env: Readonly<Record<string, string | undefined>>,
  isTTY: boolean | undefined,
): boolean {
  if (choice !== 'auto') return choice === 'always'
  const force = env.FORCE_COLOR
  if (force !== undefined) return force !== '0' && force !== 'false'
  if (env.NO_COLOR) return false
  if (env.TERM === 'dumb') return false
  return isTTY === true || Boolean(env.GITHUB_ACTIONS)
}

/** Colours for a report. Chalk is only loaded where there are any, and never its default instance, which ignores NO_COLOR. */
export async function loadPaint(coloured: boolean): Promise<Paint> {
  if (!coloured) return UNPAINTED
  const { Chalk } = await import('chalk')
  return new Chalk({ level: 1 })
}

/**
 * Whether characters outside ASCII can be shown. Pipes and files take UTF-8; a terminal is believed what its locale says, and
 * where nothing is said, that it is one of today's.
 */
export function resolveUnicode(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
  isTTY: boolean | undefined,
): boolean {
  if (isTTY !== true) return true
  if (platform === 'win32') return Boolean(env.WT_SESSION || env.TERM_PROGRAM || env.TERM?.startsWith('xterm'))
  if (env.TERM === 'linux') return false
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG
  return !locale || /utf-?8/i.test(locale)
}

/** Terminals that are known to open links, by the name that they give themselves. */
const LINKING = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'rio', 'Tabby'])

/**
 * Whether a terminal opens links in text (OSC 8). Some that do not know them print them as they are, so that one has to be known
 * to; FORCE_HYPERLINK, which other programs heed as well, decides before all else.
 */
export function resolveLinks(env: Readonly<Record<string, string | undefined>>, isTTY: boolean | undefined): boolean {
  const force = env.FORCE_HYPERLINK
  if (force !== undefined) return force !== '0' && force !== 'false'
  if (isTTY !== true || env.CI || env.TERM === 'dumb') return false
  // What runs inside a multiplexer or behind it, the multiplexer decides.
  if (env.TMUX || env.STY) return false
  if (LINKING.has(env.TERM_PROGRAM ?? '')) return true
  if (env.WT_SESSION || env.KONSOLE_VERSION || env.DOMTERM) return true
  if (/^(?:xterm-kitty|xterm-ghostty|alacritty|foot|contour)/.test(env.TERM ?? '')) return true
  // VTE 0.50.0 crashed on them.
  return Number(env.VTE_VERSION ?? 0) > 5000
}
