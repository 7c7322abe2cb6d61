import { attributeOf, decodeEntities, readTags, type Tag } from '#kernel/markup/html-tags.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import type { Block, PageOutline } from '../page-sections.ts';

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const blockTags = toSet(
  'address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form header hr html li main nav ol p section summary table tbody tfoot thead ul',
);
/** Only the end tags of these are trusted: many pages leave other tags open. */
const regionTags = toSet('article aside div footer form header main nav section');
const navigationTags = toSet('nav aside form');

type PageRegion = 'main' | 'article' | 'page' | 'margin' | 'aside';

interface OpenRegion {
  readonly name: string;
  readonly place: PageRegion;
}

function regionOf(tag: Tag, around: PageRegion): PageRegion {
  const role = attributeOf(tag, 'role');
  if (around === 'aside' || navigationTags.has(tag.name) || role === 'navigation' || role === 'search') return 'aside';
  if (around === 'main' || tag.name === 'main' || role === 'main') return 'main';
  if (around === 'article' || tag.name === 'article') return 'article';
  return around === 'margin' || tag.name === 'header' || tag.name === 'footer' ? 'margin' : 'page';
}

const toText = (text: string): string =>
  decodeEntities(text)
    .replaceAll(/[ \t\n\r\f\u00a0]+/g, ' ')
    .trim();

/** The fence must be longer than every run of backticks in the text. */
function toCode(language: string, text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

const languageOf = (tag: Tag): string =>
  /(?:^|\s)(?:language|lang|highlight-source|highlight)-([\w+#-]+)/.exec(attributeOf(tag, 'class') ?? '')?.[1] ?? '';

/** Sites append a permalink sign to headings. */
function withoutMarks(title: string): string {
  let end = title.length;
  while (end > 0 && ' ¶#\u200b'.includes(title[end - 1]!)) end -= 1;
  return title.slice(0, end);
}

interface RegionBlock {
  readonly block: Block;
  readonly place: PageRegion;
}

/** Prefers the main part, then articles, then everything except margins. */
function mainBlocks(found: readonly RegionBlock[]): readonly Block[] {
  const hasText = (part: readonly RegionBlock[]): boolean => part.some(({ block }) => block.kind !== 'heading');
  const parts: readonly (readonly PageRegion[])[] = [
    ['main'],
    ['article', 'main'],
    ['page'],
    ['page', 'margin', 'aside'],
  ];
  for (const places of parts) {
    const some = found.filter(({ place }) => places.includes(place));
    if (hasText(some)) return some.map(({ block }) => block);
  }
  return found.map(({ block }) => block);
}

/** Reads the main part of a page: headings, lists, tables as lines, code. */
export function readHtml(html: string): PageOutline {
  const found: RegionBlock[] = [];
  const open: OpenRegion[] = [];
  let lines: string[] = [];
  let line = '';
  // Not read from the line, which would be scanned again for each cell.
  let hasText = false;
  let title: string | undefined;
  let heading: { readonly level: number; readonly anchor: string | undefined } | undefined;
  let code: { language: string; text: string } | undefined;
  let tableDepth = 0;
  let isTitle = false;

  const place = (): PageRegion => open.at(-1)?.place ?? 'page';
  function endLine(): void {
    const text = toText(line);
    if (text !== '' && text !== '-') lines.push(text);
    line = '';
    hasText = false;
  }
  function flush(): void {
    endLine();
    const text = lines.join('\n');
    lines = [];
    if (text === '') return;
    if (heading !== undefined) {
      const bare = withoutMarks(text.replaceAll('\n', ' ').replaceAll('`', ''));
      found.push({ place: place(), block: { kind: 'heading', ...heading, title: bare } });
      // Ends a heading whose end tag is missing.
      heading = undefined;
    } else found.push({ place: place(), block: { kind: 'text', text } });
  }
  function enter(tag: Tag): void {
    if (!regionTags.has(tag.name)) return;
    if (!tag.isEnd) open.push({ name: tag.name, place: regionOf(tag, place()) });
    else {
      const bottom = Math.max(0, open.length - knowledgeLimits.openTagsCount);
      for (let i = open.length - 1; i >= bottom; i -= 1) {
        if (open[i]!.name !== tag.name) continue;
        open.length = i;
        break;
      }
    }
  }
  function takeCode(tag: Tag): void {
    if (!tag.isEnd) {
      flush();
      code = { language: languageOf(tag), text: '' };
    } else if (code !== undefined) {
      const text = decodeEntities(code.text).replace(/^\n/, '').trimEnd();
      if (text.trim() !== '')
        found.push({ place: place(), block: { kind: 'code', text: toCode(code.language, text) } });
      code = undefined;
    }
  }
  function takeHeading(tag: Tag, level: number): void {
    flush();
    heading = tag.isEnd ? undefined : { level, anchor: attributeOf(tag, 'id') };
  }
  function take(tag: Tag): void {
    const { name, isEnd } = tag;
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (name === 'pre') takeCode(tag);
    else if (code !== undefined) {
      if (name === 'br') code.text += '\n';
      else if (name === 'code' && code.language === '') code.language = languageOf(tag);
    } else if (level !== undefined) takeHeading(tag, Number(level));
    else if (name === 'title') isTitle = !isEnd && title === undefined;
    else if (name === 'code' || name === 'kbd' || name === 'samp') {
      line += '`';
      hasText = true;
    } else if (name === 'br') endLine();
    else if (name === 'tr') endLine();
    else if ((name === 'td' || name === 'th') && !isEnd) line += hasText ? ' | ' : '';
    else if (name === 'li' && !isEnd && tableDepth === 0) {
      endLine();
      line = '- ';
      hasText = true;
    } else if (name === 'li') endLine();
    else if (blockTags.has(name)) {
      if (name === 'table') tableDepth = Math.max(0, tableDepth + (isEnd ? -1 : 1));
      if (tableDepth === 0 || name === 'table') {
        // A paragraph at the start of a list item stays on its line.
        if (name === 'p' && !isEnd && line === '- ') return;
        flush();
      } else line += ' ';
      enter(tag);
    }
  }

  for (const token of readTags(html)) {
    if ('name' in token) take(token);
    else if (isTitle) title = toText(token.text);
    else if (code !== undefined) code.text += token.text;
    else {
      line += token.text;
      hasText ||= toText(token.text) !== '';
    }
  }
  flush();
  const blocks = mainBlocks(found);
  const first = blocks.find((block) => block.kind === 'heading' && block.level === 1);
  return { title: (first?.kind === 'heading' ? first.title : title) || undefined, blocks };
}
