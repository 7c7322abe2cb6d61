import { knowledgeLimits } from '../knowledge-limits.ts';
import type { NewSection } from '../libraries/write-pages.ts';

/** A part of a page in the order of its text. */
export type Block = Heading | TextBlock;

interface Heading {
  readonly kind: 'heading';
  /** From 1. */
  readonly level: number;
  readonly title: string;
  /** As the page itself names it. */
  readonly anchor?: string | undefined;
}

interface TextBlock {
  /** Code is never cut where it fits. */
  readonly kind: 'text' | 'code';
  /** Without blank lines around it. */
  readonly text: string;
}

/** A page as its format reads it. */
export interface PageOutline {
  /** Undefined: the page does not say. */
  readonly title: string | undefined;
  readonly blocks: readonly Block[];
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Where to end a piece that may go up to `to`: behind a line, a sentence or a word, if one ends in its second half. */
function endBefore(text: string, from: number, to: number): number {
  const half = from + Math.floor((to - from) / 2);
  // In a piece of its own: a search in the text would go on to its beginning.
  const secondHalf = text.slice(half, to);
  for (const mark of ['\n', '. ', ' ']) {
    const at = secondHalf.lastIndexOf(mark);
    if (at !== -1) return half + at + mark.length;
  }
  return isHighSurrogate(text.charCodeAt(to - 1)) && to - from > 1 ? to - 1 : to;
}

/** A text in pieces of at most so many characters; together they are the text. */
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

/**
 * The text of one section in pieces of at most so many characters, cut between its stretches. Only a stretch that does not
 * fit by itself is cut inside.
 */
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

/** As GitHub makes the anchor of a heading. */
export function toSlug(title: string): string {
  const slug = title.toLowerCase().replaceAll(dropped, '').trim().replaceAll(/\s/g, '-');
  return slug.slice(0, knowledgeLimits.anchorChars).toWellFormed();
}

/** Anchors of one page, each once: the second `usage` is `usage-1`. */
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
  /** Undefined: what stands before the first heading. */
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
 * A page in sections: one a heading, in the order of the text. A heading with nothing under it but deeper ones is told by
 * their breadcrumbs; one that is too long goes on in sections of its name.
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
    // The anchor is taken also by a heading that gets no section: links to those behind it count it.
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
