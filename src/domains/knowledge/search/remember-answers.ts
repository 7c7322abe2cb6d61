import type { DocAnswer } from './doc-query.ts';
import type { DocSearch } from './doc-search.ts';
import { docSearchLimits } from './search-limits.ts';

/**
 * Answers that were given before and still hold: the base never changes, and as long as the store's stamp stands still
 * nothing was committed by anyone. Where the store has no stamp, every question is asked anew.
 */
export function rememberAnswers(search: DocSearch, stamp: () => number | undefined): DocSearch {
  /** Those of late, and those before them: of the older ones only what is asked for again is kept. */
  let answers = new Map<string, DocAnswer>();
  let older = new Map<string, DocAnswer>();
  let stampOfAnswers: number | undefined;

  function remember(key: string, answer: DocAnswer): void {
    if (answers.size >= docSearchLimits.rememberedAnswersCount / 2) {
      older = answers;
      answers = new Map();
    }
    answers.set(key, answer);
  }

  function forgetAt(now: number): void {
    if (now === stampOfAnswers) return;
    answers = new Map();
    older = new Map();
    stampOfAnswers = now;
  }

  return {
    print: (answer) => search.print(answer),
    find(query, call) {
      // Before the question: a commit after it moves the stamp once more.
      const now = stamp();
      if (now === undefined) return search.find(query, call);
      forgetAt(now);
      const { query: text, limit, version, library } = query;
      const key = JSON.stringify([call.tenant, text, limit, version, library]);
      const keep = (answer: DocAnswer): DocAnswer => {
        if (now === stampOfAnswers && !answers.has(key)) remember(key, answer);
        return answer;
      };
      const known = answers.get(key) ?? older.get(key);
      // Frozen when it is asked for again: from then on its print is kept as well.
      if (known !== undefined) return keep(Object.freeze(known));
      const found = search.find({ ...query, stamp: now }, call);
      return found instanceof Promise ? found.then(keep) : keep(found);
    },
  };
}
