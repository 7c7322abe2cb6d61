import { cutFrontMatter } from '#kernel/markup/front-matter.ts';
import type { Block, PageOutline } from '../page-sections.ts';
import { decodeEntities } from './html-tags.ts';

interface FrontMatter {
  readonly title: string | undefined;
  readonly url: string | undefined;
  readonly body: string;
}

/** A value of one line, with or without quotes. Of longer ones nothing is wanted here. */
function toValue(text: string): string | undefined {
  const value = text.trim();
  const quote = value[0];
  if ((quote === '"' || quote === "'") && value.length > 1 && value.endsWith(quote)) return value.slice(1, -1).trim();
  return value === '' || value.startsWith('|') || value.startsWith('>') ? undefined : value;
}

/**
 * The head of a page between two lines of dashes: its title and its address. Read line by line; what else stands there is
 * for the program that makes a site of it. Where no line names anything, the dashes are only lines across the page.
 */
export function splitFrontMatter(text: string): FrontMatter {
  // Hugo's other form, TOML.
  const isPlus = text.startsWith('+++');
  const { frontMatter, body } = cutFrontMatter(text, isPlus ? '+++' : '---');
  const sign = isPlus ? '=' : ':';
  const values = new Map<string, string>();
  let isNamed = frontMatter?.length === 0;
  for (const line of frontMatter ?? []) {
    const at = line.indexOf(sign);
    isNamed ||= at > 0;
    const name = line.slice(0, at).trimEnd();
    const value = at > 0 ? toValue(line.slice(at + 1)) : undefined;
    if (value !== undefined && !values.has(name)) values.set(name, value);
  }
  return isNamed
    ? { title: values.get('title'), url: values.get('url'), body }
    : { title: undefined, url: undefined, body: text };
}

