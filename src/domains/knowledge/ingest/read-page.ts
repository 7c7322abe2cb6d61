import { sha256Hex } from '#kernel/hash/hash.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { NewPage } from '../libraries/write-pages.ts';
import { typesCategory } from '../search/collection.ts';
import { type Format, withoutEnding } from './formats/page-format.ts';
import { readDeclarations } from './formats/read-declarations.ts';
import { readHtml } from './formats/read-html.ts';
import { type MarkdownOutline, readMarkdown } from './formats/read-markdown.ts';
import { readMdx } from './formats/read-mdx.ts';
import { type Block, type PageOutline, toSections } from './page-sections.ts';

/** Characters that underline titles in reStructuredText. */
const underlines = new Set('=-~^"\'#*+`:.<>_');

function underlineOf(line: string | undefined, title: string): string | undefined {
  const bare = line?.trimEnd() ?? '';
  const mark = bare[0];
  if (mark === undefined || !underlines.has(mark) || bare !== mark.repeat(bare.length)) return undefined;
  return bare.length >= Math.max(3, title.trim().length - 1) ? mark : undefined;
}

function isOverline(lines: readonly string[], i: number): boolean {
  const title = lines[i + 1] ?? '';
  const mark = title.trim() === '' ? undefined : underlineOf(lines[i], title);
  return mark !== undefined && underlineOf(lines[i + 2], title) === mark && underlineOf(title, '') === undefined;
}

/** Each underline character is a heading level, in order of appearance. */
export function readPlain(text: string): PageOutline {
  const blocks: Block[] = [];
  const levels: string[] = [];
  let open: string[] = [];
  function close(): void {
    const joined = open.join('\n');
    if (joined.trim() !== '') blocks.push({ kind: 'text', text: joined.trimEnd() });
    open = [];
  }
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i += 1) {
    // A title may also have an overline.
    if (open.length === 0 && isOverline(lines, i)) i += 1;
    const line = lines[i]!;
    const mark = line.trim() === '' || open.length > 0 ? undefined : underlineOf(lines[i + 1], line);
    const isTitle = mark !== undefined && underlineOf(line, '') === undefined;
    if (isTitle) {
      if (!levels.includes(mark)) levels.push(mark);
      blocks.push({ kind: 'heading', level: levels.indexOf(mark) + 1, title: line.trim() });
      i += 1;
    } else if (line.trim() === '') close();
    else open.push(line);
  }
  close();
  const first = blocks[0];
  return { title: first?.kind === 'heading' ? first.title : undefined, blocks };
}

const readers: Readonly<Record<Format, (text: string) => MarkdownOutline>> = {
  markdown: readMarkdown,
  mdx: readMdx,
  html: readHtml,
  plain: readPlain,
  declarations: readDeclarations,
};

/** Increment to read all pages again after a change of the readers or of what is indexed. */
const readingVersion = 4;

/** Equal hashes mean equal sections. */
export const hashOfPage = (format: Format, text: string): string => sha256Hex(`${readingVersion}\n${format}\n${text}`);

const changelog = /(?:^|\/)(?:changelog|changes|history|releases?)\.[a-z]+$/i;

function categoryOf(path: string, format: Format): string {
  if (format === 'declarations') return typesCategory;
  return changelog.test(path) ? 'changelog' : 'docs';
}

/** The file name, or for `index` and `readme` the folder name. */
function titleFromPath(path: string): string {
  const parts = withoutEnding(path).split('/');
  const last = parts.at(-1) ?? '';
  const name = /^(?:index|readme)$/i.test(last) && parts.length > 1 ? parts.at(-2)! : last;
  return name.replaceAll(/[-_]+/g, ' ').trim() || path;
}

export interface PageText {
  readonly path: string;
  readonly format: Format;
  readonly text: string;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
}

/** The page, the reason why it is skipped, or undefined if it has no content of its own. */
export type ReadPageResult = NewPage | { readonly reason: string } | undefined;

export function readPage({ path, format, text, title, url }: PageText, hash: string): ReadPageResult {
  const outline = readers[format](text);
  const declaredTitle = format === 'declarations' ? path : undefined;
  const pageTitle = title || outline.title || declaredTitle || titleFromPath(path);
  const tooMany = { reason: `it has more than ${knowledgeLimits.sectionsCount} sections` };
  if (outline.blocks.filter(({ kind }) => kind === 'heading').length > knowledgeLimits.sectionsCount) return tooMany;
  const sections = toSections(pageTitle, outline.blocks);
  // Such a file only re-exports others.
  if (sections.length === 0) return format === 'declarations' ? undefined : { reason: 'it contains no text' };
  if (sections.length > knowledgeLimits.sectionsCount) return tooMany;
  return {
    ...{ path, hash, sections },
    title: pageTitle.slice(0, knowledgeLimits.titleChars).toWellFormed(),
    category: categoryOf(path, format),
    url: url ?? outline.url,
  };
}
