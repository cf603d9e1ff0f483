import { createHash } from 'node:crypto'
import { startApp } from './browser/app.ts'
import { makeCards } from './browser/cards.ts'
import { makeHead } from './browser/head.ts'
import { listen } from './browser/keys.ts'
import { makeKit } from './browser/kit.ts'
import { makeList } from './browser/list.ts'
import { makeParts } from './browser/parts.ts'
import { makeTimeline } from './browser/timeline.ts'
import type { PageData } from './shape.ts'
import { STYLE } from './style.ts'

/** The functions of the page's script as they stand in this program; what they need of each other they are handed. */
const SCRIPT = `'use strict'
const makeKit = ${makeKit.toString()}
const makeList = ${makeList.toString()}
const makeParts = ${makeParts.toString()}
const makeHead = ${makeHead.toString()}
const makeCards = ${makeCards.toString()}
const makeTimeline = ${makeTimeline.toString()}
const listen = ${listen.toString()}
const startApp = ${startApp.toString()}
startApp(makeKit(window), JSON.parse(document.getElementById('data').textContent), { makeHead, listen, makeList, makeParts, makeCards, makeTimeline })
`

/**
 * The page. Nothing is loaded from elsewhere, and only this very script and style are allowed to run. What a transcript says is
 * in the data alone, where no `<` is left that could end them, and becomes text of elements, never markup.
 */
export function page(data: PageData): string {
  const json = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hash(SCRIPT)}; style-src ${hash(STYLE)}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>convfix report</title>
<style>${STYLE}</style>
</head>
<body>
${BODY}
<script type="application/json" id="data">${json}</script>
<script>${SCRIPT}</script>
</body>
</html>
`
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

const BODY = `<a class="skip" href="#main">Skip to the conversation</a>
<header>
<h1>convfix</h1>
<p id="summary" role="status"></p>
<div class="tools">
<button type="button" id="theme"></button>
<button type="button" id="open-help" aria-label="Keys and help">?</button>
</div>
</header>
<noscript><p class="remark bad">This page is drawn by its script. With scripts turned off there is nothing to see; --reporter pretty needs none.</p></noscript>
<div class="columns">
<nav id="side" aria-label="Findings">
<div class="filters" role="search">
<input id="search" type="search" placeholder="Filter: text, rule, id, line" aria-label="Filter the findings" autocomplete="off" spellcheck="false">
<div id="severities" role="group" aria-label="Severities"></div>
<select id="rules" class="choice" aria-label="Rule"><option value="">All rules</option></select>
<p id="shown" class="quiet" role="status"></p>
</div>
<div id="entries"></div>
<details id="healthy" hidden></details>
</nav>
<main id="main" tabindex="-1">
<div id="commands"></div>
<div id="notes"></div>
<section id="file" aria-label="File"></section>
<section aria-label="Conversation">
<div id="sides-head" hidden><span>before</span><span>after</span></div>
<div id="turns"></div>
<p id="empty" class="quiet" hidden>Nothing to show here.</p>
</section>
</main>
</div>
<nav class="pager" aria-label="Go from finding to finding">
<button type="button" id="open-side">Findings</button>
<button type="button" id="previous" aria-label="Previous finding">↑</button>
<span id="place"></span>
<button type="button" id="next" aria-label="Next finding">↓</button>
</nav>
<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title">Keys</h2>
<dl>
<dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous finding</dd>
<dt><kbd>Enter</kbd></dt><dd>more about the finding, or opens what is in focus</dd>
<dt><kbd>/</kbd></dt><dd>filter; <kbd>Esc</kbd> leaves the field</dd>
<dt><kbd>d</kbd></dt><dd>conversation, or before and after the repair</dd>
<dt><kbd>t</kbd></dt><dd>light, dark, or as the system has it</dd>
<dt><kbd>?</kbd></dt><dd>this page</dd>
</dl>
<p class="quiet">A call and its result point at each other by arrows with line numbers. Turns without a finding are folded; a click opens them. Texts are excerpts: what looks like a key of a service is hidden, and long data and images are never in this page.</p>
<button type="button" id="close-help">Close</button>
</dialog>`
