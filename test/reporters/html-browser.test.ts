import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkFile } from '../../src/engine/examine.ts'
import { html } from '../../src/reporters/html/index.ts'
import { runReport, shown } from './sample.ts'

/** A browser on the search path, or the one that is named; without one these tests are skipped. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const browser =
  process.env.CONVFIX_CHROMIUM ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path))

const folder = mkdtempSync(join(tmpdir(), 'convfix-html-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const HOSTILE = '</script><script>document.title="taken"</script><!-- <img src=x onerror=document.title="taken">'

/** What the browser makes of a page: its elements as text, after the script has run. */
function rendered(page: string): string {
  const path = join(folder, 'page.html')
  writeFileSync(path, page)
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(folder, 'profile')}`]
  const more = ['--virtual-time-budget=4000', '--dump-dom', `file://${path}`]
  const { stdout, error } = spawnSync(browser!, [...flags, ...more], {
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 1 << 28,
  })
  if (error) throw error
  return stdout
}

test.skipIf(!browser)(
  'a browser shows the conversation, and what it says as text',
  async () => {
    const session = join(folder, 'session.json')
    const call = { type: 'tool_use', id: 'javascript:alert(1)', name: 'Bash', input: { command: HOSTILE } }
    const messages = [
      { role: 'user', content: HOSTILE },
      { role: 'assistant', content: [call] },
      { role: 'user', content: 'Are you there?' },
    ]
    writeFileSync(session, JSON.stringify(messages))
    const report = await checkFile(session, { timeline: true, path: 'session.json' })
    const dom = rendered(html(runReport([report]), shown()))
    expect(dom).toContain('<title>convfix report</title>')
    expect(dom).not.toMatch(/<img|<script>document\.title/)
    const main = dom.slice(dom.indexOf('<main'), dom.indexOf('</main>'))
    expect(main).toContain('&lt;/script&gt;&lt;script&gt;document.title="taken"&lt;/script&gt;')
    expect(main.match(/class="turn /g)).toHaveLength(3)
    expect(main).toContain('class="card error')
    expect(main).toContain('Before and after (2 changes)')
    expect(main).not.toMatch(/href="(?!https:\/\/github\.com\/convfix\/)/)
  },
  90_000,
)

test.skipIf(!browser)(
  'a fault that belongs to no turn stands where its line is',
  async () => {
    const session = join(folder, 'session.jsonl')
    const lines = ['Is it on?', 'Yes.'].map((content, i) => ({ role: i === 0 ? 'user' : 'assistant', content }))
    writeFileSync(session, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"role":"user","content":"And n`)
    const report = await checkFile(session, { timeline: true, path: 'session.jsonl' })
    expect(report.findings.map(({ rule }) => rule)).toEqual(['torn-record'])
    const dom = rendered(html(runReport([report]), shown()))
    const items = [...dom.matchAll(/<li class="(turn|card)[^"]*"/g)].map(([, what]) => what)
    expect(items).toEqual(['turn', 'turn', 'card'])
  },
  90_000,
)
