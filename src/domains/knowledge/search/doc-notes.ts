import type { Call } from '#kernel/call.ts';
import { byWordsOnly } from '#kernel/search/hybrid.ts';
import { searchLimits } from '#kernel/search/search-limits.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { DocAnswer } from '../tools/search-docs.ts';
import type { ResolvedQuery, SearchOutcome } from './doc-query.ts';
import { isSigilWord } from './read-query.ts';

const { echoChars } = knowledgeLimits;

interface HintDeps {
  readonly runSearch: (query: ResolvedQuery, call: Call) => Promise<SearchOutcome>;
}

/** [KN6] Suggests another library, version or word if nothing was found. */
export function createHints({ runSearch }: HintDeps) {
  /** Searches for the same words without filters. */
  async function elsewhere(query: ResolvedQuery, call: Call): Promise<string | undefined> {
    const { choice, ...anywhere } = query;
    const { answer } = await runSearch({ ...anywhere, version: 'all', limit: 1, offset: 0, until: 1 }, call);
    if (answer.total === 0) return undefined;
    if (choice !== undefined) return `Other docs than those of ${choice.library} have it: search without library.`;
    return query.version === 'all' || query.version === 'both'
      ? undefined
      : 'Other versions have it: search with version "all".';
  }

  return async (query: ResolvedQuery, { answer: { hints }, parsed }: SearchOutcome, call: Call): Promise<string> => {
    if (parsed.terms.length === 0)
      return 'Use words that describe what you look for: "around hooks", app.use, HookContext.';
    const advice = await elsewhere(query, call);
    if (advice !== undefined) return `Nothing was found. ${advice}`;
    const near = hints.filter((word) => !isSigilWord(word));
    const words = near.length === 0 ? 'Try other or fewer words.' : `Similar words: ${near.join(', ')}.`;
    return `Nothing was found. ${words}`;
  };
}

const toIngest = (name: string): string =>
  `No docs of ${name} are stored: knowledge_ingest {"source":"npm:${name}"} ingests them.`;

/** What a caller should know about the answer: a query that was cut is not an error, and neither is a missing embedder. */
export function addNotes(
  found: DocAnswer,
  { mode, query, notIngested = [] }: Pick<ResolvedQuery, 'mode' | 'query' | 'notIngested'>,
  { answer: { leftOutCount }, pending, missing }: SearchOutcome,
): DocAnswer {
  const isWorthSaying = missing === 'language' || mode !== undefined;
  const hints = [
    ...notIngested.map(toIngest),
    found.hint,
    leftOutCount > 0 && `The query is long: only its first ${searchLimits.queryTermsCount} different words were used.`,
    query.length > echoChars && `query repeats only its first ${echoChars} characters.`,
    missing !== undefined && isWorthSaying && byWordsOnly[missing],
  ].filter((hint) => typeof hint === 'string');
  return {
    ...found,
    ...(pending !== undefined && { pending }),
    ...(hints.length > 0 && { hint: hints.join(' ') }),
  };
}
