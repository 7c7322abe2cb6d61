import { scanTokens } from '../../../text/tokens.ts';
import { type Collection, type SearchDocument, textOf } from '../../collection.ts';
import { germanKey, isGerman } from '../../german-words.ts';
import type { StemOf } from '../../stemmer.ts';
import { isStopWord } from '../../stop-words.ts';
import type { FacetFilter } from './filter.ts';
import type { QueryTerm, Slot } from './parse-query.ts';
import { substringCeiling } from './rank-part.ts';
import type { HitKey, PartsQuery } from './search-parts.ts';

interface Token {
  readonly word: string;
  readonly stem: string;
  readonly position: number;
  readonly isWhole: boolean;
}

interface TokenisedDocument {
  readonly document: SearchDocument;
  readonly fields: readonly (readonly Token[])[];
}

/** The definition of the ranking, computed over all texts without an index: the oracle for the index. */
export function searchPlainly(
  collection: Collection,
  documents: readonly SearchDocument[],
  query: PartsQuery,
  stemOf: StemOf,
): { readonly hits: readonly HitKey[]; readonly total: number } {
  const { parsed, filters, limit, after, substring } = query;
  if (parsed.terms.length === 0) return { hits: [], total: 0 };
  // Only documents that pass the filters count for statistics.
  const all = documents
    .filter((document) => filters.every((filter) => passes(document, filter)))
    .map((document) => read(collection, document, stemOf));
  const lengthOf = (tokens: readonly Token[]) => tokens.filter(({ isWhole }) => !isWhole).length;
  const means = collection.fields.map((_, field) => {
    const sum = all.reduce((total, { fields }) => total + lengthOf(fields[field]!), 0);
    return sum === 0 ? 1 : sum / all.length;
  });
  const frequencyOf = (fields: TokenisedDocument['fields'], count: (tokens: readonly Token[]) => number) =>
    fields.reduce((sum, tokens, field) => {
      const found = Math.min(255, count(tokens));
      if (found === 0) return sum;
      const length = Math.min(lengthOf(tokens), collection.relativeLengthMax * means[field]!);
      const share = collection.b / means[field]!;
      return sum + (collection.weights[field]! * found) / (1 - collection.b + share * length);
    }, 0);
  const gains = parsed.terms.map((term) => {
    const found = all.filter(({ fields }) => fields.some((tokens) => countTerm(term, tokens) > 0)).length;
    return term.weight * (collection.k1 + 1) * Math.log(1 + (all.length - found + 0.5) / (found + 0.5));
  });
  const boost = Math.max(
    1,
    gains.reduce((sum, gain) => sum + gain, 0),
  );

  function scoreOf({ document, fields }: TokenisedDocument): number {
    let score = 0;
    const groups = new Set<number>();
    parsed.terms.forEach((term, i) => {
      const frequency = frequencyOf(fields, (tokens) => countTerm(term, tokens));
      if (frequency > 0) groups.add(term.group);
      if (frequency > 0) score += (gains[i]! * frequency) / (collection.k1 + frequency);
    });
    for (let group = 1; group <= parsed.groupCount; group += 1) if (!groups.has(group)) score = 0;
    if (score > 0 && isTitle(fields)) score += boost;
    if (document.id === parsed.literal || document.id === parsed.literal.toLowerCase()) score += 2 * boost;
    if (score > 0) return score + substringCeiling;
    if (!substring || !isLongEnough()) return 0;
    const frequency = frequencyOf(fields, (tokens) => countInside(parsed.words, tokens));
    return (substringCeiling * frequency) / (collection.k1 + frequency);
  }

  function isTitle(fields: TokenisedDocument['fields']): boolean {
    if (collection.titleField === undefined || parsed.words.length === 0) return false;
    const title = fields[collection.fields.indexOf(collection.titleField)]!;
    const stems = new Set(title.map(({ stem }) => stem));
    if (parsed.terms.some((term) => term.kind === 'phrase' && countTerm(term, title) === 0)) return false;
    return lengthOf(title) === parsed.words.length && parsed.words.every(({ word }) => stems.has(stemOf(word)));
  }

  const isLongEnough = () =>
    parsed.words.length > 0 &&
    [parsed.words[0]!, parsed.words.at(-1)!].every(({ word }) => word.length > 1 || word.charCodeAt(0) > 127);

  const scored = all
    .map((entry) => ({ id: entry.document.id, score: scoreOf(entry) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const rest = scored.filter(
    ({ id, score }) => after === undefined || score < after.score || (score === after.score && id > after.id),
  );
  return { hits: rest.slice(0, limit).map(({ id, score }) => ({ id, score })), total: scored.length };
}

function read(collection: Collection, document: SearchDocument, stemOf: StemOf): TokenisedDocument {
  const fields = collection.fields.map((field) => {
    const tokens: Token[] = [];
    const text = textOf(document, field);
    const german = isGerman(text);
    scanTokens(text, (word, position, _start, _end, isWhole) => {
      if (isStopWord(word)) return;
      tokens.push({ word, stem: stemOf(word), position, isWhole });
      if (german && !isWhole) tokens.push({ word: germanKey(word), stem: germanKey(word), position, isWhole: true });
    });
    return tokens;
  });
  return { document, fields };
}

function countTerm(term: QueryTerm, tokens: readonly Token[]): number {
  if (term.kind === 'word') return tokens.filter(({ stem }) => stem === term.key || stem === term.alsoKey).length;
  if (term.kind === 'prefix') return tokens.filter(({ word }) => word.startsWith(term.key)).length;
  const [first] = term.slots;
  return tokens.filter(
    (token) =>
      token.word === first!.word &&
      term.slots.every(({ word, offset }) =>
        tokens.some((other) => other.word === word && other.position === token.position + offset),
      ),
  ).length;
}

function countInside(places: readonly Slot[], tokens: readonly Token[]): number {
  const [first, ...others] = places;
  if (others.length === 0) return tokens.filter(({ word }) => word.includes(first!.word)).length;
  return new Set(
    tokens
      .filter(
        (token) =>
          token.word.endsWith(first!.word) &&
          others.every(({ word, offset }, i) =>
            tokens.some(
              (other) =>
                other.position === token.position + offset - first!.offset &&
                (i === others.length - 1 ? other.word.startsWith(word) : other.word === word),
            ),
          ),
      )
      .map(({ position }) => position),
  ).size;
}

function passes({ facets = {} }: SearchDocument, { key, any, all = [], none = [] }: FacetFilter): boolean {
  const found = facets[key] ?? [];
  const values = new Set(typeof found === 'string' ? [found] : found);
  return (
    (any === undefined || any.some((value) => values.has(value))) &&
    all.every((value) => values.has(value)) &&
    !none.some((value) => values.has(value))
  );
}
