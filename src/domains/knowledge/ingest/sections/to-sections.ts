import { knowledgeLimits } from '../../knowledge-limits.ts';
import type { NewSection } from '../../libraries/write-pages.ts';
import type { Block, Heading, Stretch } from './block.ts';
import { packStretches } from './cut-text.ts';
import { createAnchors, toSlug } from './slug.ts';

interface Part {
  /** Undefined: what stands before the first heading. */
  readonly heading: Heading | undefined;
  readonly stretches: readonly Stretch[];
}

function splitAtHeadings(blocks: readonly Block[]): readonly Part[] {
  const parts: { heading: Heading | undefined; stretches: Stretch[] }[] = [{ heading: undefined, stretches: [] }];
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
    const texts = packStretches(stretches, sectionChars);
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
