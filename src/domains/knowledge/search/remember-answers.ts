import type { DocAnswer } from './doc-query.ts';
import type { DocSearch } from './doc-search.ts';
import { docSearchLimits } from './search-limits.ts';

/**
 * Answers that were given before and still hold: the base never changes, and as long as the store's stamp stands still
 * nothing was committed by anyone. Where the store has no stamp, every question is asked anew.
 */
export function rememberAnswers(search: DocSearch, stamp: () => number | undefined): DocSearch {
  /** The oldest first. */
  const answers = new Map<string, DocAnswer>();
  let stampOfAnswers: number | undefined;

  function remember(key: string, answer: DocAnswer): void {
    answers.set(key, answer);
    if (answers.size <= docSearchLimits.rememberedAnswersCount) return;
    const [oldest] = answers.keys();
    answers.delete(oldest!);
  }

  return {
    async find(query, call) {
      // Before the question: a commit after it moves the stamp once more.
      const now = stamp();
      if (now === undefined) return search.find(query, call);
      if (now !== stampOfAnswers) {
        answers.clear();
        stampOfAnswers = now;
      }
      const { query: text, limit, version, library } = query;
      const key = JSON.stringify([call.tenant, text, limit, version, library]);
      const known = answers.get(key);
      if (known !== undefined) return known;
      // Frozen: what is printed of it once need not be printed again.
      const answer = Object.freeze(await search.find(query, call));
      if (now === stampOfAnswers) remember(key, answer);
      return answer;
    },
  };
}
