import { type Caller, toTenantId } from '#kernel/call.ts';
import type { Card } from '#kernel/tool/card.ts';
import { toFormFault } from '#kernel/tool/fault-forms.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';
import { toListedName } from '#kernel/tool/names.ts';
import type { Admin } from './admin.ts';
import { adminCommands } from './admin-commands.ts';
import type { Command } from './command.ts';
import { type Field, fieldsOf, sharedFlags } from './field.ts';
import { renderTable } from './render-answer.ts';

const quoteWord = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

function exampleLine(card: Card, fields: readonly Field[]): string {
  const flags = Object.entries(card.guide.example ?? {}).flatMap(([key, value]) => {
    const field = fields.find((one) => one.key === key);
    if (field === undefined) return [];
    if (value === true && field.kind === 'boolean') return [`--${field.flag}`];
    const items = field.isList && Array.isArray(value) ? value : [value];
    return items.map((item) => `--${field.flag} ${quoteWord(typeof item === 'string' ? item : JSON.stringify(item))}`);
  });
  return ['Example: fourfold', ...toWords(card), ...flags].join(' ');
}

export const toWords = ({ command, listedName }: Card): readonly string[] =>
  command === undefined ? listedName.split('_') : command.split(' ');

/** An answer with `ok: false` exits with an error, so that scripts notice. */
const isFailure = (value: object): boolean => 'ok' in value && value.ok === false;

function toToolCommand(card: Card, caller: Caller, invoke: Invoke): Command {
  const fields = fieldsOf(card.inputSchema);
  return {
    words: toWords(card),
    group: card.toolset,
    summary: card.summary,
    fields,
    positionals:
      card.positionals ?? fields.filter((field) => field.required && field.kind !== 'json').map((field) => field.key),
    details: [
      ...card.guide.when.map((when) => `Use it when ${when}.`),
      ...(card.guide.not ?? []).map((not) => `Not when ${not}.`),
      ...(card.guide.example === undefined ? [] : [exampleLine(card, fields)]),
    ],
    isTool: true,
    isBulk: card.bulk === true,
    async run(values, { signal, idempotencyKey, tenant, progress }) {
      const outcome = await invoke({
        name: card.name,
        args: values,
        caller: tenant === undefined ? caller : { ...caller, tenant: toTenantId(tenant) },
        surface: 'cli',
        progress,
        ...(signal === undefined ? {} : { signal }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      if (!outcome.ok) throw toFormFault(card.faultForm, outcome.fault);
      return { value: outcome.value, exitCode: isFailure(outcome.value) ? 1 : 0 };
    },
  };
}

const toRow = (card: Card) => ({
  command: `fourfold ${toWords(card).join(' ')}`,
  toolset: card.toolset,
  effect: card.effect,
  summary: card.summary,
});

/** `fourfold tools`: all tools and their commands. */
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

/**
 * Which flags belong to the tool that the words name. Runs before the settings are loaded, so it needs only the cards.
 */
export function createFlagOwner(cards: () => readonly Card[]): (words: readonly string[], flag: string) => boolean {
  return (words, flag) => {
    const found = findLongest(words, (key) => cards().find((card) => isOffered(card) && keysOf(card).includes(key)));
    if (found === undefined) return false;
    if ((sharedFlags as readonly string[]).includes(flag)) return true;
    return fieldsOf(found.value.inputSchema).some((field) => field.flag === flag || field.key === flag);
  };
}

/** A command as help lists it. */
export type CommandLine = Pick<Command, 'words' | 'summary'>;

export function createCommands({ cards: all, caller, invoke, admin, columns }: CommandsDeps) {
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
  const lines = (): readonly CommandLine[] => [
    ...program,
    ...cards.map((card) => ({ words: toWords(card), summary: card.summary })),
  ];
  return {
    program,
    cards,
    /** The commands whose names begin with these words. */
    below: (words: readonly string[]) =>
      lines().filter(
        (line) => line.words.length > words.length && line.words.slice(0, words.length).join(' ') === words.join(' '),
      ),
    /** The command with the longest matching name, and the number of words in that name. */
    find(words: readonly string[]) {
      const found = findLongest(words, (key) => byKey.get(key));
      return found === undefined ? undefined : { command: found.value(), length: found.length };
    },
    names: () => lines().map(({ words }) => words.join(' ')),
  };
}
