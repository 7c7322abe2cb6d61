import { knowledgeLimits } from '../../knowledge-limits.ts';

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
