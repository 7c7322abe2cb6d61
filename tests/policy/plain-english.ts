import type { Prose } from './prose.ts';

/** Words and constructions that made the text of this project hard to read; `docs/glossary.md` has the words to use. */
const markers =
  /\b(?:told|tells|telling|stands|stood|anew|whoever|nobody|beside|at once|(?:is|are) no(?! longer)|as many as may be|rooms?|floors?|shelf|shelves|desk|doors?|caretaker|planted)\b/gi;

/** `src/a.ts:3 "nobody" in: …`, one line for each marker. */
export const findMarkers = (prose: readonly Prose[]): readonly string[] =>
  prose.flatMap(({ at, text }) =>
    [...text.replaceAll(/\s+/g, ' ').matchAll(markers)].map(([marker]) => `${at} "${marker}" in: ${text}`),
  );

/** Markers that may be left in comments and titles. Lower it when fewer are left; never raise it. */
export const allowedMarkers = 0;

export function findAllowanceViolations(found: readonly string[], allowed: number): readonly string[] {
  if (found.length > allowed) return found;
  return found.length < allowed ? [`lower allowedMarkers to ${found.length}`] : [];
}
