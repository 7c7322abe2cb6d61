import { knowledgeLimits } from '../knowledge-limits.ts';
import type { DocAnswer } from './doc-query.ts';
import type { DocSearch } from './doc-search.ts';

/**
 * Answers that were given at once and still hold: they are of the base, which never changes, and as long as the store's
 * stamp stands still nothing was committed that could stand beside it. What had to be waited for is asked anew: a library
 * or an embedder may answer otherwise the next time. So is everything where the store has no stamp.
 */
export function rememberAnswers(search: DocSearch, stamp: () => number | undefined): DocSearch {
  /** Those of late, and those before them: of the older ones only what is asked for again is kept. */
  let answers = new Map<string, DocAnswer>();
  let older = new Map<string, DocAnswer>();
  let stampOfAnswers: number | undefined;

  function remember(key: string, answer: DocAnswer): DocAnswer {
    if (answers.size >= knowledgeLimits.rememberedAnswersCount / 2) {
      older = answers;
      answers = new Map();
    }
    answers.set(key, answer);
    return answer;
  }

  function find(key: string): DocAnswer | undefined {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const old = older.get(key);
    return old === undefined ? undefined : remember(key, old);
  }

  return {
    print: (answer) => search.print(answer),
    find(query, call) {
      // Before the question: a commit after it moves the stamp once more.
      const now = stamp();
      if (now === undefined) return search.find(query, call);
      if (now !== stampOfAnswers) {
        answers = new Map();
        older = new Map();
        stampOfAnswers = now;
      }
      const { query: text, limit, version, library } = query;
      // No text holds a NUL by now, but for the question itself.
      const key = `${call.tenant}\0${limit}\0${version}\0${library ?? ''}\0${text}`;
      const known = find(key);
      // Frozen when it is asked for again: from then on its print is kept as well.
      if (known !== undefined) return Object.freeze(known);
      const found = search.find({ query: text, limit, version, library, stamp: now }, call);
      return found instanceof Promise ? found : remember(key, found);
    },
  };
}
