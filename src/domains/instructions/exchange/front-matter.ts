import { cutFrontMatter } from '#kernel/markup/front-matter.ts';
import { toLf } from '#kernel/text/normalise.ts';

export type FrontMatter = Readonly<Record<string, string | readonly string[]>>;

/** A JSON string is a valid double-quoted YAML scalar, so that a title cannot end the value or add a key. */
const toScalar = (text: string): string => JSON.stringify(text);

export function renderFrontMatter(values: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const lines = Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined || value.length === 0) return [];
    return [`${key}: ${typeof value === 'string' ? toScalar(value) : `[${value.map(toScalar).join(', ')}]`}`];
  });
  return `---\n${lines.join('\n')}\n---\n`;
}

function unquote(text: string): string {
  const quote = text[0];
  if (text.length < 2 || text.at(-1) !== quote) return text;
  if (quote === "'") return text.slice(1, -1).replaceAll("''", "'");
  if (quote !== '"') return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

/** Splits at commas outside quotes and braces: `*.{ts,tsx}, "a, b"` are two items. */
function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let quote = '';
  let depth = 0;
  for (const char of text) {
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    if (char === ',' && quote === '' && depth <= 0) {
      parts.push(part);
      part = '';
    } else part += char;
  }
  return [...parts, part].map((one) => unquote(one.trim())).filter((one) => one !== '');
}

const toValue = (text: string): string | readonly string[] =>
  text.startsWith('[') && text.endsWith(']') ? splitList(text.slice(1, -1)) : unquote(text);

/** `>`, `|` and variants: the value is the indented text below. */
const isBlock = (text: string): boolean => /^[>|][+-]?$/.test(text);

interface ParserState {
  readonly values: Record<string, string | readonly string[]>;
  key: string;
  below: string[];
  isText: boolean;
}

function close({ values, key, below, isText }: ParserState): void {
  if (key === '' || below.length === 0) return;
  const items = below.map((line) => line.trim());
  values[key] = isText ? items.join(' ').trim() : items.map((item) => unquote(item.replace(/^-\s*/, '')));
}

/**
 * The subset of YAML that rule files use: text values, inline lists, lists below the key, and folded text. Cursor rules
 * contain unquoted globs, which are not valid YAML, so a YAML parser would reject them.
 */
function parseValues(lines: readonly string[]): FrontMatter {
  const reading: ParserState = {
    values: Object.create(null) as ParserState['values'],
    key: '',
    below: [],
    isText: false,
  };
  for (const line of lines) {
    const found = /^([A-Za-z][\w-]*):(?:\s(.*))?$/.exec(line);
    if (found === null) {
      if (/^\s*-\s/.test(line) || (reading.isText && /^\s/.test(line))) reading.below.push(line);
      continue;
    }
    close(reading);
    const text = (found[2] ?? '').trim();
    Object.assign(reading, { key: found[1]!, below: [], isText: isBlock(text) });
    if (!isBlock(text)) reading.values[found[1]!] = toValue(text);
  }
  close(reading);
  return { ...reading.values };
}

export function splitFrontMatter(text: string) {
  const { frontMatter = [], body } = cutFrontMatter(toLf(text.replace(/^\uFEFF/, '')));
  return { frontMatter: parseValues(frontMatter), body };
}

export const textOf = (values: FrontMatter, key: string): string | undefined => {
  const value = Object.hasOwn(values, key) ? values[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Globs may be a list or one text with commas. */
export function listOf(values: FrontMatter, key: string): readonly string[] {
  const value = Object.hasOwn(values, key) ? values[key] : undefined;
  return value === undefined ? [] : typeof value === 'string' ? splitList(value) : value;
}
