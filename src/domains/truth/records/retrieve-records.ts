import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { byWordsOnly, hasWords, hybridProfiles, notEmbedded, queryHints } from '#kernel/search/hybrid.ts';
import type { PendingDocuments } from '#kernel/search/semantic/semantic-search.ts';
import { databaseFaults } from '#kernel/storage/database-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { expectOnePosition, fingerprintOf, openPlace, sealPlace } from '../list-cursor.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { createRanking, type RankedRecords } from './rank-records.ts';
import { type RecordView, type RetrieveAnswer, type RetrieveInput, type SearchMode, toRecordView } from './record.ts';
import { type RecordsDeps, recordDocuments } from './record-documents.ts';
import type { RecordEmbeddings } from './record-embeddings.ts';
import {
  countFiltered,
  countProperty,
  findIntactRecords,
  findRecords,
  findTotal,
  listByCommonProperty,
  listByRareProperty,
  listNewest,
  listNewestOfType,
  measureRecords,
  type PropertyFilter,
  type RecordPage,
} from './record-store.ts';
import { toVector } from './rules/embedding.ts';
import { checkProperties, propertyKeys, toFacetFilters } from './rules/properties.ts';
import { shortenProperties } from './rules/shorten-properties.ts';

/** Queries start with the property that the fewest records have. */
function* chooseRarest(db: Reader, type: string | undefined, keys: readonly string[]) {
  const counts: { readonly key: string; readonly count: number }[] = [];
  for (const key of keys) {
    counts.push({ key, count: (yield* countProperty(db, key, truthLimits.selectiveCount))?.n ?? 0 });
  }
  const [rarest, ...others] = counts.sort((a, b) => a.count - b.count);
  const filter: PropertyFilter = { rarest: rarest!.key, others: others.map(({ key }) => key), type };
  return { filter, isRare: rarest!.count < truthLimits.selectiveCount };
}

function* listPage(db: Reader, type: string | undefined, page: RecordPage, keys: readonly string[]) {
  if (keys.length === 0) {
    const total = yield* findTotal(db, type ?? '');
    const rows = type === undefined ? yield* listNewest(db, page) : yield* listNewestOfType(db, type, page);
    return { rows, total: total?.count ?? 0 };
  }
  const { filter, isRare } = yield* chooseRarest(db, type, keys);
  const total = (yield* countFiltered(db, filter, truthLimits.countedCount))?.n ?? 0;
  // Avoids scanning the newest records in vain.
  if (total <= page.offset) return { rows: [], total };
  const rows = yield* (isRare ? listByRareProperty : listByCommonProperty)(db, filter, page);
  return { rows, total };
}

/**
 * The records that fit into one answer, in this order, without those deleted meanwhile. A damaged record is left out
 * of a search, and fails a list.
 */
function* loadRecords(
  db: Reader,
  ids: readonly string[],
  read: typeof findRecords | typeof findIntactRecords,
): Work<{ records: readonly RecordView[]; isCut: boolean; usedCount: number }> {
  if (ids.length === 0) return { records: [], isCut: false, usedCount: 0 };
  const sizes = new Map((yield* measureRecords(db, ids)).map(({ record_id, bytes }) => [record_id, bytes]));
  let left: number = truthLimits.recordsAnswerBytes;
  const there = ids.filter((id) => sizes.has(id));
  const tooMany = there.findIndex((id, i) => {
    left -= sizes.get(id)!;
    return i > 0 && left < 0;
  });
  const fitting = tooMany === -1 ? there : there.slice(0, tooMany);
  const rows = new Map((yield* read(db, fitting)).map((row) => [row.record_id, row]));
  const records = fitting.flatMap((id) => rows.get(id) ?? []).map(toRecordView);
  const isCut = tooMany !== -1;
  return { records, isCut, usedCount: isCut ? ids.indexOf(there[tooMany]!) : ids.length };
}

/** What the caller asked for, with the words of the document or of the other memories. */
interface Question {
  readonly text: string;
  readonly mode: SearchMode;
  readonly similarityMin: number;
  readonly relevanceMin: number | undefined;
}

const documentedThreshold = 0.7;
const documentedModes = { words: 'keyword', meaning: 'semantic', hybrid: 'both' } as const;

