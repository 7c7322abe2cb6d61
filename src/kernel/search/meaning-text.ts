import { stem } from '../text/stem.ts';
import { scanTokens } from '../text/tokens.ts';
import type { SearchAnswer } from './answer-search.ts';
import { searchLimits } from './search-limits.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

const contains = (outer: Range, { start, end }: Range): boolean => outer.start <= start && end <= outer.end;

/**
 * The query without the words that many of the filtered documents have, such as the names of two speakers: they make
 * every document similar to the query. Unchanged if hardly anything else would be left, or among a few documents.
 */
export function toMeaningText(
  text: string,
  { filteredCount, terms }: Pick<SearchAnswer, 'filteredCount' | 'terms'>,
): string {
  if (filteredCount < searchLimits.frequentDocsCount) return text;
  const most = filteredCount * searchLimits.frequentRatio;
  const frequent = new Set(terms.filter(({ docCount }) => docCount > most).map(({ key }) => key));
  if (frequent.size === 0 || terms.length - frequent.size < searchLimits.restTermsCount) return text;
  const cuts: Range[] = [];
  const compounds: Range[] = [];
  scanTokens(text, (word, _position, start, end, isWhole) => {
    if (isWhole) compounds.push({ start, end });
    else if (frequent.has(stem(word))) cuts.push({ start, end });
  });
  let at = 0;
  let kept = '';
  for (const cut of cuts) {
    // A part of a name such as HookContext is not a word of its own.
    if (compounds.some((compound) => contains(compound, cut))) continue;
    kept += text.slice(at, cut.start);
    at = cut.end;
  }
  return (kept + text.slice(at)).replace(/\s+/g, ' ').trim();
}
