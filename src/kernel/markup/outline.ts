import { type FenceOpening, isFenceClosing, readFenceOpening } from './fences.ts';

/** Removes HTML comments from a Markdown text; an unclosed one extends to the end. */
export function cutComments(text: string): string {
  let kept = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('<!--', at);
    if (open === -1) return kept + text.slice(at);
    kept += text.slice(at, open);
    const close = text.indexOf('-->', open + 4);
    if (close === -1) return kept;
    at = close + 3;
  }
}

/** The words of one line of Markdown: the text of links, no marks of code and emphasis, no tags. */
export const plainText = (line: string): string =>
  line
    .replaceAll(/!?\[([^[\]]*)\]\([^()\s]*(?:[ \t]+"[^"]*")?\)/g, '$1')
    .replaceAll(/<\/?[a-zA-Z][^<>]*>/g, '')
    .replaceAll(/`+/g, '')
    .replaceAll(/\*+/g, '')
    // A name such as `_find` begins with an unclosed mark.
    .replaceAll(/(?<![\w_])__([^_\s][^_]*)__(?![\w_])/g, '$1')
    .replaceAll(/(?<![\w_])_([^_\s][^_]*)_(?![\w_])/g, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();

/** A heading with its text up to the next heading of any level. */
export interface OutlineSection {
  /** 1 to 6; 0 for the text before the first heading. */
  readonly level: number;
  /** Without Markdown marks; empty at level 0. */
  readonly title: string;
  /** Like GitHub's, unique in the page. Empty at level 0. */
  readonly anchor: string;
  /** The headings above it, outermost first, and its own. */
  readonly breadcrumb: readonly string[];
  /** Markdown without the heading and surrounding blank lines. */
  readonly text: string;
  /** Of the heading, from 1. */
  readonly line: number;
}

interface Heading {
  readonly level: number;
  readonly raw: string;
}

/** At most three blanks, one to six marks, a blank (CommonMark 0.31, 4.2). */
const atx = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/;
const closingMarks = /(?:^|[ \t])#+[ \t]*$/;
const setext = /^ {0,3}(=+|-+)[ \t]*$/;
/** `Title {#own-anchor}` */
const ownAnchor = /\{#([\w.:-]+)\}$/;

function readAtx(line: string): Heading | undefined {
  const [, marks, rest = ''] = atx.exec(line) ?? [];
  return marks === undefined ? undefined : { level: marks.length, raw: rest.replace(closingMarks, '').trim() };
}

/** A line that can be the text of a setext heading: prose, not another kind of block. */
const isProse = (line: string): boolean => /^ {0,3}[^\s#>|`~*+-]/.test(line) && !/^ {0,3}\d{1,9}[.)]/.test(line);

/** `Around hooks` → `around-hooks`: keeps letters, digits, `-` and `_`; blanks become dashes. */
export const toAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

class Draft {
  readonly sections: OutlineSection[] = [];
  private readonly above: { level: number; title: string }[] = [];
  private readonly anchors = new Map<string, number>();
  private heading: Omit<OutlineSection, 'text'> = { level: 0, title: '', anchor: '', breadcrumb: [], line: 1 };
  private lines: string[] = [];

  add(line: string): void {
    this.lines.push(line);
  }

  last(): string {
    return this.lines.at(-1) ?? '';
  }

  dropLast(): void {
    this.lines.pop();
  }

  open({ level, raw }: Heading, line: number): void {
    this.close();
    const given = ownAnchor.exec(raw.trimEnd())?.[1];
    const title = plainText(raw.trimEnd().replace(ownAnchor, ''));
    while ((this.above.at(-1)?.level ?? 0) >= level) this.above.pop();
    this.above.push({ level, title });
    this.heading = {
      level,
      title,
      anchor: this.once(given ?? toAnchor(title)),
      breadcrumb: this.above.map((heading) => heading.title).filter((text) => text !== ''),
      line,
    };
  }

  close(): void {
    const text = this.lines
      .join('\n')
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd();
    if (this.heading.level > 0 || text !== '') this.sections.push({ ...this.heading, text });
    this.lines = [];
  }

  private once(anchor: string): string {
    const count = this.anchors.get(anchor) ?? 0;
    this.anchors.set(anchor, count + 1);
    return count === 0 ? anchor : this.once(`${anchor}-${count}`);
  }
}

/** The sections of a page in order, in one pass. Ignores headings inside fences and comments. */
export function readOutline(markdown: string): readonly OutlineSection[] {
  const draft = new Draft();
  let fence: FenceOpening | undefined;
  let isComment = false;
  for (const [i, line] of markdown.split(/\r\n|\r|\n/).entries()) {
    if (fence !== undefined) {
      if (isFenceClosing(line, fence)) fence = undefined;
      draft.add(line);
      continue;
    }
    if (isComment || line.trimStart().startsWith('<!--')) {
      isComment = !line.includes('-->');
      draft.add(line);
      continue;
    }
    fence = readFenceOpening(line);
    const heading = fence === undefined ? readAtx(line) : undefined;
    const underline = fence === undefined && isProse(draft.last()) ? setext.exec(line)?.[1] : undefined;
    if (heading !== undefined) draft.open(heading, i + 1);
    else if (underline !== undefined) {
      const raw = draft.last().trim();
      draft.dropLast();
      draft.open({ level: underline.startsWith('=') ? 1 : 2, raw }, i);
    } else draft.add(line);
  }
  draft.close();
  return draft.sections;
}
