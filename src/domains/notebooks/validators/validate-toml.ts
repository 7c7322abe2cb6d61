import { parse, TomlError } from 'smol-toml';
import { pointerStep } from '#kernel/json/is-object.ts';
import { type DataReport, type Position, positionAt } from './syntax-report.ts';

const bareKey = /[\w-]+/y;
const basicString = /"(?:[^"\\\n]|\\.)*"/y;
const literalString = /'[^'\n]*'/y;
/** A number, a date or a word. */
const plainValue = /[^,\]}#\n\r]*/y;

/** The start of the values at these pointers in valid TOML; a value without a position gets that of its parent. */
export function findTomlPositions(text: string, pointers: ReadonlySet<string>): ReadonlyMap<string, Position> {
  const offsets = readOffsets(text);
  const positions = new Map<string, Position>();
  for (const pointer of pointers) {
    let known = pointer;
    while (known !== '' && !offsets.has(known)) known = known.slice(0, known.lastIndexOf('/'));
    positions.set(pointer, positionAt(text, offsets.get(known) ?? 0));
  }
  return positions;
}

/** The text is known to be valid. Whatever this reader makes of it, it must terminate. */
function readOffsets(text: string): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  /** Arrays of tables: pointer → number of tables so far. */
  const counts = new Map<string, number>();
  let at = 0;
  let table = '';

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const skipBlanks = (): void => {
    while (text[at] === ' ' || text[at] === '\t') at += 1;
  };
  const skipLine = (): void => {
    const end = text.indexOf('\n', at);
    at = end === -1 ? text.length : end;
  };
  const skipGaps = (): void => {
    for (;;) {
      skipBlanks();
      if (text[at] === '#') skipLine();
      else if (text[at] === '\n' || text[at] === '\r') at += 1;
      else return;
    }
  };

  function readKeyPart(): string {
    const basic = match(basicString);
    if (basic !== undefined) return readEscapes(basic);
    const literal = match(literalString);
    return literal === undefined ? (match(bareKey) ?? '') : literal.slice(1, -1);
  }

  function readKey(): readonly string[] {
    const parts: string[] = [];
    for (;;) {
      skipBlanks();
      parts.push(readKeyPart());
      skipBlanks();
      if (text[at] !== '.') return parts;
      at += 1;
    }
  }

  /** An array of tables on the way means its last table. */
  function resolve(from: string, parts: readonly string[], start: number): string {
    let pointer = from;
    parts.forEach((part, index) => {
      pointer += pointerStep(part);
      if (!offsets.has(pointer)) offsets.set(pointer, start);
      const count = counts.get(pointer);
      if (count !== undefined && index < parts.length - 1) pointer += pointerStep(count - 1);
    });
    return pointer;
  }

  function readHeader(): void {
    const start = at;
    const isList = text.startsWith('[[', at);
    at += isList ? 2 : 1;
    const pointer = resolve('', readKey(), start);
    if (isList) {
      const count = counts.get(pointer) ?? 0;
      counts.set(pointer, count + 1);
      table = pointer + pointerStep(count);
      offsets.set(table, start);
    } else table = pointer;
    skipLine();
  }

  function readPair(into: string): void {
    const start = at;
    const pointer = resolve(into, readKey(), start);
    at += 1;
    skipBlanks();
    readValue(pointer);
  }

  function readList(pointer: string): void {
    at += 1;
    for (let index = 0; ; index += 1) {
      skipGaps();
      if (text[at] === ',') at += 1;
      skipGaps();
      if (text[at] === ']' || at >= text.length) break;
      const before = at;
      readValue(pointer + pointerStep(index));
      if (at === before) break;
    }
    at += 1;
  }

  function readInlineTable(pointer: string): void {
    at += 1;
    for (;;) {
      skipGaps();
      if (text[at] === ',') at += 1;
      skipGaps();
      if (text[at] === '}' || at >= text.length) break;
      const before = at;
      readPair(pointer);
      if (at === before) break;
    }
    at += 1;
  }

  function skipLongString(quotes: string): void {
    at += 3;
    while (at < text.length && !text.startsWith(quotes, at)) at += quotes === '"""' && text[at] === '\\' ? 2 : 1;
    // Up to two quotes may precede the three that close the string.
    while (text[at] === quotes[0]) at += 1;
  }

  function readValue(pointer: string): void {
    offsets.set(pointer, at);
    if (text[at] === '[') readList(pointer);
    else if (text[at] === '{') readInlineTable(pointer);
    else if (text.startsWith('"""', at) || text.startsWith("'''", at)) skipLongString(text.slice(at, at + 3));
    else if (text[at] === '"') match(basicString);
    else if (text[at] === "'") match(literalString);
    else match(plainValue);
  }

  while (at < text.length) {
    skipGaps();
    if (at >= text.length) break;
    const before = at;
    if (text[at] === '[') readHeader();
    else readPair(table);
    if (at === before) at += 1;
  }
  return offsets;
}

function readEscapes(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}

export function validateToml(text: string): DataReport {
  try {
    const value = parse(text, { integersAsBigInt: 'asNeeded' });
    const positionsOf = findTomlPositions.bind(undefined, text);
    return { errors: [], warnings: [], documents: () => [{ value: toPlain(value), positionsOf }] };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    return {
      errors: [{ message: toMessage(error.message), code: 'TOML_SYNTAX', line, column }],
      warnings: [],
      documents: () => [],
    };
  }
}

/** The parser adds an excerpt of the text after the first line. */
const toMessage = (message: string): string => message.split('\n', 1)[0]!.replace('Invalid TOML document: ', '');

/** As in JSON: dates are strings, and integers beyond the range of a double become doubles. */
function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlain(member)]));
}
