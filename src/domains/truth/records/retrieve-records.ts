import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { createRanking, type RankedRecords } from './rank-records.ts';
import { type RecordView, type RetrieveAnswer, type RetrieveInput, toRecordView } from './record.ts';
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
  type RecordKey,
} from './record-store.ts';
import { toVector } from './rules/embedding.ts';
import { checkProperties, propertyKeys, toFacetFilters } from './rules/properties.ts';

const idsOf = (rows: readonly RecordKey[]): readonly string[] => rows.map(({ record_id }) => record_id);

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

function* listPage(
  db: Reader,
  { type, limit, offset }: Pick<RetrieveInput, 'type' | 'limit' | 'offset'>,
  keys: readonly string[],
) {
  if (keys.length === 0) {
    const total = yield* findTotal(db, type ?? '');
    const rows =
      type === undefined ? yield* listNewest(db, limit, offset) : yield* listNewestOfType(db, type, limit, offset);
    return { ids: idsOf(rows), total: total?.count ?? 0 };
  }
  const { filter, isRare } = yield* chooseRarest(db, type, keys);
  const total = (yield* countFiltered(db, filter, truthLimits.countedCount))?.n ?? 0;
  // Avoids scanning the newest records in vain.
  if (total <= offset) return { ids: [], total };
  const rows = yield* (isRare ? listByRareProperty : listByCommonProperty)(db, filter, limit, offset);
  return { ids: idsOf(rows), total };
}

/**
 * The records that fit into one answer, in this order, without those deleted meanwhile. A damaged record is left out
 * of a search, and fails a list.
 */
function* loadRecords(
  db: Reader,
  ids: readonly string[],
  read: typeof findRecords | typeof findIntactRecords,
): Work<{ records: readonly RecordView[]; isCut: boolean }> {
  if (ids.length === 0) return { records: [], isCut: false };
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
  return { records, isCut: tooMany !== -1 };
}

const storeCodes: ReadonlySet<string> = new Set(
  [faults.STORE_UNAVAILABLE, faults.STORE_BUSY, faults.INTEGRITY_ERROR, truthFaults.DB_QUERY_FAILED].map(
    ({ kind }) => kind.code,
  ),
);

/** The indexes throw kernel faults. */
export function translateSearchFault(error: unknown): never {
  if (error instanceof Fault && storeCodes.has(error.code)) {
    throw truthFaults.SEARCH_FAILED({ why: error.message }, {}, { cause: error });
  }
  if (error instanceof Fault && error.code === faults.SHUTTING_DOWN.kind.code) {
    throw truthFaults.SERVICE_UNAVAILABLE({ why: error.message }, {}, { cause: error });
  }
  throw error;
}

const withoutModel = 'Only keyword search was used: no embedding model is configured, and no record has an embedding.';

/** Two decimals are enough to choose a lower threshold. */
const belowThreshold = (best: number, { similarity_threshold }: RetrieveInput): string =>
  `The most similar record has a similarity of ${best.toFixed(2)}, below the threshold of ${similarity_threshold}. Try other words, or a similarity_threshold of ${(Math.floor(Math.max(0, best) * 10) / 10).toFixed(1)}.`;

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

  async function hintFor(input: RetrieveInput, ranked: RankedRecords, call: Call): Promise<string | undefined> {
    if (ranked.modeUsed !== input.search_mode && ranked.modeUsed === 'keyword') return withoutModel;
    if (ranked.modeUsed === 'keyword' || ranked.ids.length >= truthLimits.fewRecordsCount) return undefined;
    const hints = ranked.bestSimilarity === undefined ? [] : [belowThreshold(ranked.bestSimilarity, input)];
    const { count, isMore } = await meaning.waiting(call, recordDocuments);
    if (count > 0) {
      hints.push(
        `${isMore ? 'More than ' : ''}${count} records are not embedded yet; until then only keyword search finds them. Repeat the search later.`,
      );
    }
    return hints.length === 0 ? undefined : hints.join(' ');
  }

  async function find(input: RetrieveInput, keys: readonly string[], text: string, call: Call) {
    const { type, search_mode, similarity_threshold, query_embedding } = input;
    const ranked = await rank(
      {
        text,
        mode: search_mode,
        similarityMin: similarity_threshold,
        vector: query_embedding === undefined ? undefined : toVector(query_embedding, 'query_embedding'),
        type,
        keys,
        filters: toFacetFilters(type, keys),
      },
      call,
    );
    return { ranked, hint: await hintFor(input, ranked, call) };
  }

  return async (input: RetrieveInput, call: Call): Promise<RetrieveAnswer> => {
    const { limit, offset, search = [], search_mode, query_embedding } = input;
    const keys = toKeys(input.properties);
    const text = search.join(' ').trim();
    if (text === '' && (query_embedding === undefined || search_mode === 'keyword')) {
      const { page, loaded } = await storage.read(call, function* (db) {
        const listed = yield* listPage(db, input, keys);
        return { page: listed, loaded: yield* loadRecords(db, listed.ids, findRecords) };
      });
      return { records: loaded.records, total: page.total, ...(loaded.isCut && { truncated: true }) };
    }
    const { ranked, hint } = await find(input, keys, text, call).catch(translateSearchFault);
    const ids = ranked.ids.slice(offset, offset + limit);
    const { records, isCut } = await storage.read(call, (db) => loadRecords(db, ids, findIntactRecords));
    return {
      records: records.map((record) => {
        const near = ranked.similarities.get(record.id);
        if (near === undefined) return record;
        return { ...record, similarity: near.similarity, ...(input.details && { details: { cosine: near.cosine } }) };
      }),
      total: ranked.total,
      search_mode_used: ranked.modeUsed,
      ...(ranked.scale !== undefined && { similarity_scale: ranked.scale }),
      ...(ranked.bestSimilarity !== undefined && { best_similarity: ranked.bestSimilarity }),
      ...(isCut && { truncated: true }),
      ...(hint !== undefined && { hint }),
    };
  };
}
