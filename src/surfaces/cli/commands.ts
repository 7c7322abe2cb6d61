import type { Caller } from '#kernel/call.ts';
import type { Card } from '#kernel/tool/card.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';
import { toListedName } from '#kernel/tool/names.ts';
import type { Admin } from './admin.ts';
import { adminCommands } from './admin-commands.ts';
import type { Command } from './command.ts';
import { fieldsOf, sharedFlags } from './field.ts';
import { renderTable } from './render-table.ts';
import { toToolCommand, toWords } from './tool-command.ts';

const toRow = (card: Card) => ({
  command: `fourfold ${toWords(card).join(' ')}`,
  toolset: card.toolset,
  effect: card.effect,
  summary: card.summary,
});

/** `fourfold tools`: every tool, and how it is called from here. */
const toListCommand = (cards: readonly Card[], columns: number): Command => ({
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

const isOffered = (card: Card): boolean => card.expose.includes('cli');

/** `health check`, `health-check`, `health/check` and `health_check` are the same command. */
const toKey = (words: readonly string[]): string =>
  toListedName(words.join('_').replaceAll('-', '_')).replace(/^_/, '');

export interface FoundCommand {
  readonly command: Command;
  /** How many of the words name it. */
  readonly length: number;
}

export interface Commands {
  readonly program: readonly Command[];
  readonly cards: readonly Card[];
  /** The longest beginning of the words that is a command. */
  find(words: readonly string[]): FoundCommand | undefined;
  /** Every command as one types it. */
  names(): readonly string[];
}

export interface CommandsDeps {
  readonly cards: readonly Card[];
  readonly caller: Caller;
  readonly invoke: Invoke;
  readonly admin: Admin;
  readonly columns: number;
}

function findLongest<T>(
  words: readonly string[],
  get: (key: string) => T | undefined,
): { value: T; length: number } | undefined {
  for (let length = words.length; length > 0; length -= 1) {
    const value = get(toKey(words.slice(0, length)));
    if (value !== undefined) return { value, length };
  }
  return undefined;
}

const keysOf = (card: Card): readonly string[] =>
  card.command === undefined ? [card.name, ...card.aliases].map((name) => toKey([name])) : [toKey(toWords(card))];

/** Which flags belong to the tool that the words name; needed before settings are read, so it takes cards alone. */
export function createFlagOwner(cards: () => readonly Card[]): (words: readonly string[], flag: string) => boolean {
  return (words, flag) => {
    const found = findLongest(words, (key) => cards().find((card) => isOffered(card) && keysOf(card).includes(key)));
    if (found === undefined) return false;
    if ((sharedFlags as readonly string[]).includes(flag)) return true;
    return fieldsOf(found.value.inputSchema).some((field) => field.flag === flag || field.key === flag);
  };
}

export function createCommands({ cards: all, caller, invoke, admin, columns }: CommandsDeps): Commands {
  const cards = all.filter(isOffered);
  const program = [...adminCommands.map((make) => make(admin)), toListCommand(cards, columns)];
  const byKey = new Map<string, () => Command>(program.map((command) => [toKey(command.words), () => command]));
  for (const card of cards) {
    for (const key of keysOf(card)) {
      if (program.some((command) => toKey(command.words) === key))
        throw new Error(`${card.name} hides the command ${key}`);
      byKey.set(key, () => toToolCommand(card, caller, invoke));
    }
  }
  return {
    program,
    cards,
    find(words) {
      const found = findLongest(words, (key) => byKey.get(key));
      return found === undefined ? undefined : { command: found.value(), length: found.length };
    },
    names: () => [...program.map((command) => command.words), ...cards.map(toWords)].map((words) => words.join(' ')),
  };
}
