import { hash } from 'node:crypto';
import type { Card } from '#kernel/tool/card.ts';
import type { MethodStats } from '#kernel/tool/meter.ts';
import { type ConnectFacts, toConnectLines } from './connect-lines.ts';
import type { Readiness, UnservedFile } from './http-deps.ts';

/** No fonts, images or scripts from elsewhere. */
const statusStyle = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1b1f24, #e8eaed);
  --soft: light-dark(#59636e, #9aa4b0);
  --line: light-dark(#d9dee4, #30363d);
  --page: light-dark(#f6f7f9, #0e1116);
  --card: light-dark(#ffffff, #161b22);
  --code: light-dark(#f1f3f5, #0b0e13);
  --accent: light-dark(#3b5bdb, #8da2fb);
  --good: light-dark(#1a7f4b, #56d38f);
  --bad: light-dark(#c0392b, #ff8a80);
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
header { display: flex; align-items: center; gap: .9rem; margin-bottom: 1.75rem; }
.mark { display: grid; grid-template-columns: 1fr 1fr; gap: 3px; width: 2.4rem; height: 2.4rem; flex: none; }
.mark i { border-radius: 4px; background: var(--accent); }
.mark i:nth-child(2), .mark i:nth-child(3) { opacity: .45; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0; letter-spacing: -.01em; }
header p { margin: .1rem 0 0; color: var(--soft); font-size: .95rem; }
.state { margin-left: auto; padding: .3rem .8rem; border: 1px solid currentColor; border-radius: 99px; font-size: .875rem; font-weight: 600; white-space: nowrap; }
.good { color: var(--good); }
.bad { color: var(--bad); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem 1.5rem; margin-bottom: 1.25rem; }
h2 { font-size: 1.05rem; margin: 0 0 .75rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: 1rem 1.5rem; margin: 0; }
.facts div { min-width: 0; }
.facts .wide { grid-column: 1 / -1; }
dt { color: var(--soft); font-size: .8125rem; }
dt::first-letter { text-transform: uppercase; }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.hint { color: var(--soft); margin: 0 0 .75rem; font-size: .9375rem; }
details { border-top: 1px solid var(--line); }
details:last-of-type { border-bottom: 0; }
summary { cursor: pointer; padding: .6rem 0; font-weight: 600; }
summary span { color: var(--soft); font-weight: 400; font-size: .875rem; margin-left: .5rem; }
summary:focus-visible, a:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem; margin: 0 0 .9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
table { width: 100%; table-layout: fixed; border-collapse: collapse; margin-bottom: .75rem; font-size: .9375rem; }
th { text-align: left; color: var(--soft); font-size: .8125rem; font-weight: 500; }
th, td { padding: .4rem .75rem .4rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
td { overflow-wrap: anywhere; }
.name { width: 28%; }
.effect, .number { width: 4.5rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding-right: 0; padding-left: .75rem; }
footer { color: var(--soft); font-size: .875rem; display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; }
a { color: var(--accent); }
@media (max-width: 34rem) { .summary-cell { display: none; } .name { width: auto; } main { padding-top: 1.5rem; } section { padding: 1rem; } }
`;

/** Text that is safe in a page: escaped here, or built from such parts. */
interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[] | undefined;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter]!);

function toText(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map((item) => item.html).join('');
}

/** html`<b>${anything}</b>` escapes its values unless they are Html. */
export const html = (parts: TemplateStringsArray, ...values: readonly Part[]): Html => ({
  html: parts.map((part, at) => part + toText(values[at])).join(''),
});

export interface StatusFacts extends ConnectFacts {
  readonly version: string;
  readonly uptimeMs: number;
  readonly dataFolder: string | undefined;
  /** Instruction files that cannot be served, with the reason. */
  readonly unserved: readonly UnservedFile[];
  readonly readiness: Readiness;
  readonly cards: readonly Card[];
  readonly stats: readonly MethodStats[];
  readonly metricsPath: string | undefined;
}

const styleHash = hash('sha256', statusStyle, 'base64');

/** Allows only this style sheet and the icon in the page, and no script. */
export const statusPagePolicy =
  `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#4c6ef5"><rect width="7" height="7" rx="1.5"/>' +
      '<rect x="9" width="7" height="7" rx="1.5" opacity=".5"/><rect y="9" width="7" height="7" rx="1.5" opacity=".5"/>' +
      '<rect x="9" y="9" width="7" height="7" rx="1.5"/></svg>',
  );

export function toDurationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / 1000))} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes} min`;
  const days = Math.floor(hours / 24);
  return days < 1 ? `${hours} h ${minutes % 60} min` : `${days} d ${hours % 24} h`;
}

const toCount = (count: number): string => count.toLocaleString('en-US');

const fact = (name: string, value: string | Html, isWide = false): Html =>
  html`<div class="${isWide ? 'wide' : 'fact'}"><dt>${name}</dt><dd>${value}</dd></div>`;

function renderFacts({ version, uptimeMs, dataFolder, readiness, cards, stats }: StatusFacts): Html {
  const callCount = stats.reduce((sum, { count }) => sum + count, 0);
  const errorCount = stats.reduce((sum, { errors }) => sum + errors, 0);
  return html`<section aria-label="State"><dl class="facts">
${fact('Version', version)}
${fact('Uptime', toDurationText(uptimeMs))}
${fact('Tools', toCount(cards.length))}
${fact('Calls', toCount(callCount))}
${fact('Faults', toCount(errorCount))}
${Object.entries(readiness.checks).map(([name, word]) => fact(name, word))}
${dataFolder === undefined ? undefined : fact('Data folder', html`<code>${dataFolder}</code>`, true)}
</dl></section>`;
}

const unservedFilesCount = 50;

function renderUnserved({ unserved }: StatusFacts): Html | undefined {
  if (unserved.length === 0) return undefined;
  const more = unserved.length - unservedFilesCount;
  return html`<section aria-labelledby="unserved"><h2 id="unserved">Instruction files that are not served</h2>
<table><tbody>${unserved
    .slice(0, unservedFilesCount)
    .map(
      ({ file, problem }) => html`<tr><td class="name"><code>${file}</code></td><td>${problem}</td></tr>`,
    )}</tbody></table>
${more > 0 ? html`<p class="hint">And ${toCount(more)} more.</p>` : undefined}</section>`;
}

function renderConnect(facts: StatusFacts): Html {
  const hint = facts.needsKey
    ? html`Replace <code>YOUR_KEY</code> with a key from <code>fourfold keys create</code>.`
    : html`This server needs no key: it accepts local connections only.`;
  return html`<section aria-labelledby="connect"><h2 id="connect">Connect a client</h2>
<p class="hint">${hint}</p>
${toConnectLines(facts).map(
  ({ client, place, text }, at) =>
    html`<details${at === 0 ? html` open` : undefined}><summary>${client}<span>${place}</span></summary>
<pre tabindex="0">${text}</pre></details>`,
)}
</section>`;
}

function renderTool(card: Card, stats: MethodStats | undefined): Html {
  return html`<tr><td><code>${card.name}</code></td><td class="summary-cell">${card.summary}</td><td>${card.effect}</td>
<td class="number">${toCount(stats?.count ?? 0)}</td><td class="number">${stats === undefined ? '–' : stats.avgMs.toFixed(2)}</td></tr>`;
}

function renderTools({ cards, stats }: StatusFacts): Html {
  const byMethod = new Map(stats.map((entry) => [entry.method, entry]));
  const toolsets = Map.groupBy(cards, (card) => card.toolset);
  return html`<section aria-labelledby="tools"><h2 id="tools">Tools</h2>
${[...toolsets].map(
  ([name, ofSet]) =>
    html`<details open><summary>${name}<span>${ofSet.length}</span></summary><table>
<thead><tr><th class="name">Name</th><th class="summary-cell">What it does</th><th class="effect">Effect</th><th class="number">Calls</th><th class="number">Avg ms</th></tr></thead>
<tbody>${ofSet.map((card) => renderTool(card, byMethod.get(card.name)))}</tbody></table></details>`,
)}
</section>`;
}

const renderFooter = ({ metricsPath }: StatusFacts): Html => html`<footer>
<a href="/tools.json">tools.json</a><a href="/healthz">healthz</a><a href="/readyz">readyz</a>
${metricsPath === undefined ? undefined : html`<a href="${metricsPath}">metrics</a>`}
</footer>`;

export function renderStatusPage(facts: StatusFacts): string {
  const { ok } = facts.readiness;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Fourfold</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${icon}"><style>${{ html: statusStyle }}</style></head>
<body><main>
<header><div class="mark" aria-hidden="true"><i></i><i></i><i></i><i></i></div>
<div><h1>Fourfold</h1><p>Four memories for AI agents: instructions, knowledge, notebooks, truth.</p></div>
<span class="state ${ok ? 'good' : 'bad'}" role="status">${ok ? 'ready' : 'not ready'}</span></header>
${renderFacts(facts)}${renderUnserved(facts)}${renderConnect(facts)}${renderTools(facts)}${renderFooter(facts)}
</main></body></html>
`.html;
}
