import { stem } from '../text/stem.ts';
import { searchLimits } from './search-limits.ts';

export type StemOf = (word: string) => string;

/** Caches stems: texts repeat a few thousand words. */
export function createStemmer(): StemOf {
  const known = new Map<string, string>();
  return (word) => {
    let found = known.get(word);
    if (found === undefined) {
      if (known.size >= searchLimits.stemCacheCount) known.clear();
      found = stem(word);
      known.set(word, found);
    }
    return found;
  };
}
