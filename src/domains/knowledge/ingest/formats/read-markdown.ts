import { cutFrontMatter } from '#kernel/markup/front-matter.ts';
import { decodeEntities } from '#kernel/markup/html-tags.ts';
import type { Block, PageOutline } from '../page-sections.ts';

/** A one-line value, with or without quotes. Multi-line values are not needed. */
function toValue(text: string): string | undefined {
  const value = text.trim();
  const quote = value[0];
  if ((quote === '"' || quote === "'") && value.length > 1 && value.endsWith(quote)) return value.slice(1, -1).trim();
  return value === '' || value.startsWith('|') || value.startsWith('>') ? undefined : value;
}

/** Reads title and URL line by line. If no line has a key, the dashes are horizontal rules and not front matter. */
export function splitFrontMatter(text: string) {
  // Hugo also allows TOML.
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

/** Images that are links: logos and badges. */
const badges = /\[!\[[^\][]*\](?:\([^()]*\)|\[[^\][]*\])\](?:\([^()]*\)|\[[^\][]*\])/g;
/** They lay out a page and say nothing. */
const layoutTags = /<\/?(?:a|br|center|div|h[1-6]|hr|img|p|picture|source|span|sub|sup)(?:\s[^<>]*|\/)?>/gi;
const lineBreaks = /<br\s*\/?>/gi;
/** A row of links is navigation. */
const htmlLinks = /<a\s[^<>]*>[^<>]*<\/a>|&[a-z]+;/gi;

/** The text without badges and layout; empty if nothing else is in it. Code is kept unchanged. */
function dropLayout(text: string): string {
  if (!/<|!\[/.test(text) || indentOf(text) > 3) return text;
  const kept = text
    .split('`')
    .map((part, i) =>
      i % 2 === 1 ? part : part.replaceAll(badges, '').replaceAll(lineBreaks, '\n').replaceAll(layoutTags, ''),
    )
    .join('`');
  const isHtml = text.trimStart().startsWith('<');
  const rest = isHtml ? text.replaceAll(htmlLinks, '').replaceAll(layoutTags, '') : kept.replaceAll(images, '');
  if (!/[\p{L}\p{N}]/u.test(rest)) return '';
  if (kept === text) return text;
  const lines = kept.replaceAll(/^[ \t]*\n/gm, '').trimEnd();
  return isHtml ? lines.replaceAll(/^[ \t]+/gm, '') : lines;
}

/** Removes emphasis, links and tags. */
const toPlain = (markdown: string): string =>
  markdown
    .replaceAll(images, '$1')
    .replaceAll(links, '$1')
    .replaceAll(/\*\*|__(?=\S)|(?<=\S)__/g, '')
    .replaceAll(tags, '')
    .replaceAll(escapes, '$1');

/** Splits `Title {#name}`. */
function splitAnchor(markdown: string): { readonly text: string; readonly anchor: string | undefined } {
  const text = markdown.trimEnd();
  const at = text.endsWith('}') ? text.lastIndexOf('{#') : -1;
  const anchor = at === -1 ? '' : text.slice(at + 2, -1);
  return /^[\w:.-]+$/.test(anchor) ? { text: text.slice(0, at), anchor } : { text, anchor: undefined };
}

/** Text between backticks is kept unchanged. */
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

/** In columns: a tab advances to the next multiple of four. */
function indentOf(line: string): number {
  let columns = 0;
  for (const char of line) {
    if (char === '\t') columns += 4 - (columns % 4);
    else if (char === ' ') columns += 1;
    else break;
  }
  return columns;
}

/** Also accepts fences in lists and quotes: what matters is that nothing inside them is a heading. */
export function openFence(line: string): Fence | undefined {
  const bare = line.trimStart().replace(/^(?:>\s?|[-*+]\s+|\d{1,9}[.)]\s+)/, '');
  const mark = bare[0];
  if (mark !== '`' && mark !== '~') return undefined;
  let length = 0;
  while (bare[length] === mark) length += 1;
  // Three backticks on one line are inline code.
  if (length < 3 || (mark === '`' && bare.includes('`', length))) return undefined;
  return { mark, length };
}

export function closesFence(line: string, { mark, length }: Fence): boolean {
  const bare = line.trim().replace(/^>\s?/, '');
  return bare.length >= length && bare === mark.repeat(bare.length);
}

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

/** Reads `<h1 align="center">Title</h1>`, which is common in READMEs. */
function readTagHeading(line: string): ReturnType<typeof readHeading> {
  const bare = line.trim();
  const [tag, level] = /^<h([1-6])\b[^<>]*>/i.exec(bare) ?? [];
  const end = `</h${level}>`;
  if (tag === undefined || !bare.toLowerCase().endsWith(end)) return undefined;
  const text = bare.slice(tag.length, -end.length);
  return toTitle(text).title === '' ? undefined : { level: Number(level), text };
}

/** A line of `=` or `-` makes the single line above it a heading. */
function underlineLevel(line: string): number | undefined {
  const bare = line.trim();
  if (bare.length < 2 || indentOf(line) > 3) return undefined;
  if (bare === '='.repeat(bare.length)) return 1;
  return bare === '-'.repeat(bare.length) ? 2 : undefined;
}

const isListOrQuote = (line: string): boolean => /^\s*(?:[-*+>|]|\d{1,9}[.)])/.test(line);

/** Comments are dropped. */
export function readMarkdownBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: string[] = [];
  let fence: Fence | undefined;
  let isComment = false;

  function close(kind: 'text' | 'code'): void {
    const joined = open.join('\n');
    const kept = kind === 'text' ? dropLayout(joined.trimEnd()) : joined;
    if (kept.trim() !== '') blocks.push({ kind, text: kept });
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
  close(fence === undefined ? 'text' : 'code');
  return blocks;
}

export interface MarkdownOutline extends PageOutline {
  readonly url?: string | undefined;
}

/** Without a title in the front matter, the first level-1 heading is the title. */
export function toOutline(title: string | undefined, blocks: readonly Block[]): PageOutline {
  const first = blocks.find((block) => block.kind === 'heading' && block.level === 1);
  return { title: title ?? (first?.kind === 'heading' ? first.title : undefined), blocks };
}

export function readMarkdown(text: string): MarkdownOutline {
  const { title, url, body } = splitFrontMatter(text);
  return { ...toOutline(title, readMarkdownBlocks(body)), url };
}