const refuse = (field: string, why: string) => faults.VALIDATION_ERROR({ why }, { field });

function toQuestion(input: RetrieveInput): Question {
  const { query, search = [], mode, search_mode = 'both', similarity_threshold } = input;
  const { relevanceMin } = hybridProfiles.records;
  if (query !== undefined && input.search !== undefined)
    throw refuse('search', 'give either query or search, not both');
  if (mode !== undefined && input.search_mode !== undefined)
    throw refuse('search_mode', 'give either mode or search_mode, not both');
  const text = (query ?? search.join(' ')).trim();
  if (mode !== undefined && text === '' && input.query_embedding === undefined)
    throw refuse('mode', 'mode is for a query');
  const isDocumented = query === undefined && mode === undefined;
  return {
    text,
    mode: mode === undefined ? search_mode : documentedModes[mode],
    similarityMin: similarity_threshold ?? (isDocumented ? documentedThreshold : relevanceMin),
    relevanceMin: isDocumented ? undefined : relevanceMin,
  };
}

/** Where a page of a list ends. */
const listPlace = z.object({ created_at: z.number(), record_id: z.string() });
/** Hits of a search are counted, because their scores depend on all of them. */
const searchPlace = z.object({ offset: z.int(), mode: z.string() });

const storeCodes: ReadonlySet<string> = new Set(
  [faults.STORE_UNAVAILABLE, faults.STORE_BUSY, faults.INTEGRITY_ERROR, databaseFaults.DB_QUERY_FAILED].map(
    ({ kind }) => kind.code,
  ),
);

/** The indexes throw kernel faults. */
export function translateSearchFault(error: unknown): never {
  if (error instanceof Fault && storeCodes.has(error.code)) {
    throw truthFaults.SEARCH_FAILED({ why: error.message }, {}, { cause: error });
  }
  if (error instanceof Fault && error.code === faults.SHUTTING_DOWN.kind.code) {
    throw databaseFaults.SERVICE_UNAVAILABLE({ why: error.message }, {}, { cause: error });
  }
  throw error;
}

const nothingWaits: PendingDocuments = { count: 0, isMore: false };

const withoutModel = 'Only keyword search was used: no embedding model is configured, and no record has an embedding.';

/** Two decimals are enough to choose a lower threshold. */
const belowThreshold = (best: number, { similarityMin }: Question): string =>
  `The most similar record has a similarity of ${best.toFixed(2)}, below the threshold of ${similarityMin}. Try other words, or a similarity_threshold of ${(Math.floor(Math.max(0, best) * 10) / 10).toFixed(1)}.`;

