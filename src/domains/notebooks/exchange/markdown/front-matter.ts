import { parse } from 'yaml';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { cutFrontMatter } from '#kernel/markup/front-matter.ts';
import type { JsonMap } from '../json-map.ts';

export interface Split {
  readonly values: JsonMap;
  readonly body: string;
}

/** Each value is JSON in one line, which every YAML reader takes too. */
export const renderFrontMatter = (values: JsonMap): string =>
  `---\n${Object.entries(values)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('')}---\n`;

/** Our own form. Read without YAML, whose keys have a length; undefined when it is not ours. */
function readPlain(lines: readonly string[]): JsonMap | undefined {
  const entries: [string, unknown][] = [];
  for (const line of lines) {
    const colon = line.indexOf(': ');
    if (colon <= 0 || !/^[a-z_]+$/.test(line.slice(0, colon))) return undefined;
    try {
      entries.push([line.slice(0, colon), JSON.parse(line.slice(colon + 2))]);
    } catch {
      return undefined;
    }
  }
  return Object.fromEntries(entries);
}

/** What people and other programs write. Dates stay texts; aliases could grow without end and stay few. */
function readYaml(lines: readonly string[]): JsonMap {
  let value: unknown;
  try {
    value = parse(lines.join('\n'), { schema: 'core', maxAliasCount: 50, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : 'it is no YAML';
    throw faults.VALIDATION_ERROR({ why: `The front matter cannot be read: ${why}` });
  }
  if (value === null || value === undefined) return {};
  if (!isObject(value)) throw faults.VALIDATION_ERROR({ why: 'The front matter is no map of key: value' });
  return toTexts(value);
}

const textKeys: readonly string[] = ['scratch_id', 'title', 'description', 'summary', 'namespace'];
const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

function toTags(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isScalar).map(String);
  if (!isScalar(value)) return value;
  return String(value)
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** `title: 2026` is a title all the same, and `tags: a, b` are two. */
const toTexts = (values: JsonMap): JsonMap =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (key === 'tags') return [key, toTags(value)];
      return [key, textKeys.includes(key) && isScalar(value) ? String(value) : value];
    }),
  );

export function splitFrontMatter(text: string): Split {
  const { frontMatter, body } = cutFrontMatter(text);
  return { values: frontMatter === undefined ? {} : (readPlain(frontMatter) ?? readYaml(frontMatter)), body };
}