const images = /!\[([^\][]*)\]\([^()]*\)/g;
const links = /\[([^\][]*)\](?:\([^()]*\)|\[[^\][]*\])/g;
const tags = /(?<!\\)<\/?[A-Za-z][^<>]*>/g;
const escapes = /\\([!-/:-@[-`{-~])/g;

interface Title {
  readonly title: string;
  readonly anchor?: string;
}

/** Prose without marks of emphasis, links and tags. */
const toPlain = (markdown: string): string =>
  markdown
    .replaceAll(images, '$1')
    .replaceAll(links, '$1')
    .replaceAll(/\*\*|__(?=\S)|(?<=\S)__/g, '')
    .replaceAll(tags, '')
    .replaceAll(escapes, '$1');

/** `Title {#name}` */
function splitAnchor(markdown: string): { readonly text: string; readonly anchor: string | undefined } {
  const text = markdown.trimEnd();
  const at = text.endsWith('}') ? text.lastIndexOf('{#') : -1;
  const anchor = at === -1 ? '' : text.slice(at + 2, -1);
  return /^[\w:.-]+$/.test(anchor) ? { text: text.slice(0, at), anchor } : { text, anchor: undefined };
}

/** A heading as a reader sees it; what stands between backticks stays as it is. `{#name}` at its end is its anchor. */
function toTitle(markdown: string): Title {
  const { text, anchor } = splitAnchor(markdown);
  const title = text
    .split('`')
    .map((part, i) => (i % 2 === 1 ? part : decodeEntities(toPlain(part))))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return anchor === undefined ? { title } : { title, anchor };
}

export interface Fence {
  readonly mark: '`' | '~';
  readonly length: number;
}

/** In columns: a tab goes on to the next fourth one. */
function indentOf(line: string): number {
  let columns = 0;
  for (const char of line) {
    if (char === '\t') columns += 4 - (columns % 4);
    else if (char === ' ') columns += 1;
    else break;
  }
  return columns;
}

/** Deeper ones stand in a list and are fences as well; what matters is that nothing inside is a heading. */
export function openFence(line: string): Fence | undefined {
  const bare = line.trimStart().replace(/^(?:>\s?|[-*+]\s+|\d{1,9}[.)]\s+)/, '');
  const mark = bare[0];
  if (mark !== '`' && mark !== '~') return undefined;
  let length = 0;
  while (bare[length] === mark) length += 1;
  // An inline span of three backticks is no fence.
  if (length < 3 || (mark === '`' && bare.includes('`', length))) return undefined;
  return { mark, length };
}

export function closesFence(line: string, { mark, length }: Fence): boolean {
  const bare = line.trim().replace(/^>\s?/, '');
  return bare.length >= length && bare === mark.repeat(bare.length);
}

/** `## Title ##`; undefined when it is no heading. */
function readHeading(line: string): { readonly level: number; readonly text: string } | undefined {
  const bare = line.trimStart();
  if (!bare.startsWith('#') || indentOf(line) > 3) return undefined;
  let level = 0;
  while (bare[level] === '#') level += 1;
  const rest = bare.slice(level);
  if (level > 6 || (rest !== '' && rest[0] !== ' ' && rest[0] !== '\t')) return undefined;
  const text = rest.trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end -= 1;
  return { level, text: end === 0 || /\s/.test(text[end - 1]!) ? text.slice(0, end).trim() : text };
}

/** `<h1 align="center">Title</h1>`, as READMEs begin. */
function readTagHeading(line: string): ReturnType<typeof readHeading> {
  const bare = line.trim();
  const [tag, level] = /^<h([1-6])\b[^<>]*>/i.exec(bare) ?? [];
  const end = `</h${level}>`;
  if (tag === undefined || !bare.toLowerCase().endsWith(end)) return undefined;
  const text = bare.slice(tag.length, -end.length);
  return toTitle(text).title === '' ? undefined : { level: Number(level), text };
}

/** A line of `=` or `-` makes a heading of the one line above it. */
function underlineLevel(line: string): number | undefined {
  const bare = line.trim();
  if (bare.length < 2 || indentOf(line) > 3) return undefined;
  if (bare === '='.repeat(bare.length)) return 1;
  return bare === '-'.repeat(bare.length) ? 2 : undefined;
}

const isListOrQuote = (line: string): boolean => /^\s*(?:[-*+>|]|\d{1,9}[.)])/.test(line);

/** Blocks of a Markdown text, in one walk over its lines. Comments are not for readers and go. */
export function readMarkdownBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: string[] = [];
  let fence: Fence | undefined;
  let isComment = false;

  function close(kind: 'text' | 'code'): void {
    const joined = open.join('\n');
    if (joined.trim() !== '') blocks.push({ kind, text: kind === 'text' ? joined.trimEnd() : joined });
    open = [];
  }
  function addHeading(level: number, raw: string): void {
    const { title, anchor } = toTitle(raw);
    blocks.push({ kind: 'heading', level, title, ...(anchor === undefined ? {} : { anchor }) });
  }

  for (const line of text.split('\n')) {
    if (fence !== undefined) {
      open.push(line);
      if (closesFence(line, fence)) {
        close('code');
        fence = undefined;
      }
      continue;
    }
    if (isComment) {
      isComment = !line.includes('-->');
      continue;
    }
    if (line.trimStart().startsWith('<!--')) {
      close('text');
      isComment = !line.includes('-->');
      continue;
    }
    fence = openFence(line);
    if (fence !== undefined) {
      close('text');
      open.push(line);
      continue;
    }
    const heading = readHeading(line) ?? readTagHeading(line);
    if (heading !== undefined) {
      close('text');
      addHeading(heading.level, heading.text);
      continue;
    }
    const level = open.length === 1 && !isListOrQuote(open[0]!) ? underlineLevel(line) : undefined;
    if (level !== undefined) {
      const [title] = open;
      open = [];
      addHeading(level, title!);
    } else if (line.trim() === '') close('text');
    else open.push(line);
  }
  // A fence that nobody closes goes to the end.
  close(fence === undefined ? 'text' : 'code');
  return blocks;
}

export interface MarkdownOutline extends PageOutline {
  readonly url?: string | undefined;
}

/** The first heading of the first level is the page's title when its head names none. */
export function toOutline(title: string | undefined, blocks: readonly Block[]): PageOutline {
  const first = blocks.find((block) => block.kind === 'heading' && block.level === 1);
  return { title: title ?? (first?.kind === 'heading' ? first.title : undefined), blocks };
}

export function readMarkdown(text: string): MarkdownOutline {
  const { title, url, body } = splitFrontMatter(text);
  return { ...toOutline(title, readMarkdownBlocks(body)), url };
}
