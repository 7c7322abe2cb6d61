import { cliFaults } from '#kernel/fault/cli-faults.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { type Command, commandLine, type Values } from './command.ts';
import { type Field, sharedFlags } from './field.ts';

type Nearest = (word: string, candidates: Iterable<string>) => string | undefined;

/** Parses one value. Throws USAGE_ERROR. */
function readScalar(field: Field, text: string, nearest: Nearest): unknown {
  const wrong = (expected: string) =>
    cliFaults.USAGE_ERROR({ why: `--${field.flag}: ${JSON.stringify(text)} is not ${expected}` });
  switch (field.kind) {
    case 'text':
      if (field.choices !== undefined && !field.choices.includes(text)) {
        throw wrong(`one of ${field.choices.join(', ')}; did you mean ${nearest(text, field.choices)}?`);
      }
      return text;
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw wrong('true or false');
    case 'integer':
    case 'number': {
      const n = text.trim() === '' ? Number.NaN : Number(text);
      if (!Number.isFinite(n) || (field.kind === 'integer' && !Number.isInteger(n))) {
        throw wrong(field.kind === 'integer' ? 'an integer' : 'a number');
      }
      return n;
    }
    case 'json':
      try {
        return JSON.parse(text);
      } catch {
        throw wrong('JSON');
      }
    case 'any':
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
  }
}

export interface Arguments {
  readonly values: Values;
  readonly asksForHelp: boolean;
  readonly asJson: boolean;
  /** A file, or `-` for stdin, with all arguments as one JSON object. */
  readonly input: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly tenant: string | undefined;
}

export interface FlagNames {
  /** Flags of the program's settings, for suggestions. */
  readonly settingFlags: Iterable<string>;
  readonly nearest: Nearest;
}

const usage = (why: string) => cliFaults.USAGE_ERROR({ why });

/** A list of objects may be passed as one JSON array or one by one. */
const itemsOf = ({ kind }: Field, value: unknown): readonly unknown[] =>
  kind === 'json' && Array.isArray(value) && value.every(isObject) ? value : [value];

/** Collects values: a list grows, any other argument may be set once. */
function createCollector(fields: readonly Field[]) {
  const values = new Map<string, unknown>();
  return {
    has: (key: string) => values.has(key),
    set(field: Field, value: unknown) {
      if (field.isList)
        values.set(field.key, [
          ...((values.get(field.key) as readonly unknown[] | undefined) ?? []),
          ...itemsOf(field, value),
        ]);
      else if (values.has(field.key)) throw usage(`--${field.flag} is given twice`);
      else values.set(field.key, value);
    },
    toValues: (): Values =>
      Object.fromEntries(fields.flatMap(({ key }) => (values.has(key) ? [[key, values.get(key)]] : []))),
  };
}

function unknownFlag(command: Command, flag: string, { settingFlags, nearest }: FlagNames) {
  const own = [...command.fields.map((field) => field.flag), ...sharedFlags];
  const line = commandLine(command);
  const ownFlags = command.fields.map((field) => `--${field.flag}`).join(', ');
  return cliFaults.USAGE_ERROR(
    { why: `${line} has no flag --${flag}; did you mean --${nearest(flag, [...own, ...settingFlags])}?` },
    ownFlags === '' ? {} : { fix: `It takes ${ownFlags}. ${line} --help explains them.` },
  );
}

const isFlag = (word: string): boolean => word.startsWith('-') && word !== '-' && !/^-[\d.]/.test(word);

/** Parses everything after the command name. Throws USAGE_ERROR. */
export function parseArguments(command: Command, words: readonly string[], names: FlagNames): Arguments {
  const byFlag = new Map(
    command.fields.flatMap((field) => [[field.key, field] as const, [field.flag, field] as const]),
  );
  const collected = createCollector(command.fields);
  const shared = new Map<string, string>();
  const loose: string[] = [];
  let asksForHelp = false;
  let asJson = false;
  let at = 0;

  function takeValue(flag: string, inline: string | undefined): string {
    if (inline !== undefined) return inline;
    const next = words[at];
    if (next === undefined || (isFlag(next) && next.startsWith('--'))) throw usage(`--${flag} needs a value`);
    at += 1;
    return next;
  }

  function readFlag(flag: string, inline: string | undefined): void {
    if (flag === 'help') asksForHelp = true;
    else if (flag === 'json') asJson = true;
    else if (command.isTool && ['input', 'idempotency-key', 'tenant'].includes(flag))
      shared.set(flag, takeValue(flag, inline));
    else {
      const field = byFlag.get(flag);
      const negated = field === undefined && flag.startsWith('no-') ? byFlag.get(flag.slice(3)) : undefined;
      if (field?.kind === 'boolean' && !field.isList)
        collected.set(field, inline === undefined ? true : readScalar(field, inline, names.nearest));
      else if (field !== undefined) collected.set(field, readScalar(field, takeValue(flag, inline), names.nearest));
      else if (negated?.kind === 'boolean' && inline === undefined) collected.set(negated, false);
      else throw unknownFlag(command, flag, names);
    }
  }

  while (at < words.length) {
    const word = words[at]!;
    at += 1;
    if (word === '--') {
      loose.push(...words.slice(at));
      break;
    }
    if (!isFlag(word)) loose.push(word);
    else if (word === '-h') asksForHelp = true;
    else {
      const equals = word.indexOf('=');
      const flag = (equals === -1 ? word : word.slice(0, equals)).replace(/^-{1,2}/, '');
      readFlag(flag, equals === -1 ? undefined : word.slice(equals + 1));
    }
  }

  if (!asksForHelp) fillPositionals(command, loose, collected, names.nearest);
  return {
    values: collected.toValues(),
    asksForHelp,
    asJson,
    input: shared.get('input'),
    idempotencyKey: shared.get('idempotency-key'),
    tenant: shared.get('tenant'),
  };
}

/** Words without a flag fill the arguments without a value; the last one takes several words if it is a list. */
function fillPositionals(
  command: Command,
  loose: readonly string[],
  collected: ReturnType<typeof createCollector>,
  nearest: Nearest,
): void {
  const open = command.positionals
    .filter((key) => !collected.has(key))
    .map((key) => command.fields.find((field) => field.key === key)!);
  for (const [index, word] of loose.entries()) {
    const last = open.at(-1);
    const field = open[index] ?? (last?.isList === true ? last : undefined);
    if (field === undefined)
      throw usage(`${commandLine(command)} does not know what to do with ${JSON.stringify(word)}`);
    collected.set(field, readScalar(field, word, nearest));
  }
}

/** Runs after the JSON input is merged, which may have the missing arguments. */
export function checkRequired(command: Command, values: Values): void {
  const missing = command.fields.filter((field) => field.required && values[field.key] === undefined);
  if (missing.length === 0) return;
  throw usage(`${commandLine(command)} needs ${missing.map((field) => `--${field.flag}`).join(', ')}`);
}
