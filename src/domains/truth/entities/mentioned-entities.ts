import type { Call } from '#kernel/call.ts';
import { isStopWord } from '#kernel/search/stop-words.ts';
import { identifiersOf } from '../observations/match-keys.ts';
import type { ListedEntity } from './entity-model.ts';
import { type EntityHead, findEntityHeads, listEntitiesByIdentifier } from './entity-store.ts';
import type { EntitiesDeps } from './load-entity.ts';

/** Words of a text that are looked up, length of a word, words of a name, and entities. */
const mentionLimits = { wordsCount: 64, wordChars: 100, nameWordsCount: 5, entitiesCount: 8 } as const;

const isPartOfWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{M}\p{N}]/u.test(char);

/** Without the punctuation around it: `(Acme's,` is `Acme`. */
function trimWord(word: string): string {
  const chars = [...word.slice(0, mentionLimits.wordChars)];
  const from = chars.findIndex(isPartOfWord);
  const to = chars.findLastIndex(isPartOfWord) + 1;
  const trimmed = chars.slice(from, to).join('');
  return from === -1 ? '' : trimmed.replace(/['’]s$/u, '');
}

/** Each run of a few words that may be a name. */
function namesIn(text: string): readonly string[] {
  const words = text.split(/\s+/u, mentionLimits.wordsCount).map(trimWord);
  return words.flatMap((first, from) => {
    if (first === '') return [];
    const runs = words
      .slice(from, from + mentionLimits.nameWordsCount)
      .map((_, more) => words.slice(from, from + more + 1));
    return runs.filter((run) => !run.every((word) => isStopWord(word.toLowerCase()))).map((run) => run.join(' '));
  });
}

/** Entities with a name, an alias or a number that occurs in the text, as they are now. */
export const createMentioned =
  (
    { storage }: Pick<EntitiesDeps, 'storage'>,
    list: (heads: readonly EntityHead[], call: Call) => Promise<readonly ListedEntity[]>,
  ) =>
  async (text: string, call: Call): Promise<readonly ListedEntity[]> => {
    const identifiers = [...new Set(namesIn(text).flatMap(identifiersOf))];
    if (identifiers.length === 0) return [];
    const heads = await storage.read(call, function* (db) {
      const found = yield* listEntitiesByIdentifier(db, identifiers, mentionLimits.entitiesCount);
      return found.length === 0 ? [] : yield* findEntityHeads(db, [...new Set(found.map(({ root_id }) => root_id))]);
    });
    return heads.length === 0 ? [] : list(heads, call);
  };
