import { hash } from 'node:crypto';
import type { Card } from '#kernel/tool/card.ts';
import type { MethodStats } from '#kernel/tool/meter.ts';
import { type ConnectFacts, toConnectLines } from './connect-lines.ts';
import type { Readiness } from './http-deps.ts';
import { statusStyle } from './status-style.ts';

/** Text that is safe in a page: either escaped here, or built from such. */
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

/** html`<b>${anything}</b>`: what is put in is escaped unless it is Html itself. */
export const html = (parts: TemplateStringsArray, ...values: readonly Part[]): Html => ({
  html: parts.map((part, at) => part + toText(values[at])).join(''),
});

export interface StatusFacts extends ConnectFacts {
  readonly version: string;
  readonly uptimeMs: number;
  readonly dataFolder: string | undefined;
  readonly readiness: Readiness;
  readonly cards: readonly Card[];
  readonly stats: readonly MethodStats[];
  readonly metricsPath: string | undefined;
}

const styleHash = hash('sha256', statusStyle, 'base64');

/** Only this style sheet and the icon in the page; no script at all, ours or anybody's. */
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
${fact('Up for', toDurationText(uptimeMs))}
${fact('Tools', toCount(cards.length))}
${fact('Calls', toCount(callCount))}
${fact('Faults', toCount(errorCount))}
${Object.entries(readiness.checks).map(([name, word]) => fact(name, word))}
${dataFolder === undefined ? undefined : fact('Data folder', html`<code>${dataFolder}</code>`, true)}
</dl></section>`;
}

function renderConnect(facts: StatusFacts): Html {
  const hint = facts.needsKey
    ? html`Replace <code>YOUR_KEY</code> by a key; <code>fourfold keys create</code> makes one.`
    : html`This server asks for no key: it is for this machine only.`;
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
${renderFacts(facts)}${renderConnect(facts)}${renderTools(facts)}${renderFooter(facts)}
</main></body></html>
`.html;
}
