import type { Card } from '#kernel/tool/card.ts';
import { type Command, commandLine } from './command.ts';
import { type CommandLine, toWords } from './commands.ts';
import type { Field } from './field.ts';
import { toSafeJson } from './render-answer.ts';

const placeholders: Readonly<Record<Field['kind'], string>> = {
  boolean: '',
  integer: '<integer>',
  number: '<number>',
  text: '<text>',
  json: '<json>',
  any: '<value>',
};

const placeholderOf = (field: Field): string =>
  field.choices === undefined ? placeholders[field.kind] : `<${field.choices.join('|')}>`;

function fieldRow(field: Field): readonly [string, string] {
  const notes = [
    field.required ? 'required' : '',
    field.isList ? 'repeatable' : '',
    field.fallback === undefined || field.fallback === false ? '' : `default: ${toSafeJson(field.fallback, 0)}`,
  ].filter((note) => note !== '');
  const text = notes.length === 0 ? field.about : `${field.about} [${notes.join('; ')}]`.trimStart();
  return [`--${field.flag} ${placeholderOf(field)}`.trimEnd(), text];
}

function renderRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(34, Math.max(0, ...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n');
}

const sharedRows = (command: Command): readonly (readonly [string, string])[] => [
  ...(command.isTool
    ? ([
        ['--input <file|->', 'All arguments as one JSON object, from a file or stdin'],
        ['--tenant <text>', 'Whose data to use [default: local]'],
      ] as const)
    : []),
  ...(command.isTool && command.isBulk !== true
    ? ([['--idempotency-key <text>', 'A repeated call with the same key returns the first answer']] as const)
    : []),
  ['--json', 'Prints the answer as JSON'],
];

export function renderCommandHelp(command: Command): string {
  const positionals = command.positionals.map((key) => {
    const field = command.fields.find((one) => one.key === key)!;
    return field.required ? `<${field.flag}>` : `[${field.flag}]`;
  });
  return `${[
    [commandLine(command), ...positionals, '[flags]'].join(' '),
    command.summary,
    renderRows([...command.fields.map(fieldRow), ...sharedRows(command)]),
    ...(command.details.length > 0 ? [command.details.join('\n')] : []),
    'Every command also accepts settings: see fourfold --help.',
  ].join('\n\n')}\n`;
}

/** The help of the first words of several commands. */
export const renderGroupHelp = (words: readonly string[], members: readonly CommandLine[]): string =>
  `${[
    ['fourfold', ...words, '<command> [flags]'].join(' '),
    renderRows(members.map((member) => [member.words.join(' '), member.summary] as const)),
    `fourfold ${members[0]!.words.join(' ')} --help shows the flags of one command.`,
  ].join('\n\n')}\n`;

/** `fourfold --help` shows tools only by toolset; `fourfold tools` lists them all. */
export function renderUsage(
  commands: readonly Command[],
  cards: readonly Card[],
  version: string,
  settingsHelp: string,
): string {
  const toolsets = Map.groupBy(cards, (card) => card.toolset);
  return `${[
    `fourfold ${version}: four memories for AI agents over the Model Context Protocol.`,
    'fourfold [settings] [command] [flags]\n\nOn a pipe, without a command, it speaks MCP over stdin and stdout; on a terminal it shows this help.',
    `Commands\n${renderRows(commands.map((command) => [command.words.join(' '), command.summary] as const))}`,
    `Tools\n${renderRows([...toolsets].map(([name, members]) => [name, members.map((card) => toWords(card).join(' ')).join(', ')] as const))}`,
    settingsHelp,
  ].join('\n\n')}\n`;
}
