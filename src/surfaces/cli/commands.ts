import { type Caller, toTenantId } from '#kernel/call.ts';
import { cliFaults } from '#kernel/fault/cli-faults.ts';
import type { Card } from '#kernel/tool/card.ts';
import { toFormFault } from '#kernel/tool/fault-forms.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';
import { toListedName } from '#kernel/tool/names.ts';
import type { Registry } from '#kernel/tool/registry.ts';
import type { Admin } from './admin.ts';
import { adminCommands } from './admin-commands.ts';
import type { Command, CommandAnswer, Values } from './command.ts';
import { type Field, failOnKey, fieldsOfTool, sharedFlags } from './field.ts';
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

/** The level of `--fail-on`, which the JSON of `--input` may hold too. Undefined if the tool knows none. */
function takeFailOn({ failOn: levels }: Card, given: Values): { readonly args: Values; readonly level?: string } {
  if (levels === undefined) return { args: given };
  const { [failOnKey]: level = levels[0], ...args } = given;
  const choices = [...levels, 'none'];
  if (typeof level === 'string' && choices.includes(level)) return { args, level };
  throw cliFaults.USAGE_ERROR({ why: `${failOnKey}: ${JSON.stringify(level)} is not one of ${choices.join(', ')}` });
}

function toToolCommand(card: Card, { caller, invoke, registry }: Omit<CommandsDeps, 'admin' | 'columns'>): Command {
  const fields = fieldsOfTool(card);
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
      const { args, level } = takeFailOn(card, values);
      const outcome = await invoke({
        name: card.name,
        args,
        caller: tenant === undefined ? caller : { ...caller, tenant: toTenantId(tenant) },
        surface: 'cli',
        progress,
        ...(signal === undefined ? {} : { signal }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      if (!outcome.ok) throw toFormFault(card.faultForm, outcome.fault);
      const { value } = outcome;
      const answer: CommandAnswer = { value, exitCode: isFailure(value) ? 1 : 0 };
      if (level === undefined || level === 'none') return answer;
      const why = (await registry.load(card)).findFailure(value, level);
      return why === undefined ? answer : { value, exitCode: 1, failure: `${why} (--fail-on ${level})` };
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
  readonly registry: Pick<Registry, 'cards' | 'load'>;
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
    return fieldsOfTool(found.value).some((field) => field.flag === flag || field.key === flag);
  };
}

/** A command as help lists it. */
export type CommandLine = Pick<Command, 'words' | 'summary'>;

export function createCommands({ admin, columns, ...deps }: CommandsDeps) {
  const cards = deps.registry.cards.filter(isOffered);
  const program = [...adminCommands.map((make) => make(admin)), toListCommand(cards, columns)];
  const byKey = new Map<string, () => Command>(program.map((command) => [toKey(command.words), () => command]));
  for (const card of cards) {
    for (const key of keysOf(card)) {
      if (program.some((command) => toKey(command.words) === key))
        throw new Error(`${card.name} hides the command ${key}`);
      byKey.set(key, () => toToolCommand(card, deps));
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
