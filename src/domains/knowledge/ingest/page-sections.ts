import { knowledgeLimits } from '../knowledge-limits.ts';
import type { NewSection } from '../libraries/write-pages.ts';

export type Block = Heading | TextBlock;

interface Heading {
  readonly kind: 'heading';
  /** From 1. */
  readonly level: number;
  readonly title: string;
  /** An explicit anchor from the page. */
  readonly anchor?: string | undefined;
}

interface TextBlock {
  /** Code is not split if it fits into a section. */
  readonly kind: 'text' | 'code';
  /** Without surrounding blank lines. */
  readonly text: string;
}

export interface PageOutline {
  readonly title: string | undefined;
  readonly blocks: readonly Block[];
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Ends after a line, a sentence or a word if there is one in the second half, else at `to`. */
function endBefore(text: string, from: number, to: number): number {
  const half = from + Math.floor((to - from) / 2);
  // A slice, because lastIndexOf on the whole text would scan back to its beginning.
  const secondHalf = text.slice(half, to);
  for (const mark of ['\n', '. ', ' ']) {
    const at = secondHalf.lastIndexOf(mark);
    if (at !== -1) return half + at + mark.length;
  }
  return isHighSurrogate(text.charCodeAt(to - 1)) && to - from > 1 ? to - 1 : to;
}

export function cutText(text: string, chars: number): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = text.length - from <= chars ? text.length : endBefore(text, from, from + chars);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

const gap = '\n\n';

/** Splits between blocks. Only a block that is longer than the limit is split inside. */
export function packBlocks(stretches: readonly TextBlock[], chars: number): readonly string[] {
  const pieces: string[] = [];
  let open = '';
  function close(): void {
    if (open !== '') pieces.push(open);
    open = '';
  }
  for (const { text } of stretches) {
    if (open.length + gap.length + text.length <= chars && open !== '') open += gap + text;
    else {
      close();
      if (text.length <= chars) open = text;
      else {
        const parts = cutText(text, chars);
        pieces.push(...parts.slice(0, -1));
        open = parts.at(-1) ?? '';
      }
    }
  }
  close();
  return pieces;
}

const dropped = /[^\p{L}\p{M}\p{N}\s_-]+/gu;

/** Follows GitHub's rule for heading anchors. */
export function toSlug(title: string): string {
  const slug = title.toLowerCase().replaceAll(dropped, '').trim().replaceAll(/\s/g, '-');
  return slug.slice(0, knowledgeLimits.anchorChars).toWellFormed();
}

/** Unique within a page: the second `usage` becomes `usage-1`. */
export function createAnchors(): (wanted: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (wanted) => {
    const base = wanted === '' ? 'section' : wanted;
    let anchor = base;
    for (let i = counts.get(base) ?? 0; taken.has(anchor); ) {
      i += 1;
      counts.set(base, i);
      anchor = `${base}-${i}`;
    }
    taken.add(anchor);
    return anchor;
  };
}

interface Part {
  /** Undefined for the text before the first heading. */
  readonly heading: Heading | undefined;
  readonly stretches: readonly TextBlock[];
}

function splitAtHeadings(blocks: readonly Block[]): readonly Part[] {
  const parts: { heading: Heading | undefined; stretches: TextBlock[] }[] = [{ heading: undefined, stretches: [] }];
  for (const block of blocks) {
    if (block.kind === 'heading') parts.push({ heading: block, stretches: [] });
    else parts.at(-1)!.stretches.push(block);
  }
  return parts;
}

const toTitle = (text: string): string => text.slice(0, knowledgeLimits.titleChars).toWellFormed().trim();

/**
 * One section per heading. A heading that only has deeper headings under it appears only in their breadcrumbs. A long
 * section continues in further sections with the same title.
 */
export function toSections(
  pageTitle: string,
  blocks: readonly Block[],
  sectionChars: number = knowledgeLimits.sectionChars,
): readonly NewSection[] {
  const anchorOf = createAnchors();
  const page = toTitle(pageTitle);
  const sections: NewSection[] = [];
  const above: Heading[] = [];
  const parts = splitAtHeadings(blocks);

  function isEmpty({ heading, stretches }: Part, next: Part | undefined): boolean {
    if (stretches.length > 0) return false;
    return heading === undefined || (next?.heading?.level ?? 0) > heading.level;
  }

  parts.forEach((part, i) => {
    const { heading, stretches } = part;
    if (heading !== undefined) {
      while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
      above.push(heading);
    }
    // A heading without a section still uses up its anchor, because links to later headings count it.
    const anchor = anchorOf(heading === undefined ? 'top' : toSlug(heading.anchor ?? heading.title));
    if (isEmpty(part, parts[i + 1])) return;
    const headings = above.map(({ title }) => toTitle(title)).filter((title) => title !== '');
    const path = headings[0] === page || headings.length === 0 ? headings : [page, ...headings];
    const breadcrumb = path.length === 0 ? [page] : path.slice(0, knowledgeLimits.breadcrumbCount);
    const texts = packBlocks(stretches, sectionChars);
    (texts.length === 0 ? [''] : texts).forEach((text, piece) => {
      sections.push({
        anchor: piece === 0 ? anchor : `${anchor}~${piece + 1}`,
        level: piece === 0 ? (heading?.level ?? 1) : 0,
        title: breadcrumb.at(-1)!,
        breadcrumb,
        text,
      });
    });
  });
  return sections;
}
