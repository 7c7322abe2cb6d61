import { nearest } from '#kernel/text/edit-distance.ts';
import { type Platform, pathsOf, toAbsolute } from './platform-paths.ts';
import type { Setting, Value } from './setting.ts';

export type Parsed = { readonly value: Value } | { readonly why: string };

export interface ValueContext {
  readonly place: Platform;
  /** Relative paths start here: the working directory, or the folder of the file. */
  readonly base: string;
}

const truths: Readonly<Record<string, boolean>> = {
  '1': true,
  true: true,
  yes: true,
  on: true,
  '0': false,
  false: false,
  no: false,
  off: false,
};

const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const byteUnits: Readonly<Record<string, number>> = {
  b: 1,
  k: 1024,
  kb: 1024,
  kib: 1024,
  m: 1024 ** 2,
  mb: 1024 ** 2,
  mib: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1024 ** 3,
  gib: 1024 ** 3,
};

const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** `90s`, `16 MiB`, `1.5h`: a number with a unit, in the smallest unit. */
function measure(text: string, units: Readonly<Record<string, number>>): number {
  const found = /^([+-]?\d{1,15}(?:\.\d{1,9})?) ?([a-z]{0,3})$/i.exec(text);
  if (found === null) return Number.NaN;
  const unit = found[2] === '' ? 1 : units[found[2]!.toLowerCase()];
  if (unit === undefined) return Number.NaN;
  // 0.07 × 1000 is not 70 in binary; a real fraction of the smallest unit stays a fraction and is rejected.
  return unit === 1 ? Number(found[1]) : Math.round(Number(found[1]) * unit);
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly fallback: number | undefined;
  readonly what: string;
  readonly write: (n: number) => string;
}

function withinRange(text: string, n: number, { min, max, fallback, what, write }: Range): Parsed {
  if (Number.isInteger(n) && n >= min && n <= max) return { value: n };
  const expected = `${quoted(text)} is not ${what} from ${write(min)} to ${write(max)}`;
  if (Number.isNaN(n)) return { why: `${expected}; write for example ${write(fallback ?? min)}` };
  return { why: `${expected}; the nearest is ${write(Math.min(max, Math.max(min, Math.round(n))))}` };
}

function parseUrl(text: string, setting: Setting & { kind: 'url' }): Parsed {
  const example = setting.schemes.map((scheme) => `${scheme}://…`).join(' or ');
  // The text may contain a password, so the message does not repeat it.
  const said = setting.secret === true ? 'the value' : quoted(text);
  const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : undefined;
  if (scheme !== undefined && setting.schemes.includes(scheme)) return { value: text };
  return { why: `${said} is not an address of the form ${example}` };
}

function parseList(text: string, setting: Setting & { kind: 'list' }, { place, base }: ValueContext): Parsed {
  const delimiter = setting.splitAt === 'comma' ? ',' : pathsOf(place).delimiter;
  const items = text
    .split(delimiter)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return { value: setting.items === 'path' ? items.map((item) => toAbsolute(place, item, base)) : items };
}

const orNearest = (text: string, words: readonly string[]): string =>
  `${quoted(text)} is none of ${words.join(', ')}; did you mean ${nearest(text, words)}?`;

/** Parses the text of a flag, a variable or a string in the file. */
export function parseText(raw: string, setting: Setting, written: ValueContext): Parsed {
  const text = raw.trim();
  if (text === '' && setting.kind !== 'list') return { why: 'the value is empty' };
  switch (setting.kind) {
    case 'boolean': {
      const value = Object.hasOwn(truths, text.toLowerCase()) ? truths[text.toLowerCase()] : undefined;
      return value === undefined ? { why: orNearest(text, Object.keys(truths)) } : { value };
    }
    case 'integer': {
      const { min, max, fallback } = setting;
      const n = /^[+-]?\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
      return withinRange(text, n, { min, max, fallback, what: 'an integer', write: String });
    }
    case 'duration': {
      const { minMs: min, maxMs: max, fallback } = setting;
      const n = measure(text, durationUnits);
      return withinRange(text, n, { min, max, fallback, what: 'a duration', write: (ms) => `${ms}ms` });
    }
    case 'bytes': {
      const { min, max, fallback } = setting;
      return withinRange(text, measure(text, byteUnits), { min, max, fallback, what: 'a size', write: String });
    }
    case 'choice':
      return setting.choices.includes(text) ? { value: text } : { why: orNearest(text, setting.choices) };
    case 'text': {
      const { startsWith } = setting;
      if (startsWith === undefined || text.startsWith(startsWith)) return { value: text };
      return { why: `${quoted(text)} does not start with ${startsWith}; did you mean ${startsWith}${text}?` };
    }
    case 'url':
      return parseUrl(text, setting);
    case 'path':
      return { value: toAbsolute(written.place, text, written.base) };
    case 'list':
      return parseList(text, setting, written);
  }
}

const expectedJson: Readonly<Record<Setting['kind'], string>> = {
  boolean: 'true or false',
  integer: 'a number',
  duration: 'a number of milliseconds, or text such as "30s"',
  bytes: 'a number of bytes, or text such as "16 MiB"',
  choice: 'a text',
  text: 'a text',
  url: 'a text',
  path: 'a text',
  list: 'a list of texts',
};

/** Parses a value of the JSON file: its own JSON type, or the text one would write in a variable. */
export function parseJson(raw: unknown, setting: Setting, written: ValueContext): Parsed {
  if (typeof raw === 'string') return parseText(raw, setting, written);
  if (typeof raw === 'boolean' && setting.kind === 'boolean') return { value: raw };
  const isCount = setting.kind === 'integer' || setting.kind === 'duration' || setting.kind === 'bytes';
  if (typeof raw === 'number' && isCount) return parseText(String(raw), setting, written);
  if (setting.kind === 'list' && Array.isArray(raw) && raw.every((item) => typeof item === 'string')) {
    const items = raw as readonly string[];
    return {
      value: setting.items === 'path' ? items.map((item) => toAbsolute(written.place, item, written.base)) : items,
    };
  }
  return { why: `${expectedJson[setting.kind]} is expected` };
}
