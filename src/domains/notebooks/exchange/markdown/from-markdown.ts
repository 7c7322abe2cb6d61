import { isObject } from '#kernel/json/is-object.ts';
import { type Block, splitFences } from '#kernel/markup/fences.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import { type JsonMap, without } from '../json-map.ts';
import { toLanguage } from '../language-names.ts';
import { type PortableCell, type ReadPad, toPortableCell } from '../portable-pad.ts';
import { splitFrontMatter } from './front-matter.ts';

/** A file of a system that ends lines with CR LF throughout; one that mixes them means what it says. */
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
    // Somebody else's way to say something about a block, such as `{.python .numberLines}`.
    return {};
  }
}

function readFence(info: string, content: string, warnings: string[]): PortableCell {
  const name = /^[^\s{]*/.exec(info)?.[0] ?? '';
  const attributes = readAttributes(info.slice(name.length).trim());
  const language = toLanguage(name === '' ? 'txt' : name);
  if (language !== undefined) return toPortableCell({ ...attributes, language, content });
  warnings.push(`"${name.slice(0, 40)}" is no language that a cell can have; the block became a txt cell`);
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
  // A heading may be closed as it was opened.
  const last = words.at(-1)!;
  const text = (last === '#'.repeat(last.length) ? words.slice(0, -1) : words).join(' ').trim();
  return text === '' ? undefined : text.slice(0, notebookLimits.titleChars).toWellFormed();
}

/** The first heading outside of a block names the file, where the front matter does not. */
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

/** What `toMarkdown` wrote, or any Markdown file: its fenced blocks become cells, and so does the text between them. */
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
