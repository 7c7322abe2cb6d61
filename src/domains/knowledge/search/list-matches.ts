import type { ParsedQuery } from '#kernel/search/keyword/query/parse-query.ts';
import type { StemOf } from '#kernel/search/stemmer.ts';
import { scanTokens } from '#kernel/text/tokens.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { Section } from './collection.ts';

/** The words of a section that the query asks for, as the section writes them. */
export function listMatches(
  { title, breadcrumb, text, wholeText = text }: Section,
  { terms }: ParsedQuery,
  stemOf: StemOf,
): readonly string[] {
  const stems = new Set<string>();
  for (const { kind, key, slots } of terms) {
    if (kind === 'word') stems.add(key);
    for (const { word } of slots) stems.add(stemOf(word));
  }
  const prefixes = terms.filter(({ kind }) => kind === 'prefix').map(({ key }) => key);
  const found = new Set<string>();
  for (const part of [title, ...breadcrumb, wholeText]) {
    scanTokens(part, (word) => {
      if (found.size >= knowledgeLimits.matchedWordsCount || found.has(word)) return;
      if (stems.has(stemOf(word)) || prefixes.some((prefix) => word.startsWith(prefix))) found.add(word);
    });
  }
  return [...found];
}
