import { parse } from 'yaml';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { type Block, renderFence, splitFences } from '#kernel/markup/fences.ts';
import { cutFrontMatter } from '#kernel/markup/front-matter.ts';
import { toLanguage } from '../languages.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { isEmpty, type JsonMap, without } from './json-map.ts';
import { type PortableCell, type PortablePad, type ReadPad, toPortableCell } from './portable-pad.ts';

/** Each value is one line of JSON, which is also YAML. */
const renderFrontMatter = (values: JsonMap): string =>
  `---\n${Object.entries(values)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('')}---\n`;

/** The form that renderFrontMatter writes, without the limits of YAML keys; undefined for any other form. */
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

/** Dates stay texts. The number of aliases is limited, because they can expand exponentially. */
function readYaml(lines: readonly string[]): JsonMap {
  let value: unknown;
  try {
    value = parse(lines.join('\n'), { schema: 'core', maxAliasCount: 50, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : 'it is not YAML';
    throw faults.VALIDATION_ERROR({ why: `The front matter cannot be parsed: ${why}` });
  }
  if (value === null || value === undefined) return {};
  if (!isObject(value)) throw faults.VALIDATION_ERROR({ why: 'The front matter must be a map of key: value' });
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

/** `title: 2026` becomes a text, and `tags: a, b` two tags. */
const toTexts = (values: JsonMap): JsonMap =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (key === 'tags') return [key, toTags(value)];
      return [key, textKeys.includes(key) && isScalar(value) ? String(value) : value];
    }),
  );

function splitFrontMatter(text: string) {
  const { frontMatter, body } = cutFrontMatter(text);
  return { values: frontMatter === undefined ? {} : (readPlain(frontMatter) ?? readYaml(frontMatter)), body };
}

/** Converts CR LF, unless the file mixes both line ends. */
function toLines(text: string): string {
  const bare = text.replace(/^\uFEFF/, '');
  return /(?<!\r)\n/.test(bare) ? bare : bare.replaceAll('\r\n', '\n');
}

function readAttributes(text: string): JsonMap {
  if (!text.startsWith('{')) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    // Attributes of another tool, such as `{.python .numberLines}`.
    return {};
  }
}

function readFence(info: string, content: string, warnings: string[]): PortableCell {
  const name = /^[^\s{]*/.exec(info)?.[0] ?? '';
  const attributes = readAttributes(info.slice(name.length).trim());
  const language = toLanguage(name === '' ? 'txt' : name);
  if (language !== undefined) return toPortableCell({ ...attributes, language, content });
  warnings.push(`"${name.slice(0, 40)}" is not a language of cells; the block became a txt cell`);
  const metadata = isObject(attributes['metadata']) ? attributes['metadata'] : {};
  return toPortableCell({ ...attributes, metadata: { ...metadata, language: name }, language: 'txt', content });
}

const readBlock = (block: Block, warnings: string[]): PortableCell =>
  block.kind === 'fence'
    ? readFence(block.info, block.content, warnings)
    : { language: 'md', content: block.text.replace(/^(?:[ \t]*\n)+/, '').trimEnd() };

/** The text of `# Heading` (CommonMark 0.31, 4.2); undefined for any other line. */
function readHeading(line: string): string | undefined {
  const bare = line.trim();
  const isIndented = line.length - line.trimStart().length > 3;
  if (isIndented || !(bare.startsWith('# ') || bare.startsWith('#\t'))) return undefined;
  const words = bare.slice(1).trim().split(/\s/);
  // A heading may end with `#` marks.
  const last = words.at(-1)!;
  const text = (last === '#'.repeat(last.length) ? words.slice(0, -1) : words).join(' ').trim();
  return text === '' ? undefined : text.slice(0, notebookLimits.titleChars).toWellFormed();
}

/** The first heading outside code blocks. */
function findTitle(blocks: readonly Block[]): string | undefined {
  for (const block of blocks) {
    if (block.kind !== 'text') continue;
    for (const line of block.text.split('\n')) {
      const title = readHeading(line);
      if (title !== undefined) return title;
    }
  }
  return undefined;
}

/** Reads any Markdown file: fenced blocks become cells, and so does the text between them. */
export function fromMarkdown(text: string): ReadPad {
  const { values, body } = splitFrontMatter(toLines(text));
  const { scratch_id, metadata } = values;
  const isOurs = metadata === undefined || isObject(metadata);
  const rest = without(
    values,
    ...(typeof scratch_id === 'string' ? ['scratch_id'] : []),
    ...(isOurs ? ['metadata'] : []),
  );
  const warnings: string[] = [];
  const blocks = splitFences(body);
  const cells = blocks.map((block) => readBlock(block, warnings));
  const given: JsonMap = { ...(isObject(metadata) ? metadata : {}), ...rest };
  const title = given['title'] === undefined ? findTitle(blocks) : undefined;
  return {
    pad: {
      ...(typeof scratch_id === 'string' ? { scratch_id } : {}),
      metadata: title === undefined ? given : { title, ...given },
      cells,
    },
    warnings,
  };
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Known fields get a line of their own; all others go into `metadata`. */
function toFrontMatter({ scratch_id, metadata }: PortablePad): JsonMap {
  const shown = ['title', 'description', 'summary', 'namespace'].filter((key) => isText(metadata[key]));
  if (isTexts(metadata['tags'])) shown.push('tags');
  const rest = without(metadata, ...shown);
  return {
    ...(scratch_id === undefined ? {} : { scratch_id }),
    ...Object.fromEntries(shown.map((key) => [key, metadata[key]])),
    ...(isEmpty(rest) ? {} : { metadata: rest }),
  };
}

/** An info string must not contain a backtick. */
function renderCell({ language, content, ...attributes }: PortableCell): string {
  const json = JSON.stringify(attributes).replaceAll('`', '\\u0060');
  return renderFence(json === '{}' ? language : `${language} ${json}`, content);
}

/** Front matter, then each cell as a fenced block with its attributes as JSON after the language. */
export const toMarkdown = (pad: PortablePad): string =>
  [renderFrontMatter(toFrontMatter(pad)), ...pad.cells.map(renderCell)].join('\n');