export function createRetrieval(deps: RecordsDeps, embeddings: RecordEmbeddings) {
  const { storage, meaning } = deps;
  const rank = createRanking(deps, embeddings);

  function toKeys(properties: RetrieveInput['properties']): readonly string[] {
    if (properties === undefined) return [];
    if (Object.keys(properties).length > truthLimits.filtersCount) {
      const why = `at most ${truthLimits.filtersCount} properties can be combined`;
      throw faults.VALIDATION_ERROR({ why }, { field: 'properties' });
    }
    return propertyKeys(checkProperties(properties));
  }

  async function hintFor(asked: Question, ranked: RankedRecords, waiting: PendingDocuments) {
    if (ranked.modeUsed !== asked.mode && ranked.modeUsed === 'keyword')
      return (await meaning.assess('')).missing === 'embedder' ? withoutModel : byWordsOnly.failure;
    if (ranked.modeUsed === 'keyword' || ranked.ids.length >= truthLimits.fewRecordsCount) return undefined;
    const hints = ranked.bestSimilarity === undefined ? [] : [belowThreshold(ranked.bestSimilarity, asked)];
    if (waiting.count > 0) hints.push(`${notEmbedded(waiting, ['record', 'records'])} Repeat the search later.`);
    return hints.length === 0 ? undefined : hints.join(' ');
  }

  /** Why the meaning of a query says nothing. Only of one in the words of the other memories: the document knows no reason. */
  async function whyMeaningless({ text, mode, relevanceMin }: Question): Promise<string | undefined> {
    if (relevanceMin === undefined || text === '') return undefined;
    if (!hasWords(text)) return queryHints.noWords;
    return mode !== 'keyword' && (await meaning.assess(text)).missing === 'language' ? byWordsOnly.language : undefined;
  }

  async function find(input: RetrieveInput, keys: readonly string[], asked: Question, call: Call) {
    const { type, query_embedding } = input;
    const vector = query_embedding === undefined ? undefined : toVector(query_embedding, 'query_embedding');
    const meaningless = vector === undefined ? await whyMeaningless(asked) : undefined;
    const question: Question = meaningless === undefined ? asked : { ...asked, mode: 'keyword' };
    const ranked = await rank({ ...question, vector, type, keys, filters: toFacetFilters(type, keys) }, call);
    const waiting = ranked.modeUsed === 'keyword' ? nothingWaits : await meaning.waiting(call, recordDocuments);
    return { ranked, hint: meaningless ?? (await hintFor(question, ranked, waiting)), waiting };
  }

  const shortenIf = (isBrief: boolean, record: RecordView) =>
    isBrief ? { ...record, ...shortenProperties(record.properties) } : record;

  async function list(input: RetrieveInput, keys: readonly string[], call: Call): Promise<RetrieveAnswer> {
    const { type, limit, offset } = input;
    const of = fingerprintOf('list', type, keys);
    const after = openPlace(deps, call, input.cursor, of, listPlace);
    const { rows, total, loaded } = await storage.read(call, function* (db) {
      // One more shows whether there is another page.
      const listed = yield* listPage(db, type, { limit: limit + 1, offset, after }, keys);
      const ids = listed.rows.slice(0, limit).map(({ record_id }) => record_id);
      return { ...listed, loaded: yield* loadRecords(db, ids, findRecords) };
    });
    const last = rows[loaded.usedCount - 1];
    const isMore = last !== undefined && rows.length > loaded.usedCount;
    return {
      records: loaded.records.map((record) => shortenIf(input.brief, record)),
      total,
      ...(loaded.isCut && { truncated: true }),
      ...(isMore && {
        next_cursor: sealPlace(deps, call, of, { created_at: last.created_at, record_id: last.record_id }),
      }),
    };
  }

  async function search(input: RetrieveInput, keys: readonly string[], asked: Question, call: Call) {
    const of = fingerprintOf('search', asked, input.type, keys, input.query_embedding);
    const start = openPlace(deps, call, input.cursor, of, searchPlace);
    const offset = start?.offset ?? input.offset;
    const { ranked, hint, waiting } = await find(input, keys, asked, call).catch(translateSearchFault);
    if (start !== undefined && start.mode !== ranked.modeUsed) {
      // Continuing in another ranking would skip some records and repeat others.
      const why = 'the search cannot continue because the embedder does not answer; search again without the cursor';
      throw faults.INVALID_PARAMS({ why }, { field: 'cursor' });
    }
    const ids = ranked.ids.slice(offset, offset + input.limit);
    const { records, isCut, usedCount } = await storage.read(call, (db) => loadRecords(db, ids, findIntactRecords));
    const end = offset + usedCount;
    return {
      records: records.map((record) => {
        const near = ranked.similarities.get(record.id);
        return {
          ...shortenIf(input.brief, record),
          relevance: ranked.relevanceOf(record.id),
          ...(near !== undefined && { similarity: near.similarity }),
          ...(near !== undefined && input.details && { details: { cosine: near.cosine } }),
        };
      }),
      total: ranked.total,
      search_mode_used: ranked.modeUsed,
      ...(ranked.scale !== undefined && { similarity_scale: ranked.scale }),
      ...(ranked.bestSimilarity !== undefined && { best_similarity: ranked.bestSimilarity }),
      ...(isCut && { truncated: true as const }),
      ...(waiting.count > 0 && { pending: waiting.count }),
      ...(hint !== undefined && { hint }),
      ...(end < ranked.ids.length && {
        next_cursor: sealPlace(deps, call, of, { offset: end, mode: ranked.modeUsed }),
      }),
    };
  }

  return async (input: RetrieveInput, call: Call): Promise<RetrieveAnswer> => {
    expectOnePosition(input);
    const keys = toKeys(input.properties);
    const asked = toQuestion(input);
    const isList = asked.text === '' && (input.query_embedding === undefined || asked.mode === 'keyword');
    return isList ? list(input, keys, call) : search(input, keys, asked, call);
  };
}
