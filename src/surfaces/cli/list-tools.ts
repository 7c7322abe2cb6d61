import type { Card } from '#kernel/tool/card.ts';
import type { Command } from './command.ts';
import { renderTable } from './render-table.ts';
import { toWords } from './tool-command.ts';

const toRow = (card: Card) => ({
  command: `fourfold ${toWords(card).join(' ')}`,
  toolset: card.toolset,
  effect: card.effect,
  summary: card.summary,
});

/** `fourfold tools`: every tool, and how it is called from here. */
export const toListCommand = (cards: readonly Card[], columns: number): Command => ({
  words: ['tools'],
  group: 'Program',
  summary: 'Lists the tools; each is a command, such as fourfold health check.',
  fields: [],
  positionals: [],
  details: [],
  isTool: false,
  run: async () => {
    const rows = cards.map(toRow);
    const value = cards.map((card, at) => ({ name: card.name, ...rows[at], title: card.title }));
    return { value, text: renderTable(rows, columns) ?? rows.map((row) => `${row.command}\n`).join('') };
  },
});
