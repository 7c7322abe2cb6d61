import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { RankingMode } from '#kernel/search/hybrid.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { jsonBytes } from '#kernel/text/budget.ts';
import { chunksOf } from '../chunks.ts';
import { toIso } from '../iso-time.ts';
import { expectOnePosition, fingerprintOf, type ListCursorDeps, openPlace, sealPlace } from '../list-cursor.ts';
import { parseState, toStateView } from '../reducer/entity-state.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { truthLimits } from '../truth-limits.ts';
import type { ListedEntity, Truncation } from './entity-model.ts';
import {
  type EntityHead,
  type EntityRow,
  findEntities,
  findEntityHeads,
  findEntityTotal,
  listEntityTotals,
} from './entity-store.ts';
import type { PageInput } from './list-observations.ts';
import { currentState, type EntitiesDeps, isStateCurrent } from './load-entity.ts';
import { rawFragmentsOfEach } from './raw-fragments.ts';
import {
  type AgeRow,
  listNewestRoots,
  listNewestRootsOfType,
  listRoots,
  listRootsOfType,
} from './search/entity-search-store.ts';
import type { EntitySearch } from './search/search-entities.ts';
import {
  hasRaw,
  isSearch,
  limitOf,
  type RetrievedEntity,
  type SearchRemarks,
  shortenSnapshot,
  toEntityQuery,
  toRemarks,
  toRetrieved,
} from './search/show-found.ts';

export interface RetrieveInput {
  readonly query?: string | undefined;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  readonly entity_type?: string | undefined;
  readonly at?: string | undefined;
  /** Without it, the default depends on the query. */
  readonly limit?: number | undefined;
  readonly offset: number;
  readonly mode?: RankingMode | undefined;
  readonly cursor?: string | undefined;
  readonly brief?: boolean | undefined;
  readonly include_snapshots: boolean;
}

/** [TR80] What a search adds to a list. */
export interface RetrieveAnswer extends Omit<EntitiesAnswer, 'entities'>, PageInput, SearchRemarks {
  readonly entities: readonly RetrievedEntity[];
  readonly next_cursor?: string;
}

export interface EntityListsDeps extends ListCursorDeps {
  /** Undefined in tests of other parts. */
  readonly searchEntities?: EntitySearch | undefined;
}

export interface EntitiesAnswer extends Truncation {
  readonly entities: readonly ListedEntity[];
  readonly total: number;
}

const toListed = (head: EntityHead, schemaVersion: string): ListedEntity => ({
  entity_id: head.entity_id,
  entity_type: head.entity_type,
  canonical_name: head.canonical_name,
  schema_version: schemaVersion,
  observation_count: head.observation_count,
  last_observation_at: toIso(head.last_observed_at),
  created_at: toIso(head.created_at),
});

const listStored = (row: EntityRow, schema: EntitySchema): ListedEntity => ({
  ...toListed(row, schema.version),
  snapshot: toStateView(parseState(row.state), schema).snapshot,
});

/** Where a page of a list ends. */
const listPlace = z.object({ created_at: z.number(), entity_id: z.string() });
/** Hits of a search are counted, because their scores depend on all of them. */
const searchPlace = z.object({ offset: z.int(), mode: z.string().optional() });

/** Continuing in another ranking would skip some entities and repeat others. */
const cannotContinue = () =>
  faults.INVALID_PARAMS(
    { why: 'the search cannot continue because the embedder does not answer; search again without the cursor' },
    { field: 'cursor' },
  );

export function createEntityLists(deps: EntitiesDeps & EntityListsDeps) {
  const { storage, schemas } = deps;

  /** A separate transaction each, because an entity may have any number of observations. */
  const listReduced = (row: EntityRow, call: Call): Promise<ListedEntity> =>
    storage.read(call, function* (db) {
      const { state, schema } = yield* currentState(db, deps, row);
      return { ...toListed(row, schema.version), snapshot: toStateView(state, schema).snapshot };
    });

  async function listChunk(heads: readonly EntityHead[], call: Call): Promise<readonly ListedEntity[]> {
    const { rows, active, raw, now } = await storage.read(call, function* (db) {
      const types = [...new Set(heads.map(({ entity_type }) => entity_type))];
      const found = yield* findEntities(
        db,
        heads.map(({ entity_id }) => entity_id),
      );
      return {
        rows: found,
        active: yield* schemas.activeOf(db, types),
        raw: yield* rawFragmentsOfEach(db, deps, found),
        now: db.now,
      };
    });
    const byId = new Map(rows.map((row) => [row.entity_id, row]));
    const shown: ListedEntity[] = [];
    for (const { entity_id } of heads) {
      const row = byId.get(entity_id)!;
      const schema = active.get(row.entity_type)!;
      const listed = isStateCurrent(row, schema, now) ? listStored(row, schema) : await listReduced(row, call);
      shown.push({ ...listed, ...hasRaw(raw.get(entity_id)) });
    }
    return shown;
  }

  /** Stops at the maximum size of an answer; the first entity always fits. */
  async function listUpToLimit(heads: readonly EntityHead[], call: Call): Promise<readonly ListedEntity[]> {
    const shown: ListedEntity[] = [];
    let bytes = 0;
    for (const chunk of chunksOf(heads, truthLimits.rowBatchCount)) {
      for (const entity of await listChunk(chunk, call)) {
        bytes += jsonBytes(entity);
        if (bytes > truthLimits.answerBytes && shown.length > 0) return shown;
        shown.push(entity);
      }
    }
    return shown;
  }

  /** Stops at the maximum size of an answer; the first entity always fits. */
  async function find(given: RetrieveInput, call: Call): Promise<RetrieveAnswer> {
    const { query, fields, entity_type, at, mode, include_snapshots } = given;
    if (deps.searchEntities === undefined) throw new Error('bug: this memory has no search index');
    const of = fingerprintOf('search', query, fields, entity_type, at, mode);
    const start = openPlace(deps, call, given.cursor, of, searchPlace);
    const input = { ...given, offset: start?.offset ?? given.offset };
    const found = await deps.searchEntities(toEntityQuery(input), call);
    if (start?.mode !== undefined && start.mode !== found.mode) throw cannotContinue();
    const { offset } = input;
    let bytes = 0;
    const all = found.found.map((one) => toRetrieved(one, include_snapshots));
    const tooMany = all.findIndex((entity, i) => {
      bytes += jsonBytes(entity);
      return i > 0 && bytes > truthLimits.answerBytes;
    });
    const entities = tooMany === -1 ? all : all.slice(0, tooMany);
    const cut: Truncation = tooMany === -1 ? {} : { truncated: true, nextOffset: offset + tooMany };
    const end = offset + entities.length;
    const isMore = entities.length > 0 && end < found.total && end <= truthLimits.offsetCount;
    return {
      ...{ entities, total: found.total, limit: limitOf(input), offset, ...cut, ...toRemarks(found, input) },
      ...(isMore && { next_cursor: sealPlace(deps, call, of, { offset: end, mode: found.mode }) }),
    };
  }

  /** Newest first, from the offset or after the last entity of the previous page. */
  const listAges = (
    db: Reader,
    type: string | undefined,
    { after, offset }: { readonly after: AgeRow | undefined; readonly offset: number },
    limit: number,
  ) => {
    if (after === undefined)
      return type === undefined ? listRoots(db, limit, offset) : listRootsOfType(db, type, limit, offset);
    return type === undefined ? listNewestRoots(db, after, limit) : listNewestRootsOfType(db, type, after, limit);
  };

  function* listHeads(
    db: Reader,
    type: string | undefined,
    { after, offset }: { readonly after: AgeRow | undefined; readonly offset: number },
    limit: number,
  ): Work<readonly EntityHead[]> {
    const ages = yield* listAges(db, type, { after, offset }, limit);
    const ids = ages.map(({ entity_id }) => entity_id);
    const heads = new Map(
      (ids.length === 0 ? [] : yield* findEntityHeads(db, ids)).map((head) => [head.entity_id, head]),
    );
    return ids.map((id) => heads.get(id)!);
  }

  async function retrieve(input: RetrieveInput, call: Call): Promise<RetrieveAnswer> {
    expectOnePosition(input);
    if (input.mode !== undefined && input.query === undefined) {
      throw faults.VALIDATION_ERROR({ why: 'mode is for a query' }, { field: 'mode' });
    }
    if (isSearch(input)) return find(input, call);
    const { entity_type, offset } = input;
    const of = fingerprintOf('list', entity_type);
    const after = openPlace(deps, call, input.cursor, of, listPlace);
    const limit = limitOf(input);
    const { rows, total } = await storage.read(call, function* (db) {
      const totals =
        entity_type === undefined ? yield* listEntityTotals(db) : [yield* findEntityTotal(db, entity_type)];
      return {
        // One more shows whether there is another page.
        rows: yield* listHeads(db, entity_type, { after, offset }, limit + 1),
        total: totals.reduce((sum, one) => sum + (one?.count ?? 0), 0),
      };
    });
    const heads = rows.slice(0, limit);
    const entities = input.include_snapshots
      ? await listUpToLimit(heads, call)
      : heads.map((head) => toListed(head, head.schema_version));
    const isCut = entities.length < heads.length;
    const last = heads[entities.length - 1];
    const isMore = last !== undefined && entities.length < rows.length;
    return {
      ...{ entities: input.brief ? entities.map(shortenSnapshot) : entities, total, limit, offset },
      ...(isCut && { truncated: true, ...(after === undefined && { nextOffset: offset + entities.length }) }),
      ...(isMore && {
        next_cursor: sealPlace(deps, call, of, { created_at: last.created_at, entity_id: last.entity_id }),
      }),
    };
  }

  async function listTypes(call: Call) {
    const totals = await storage.read(call, listEntityTotals);
    const stored = totals
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
    return {
      types: stored.slice(0, truthLimits.listCount).map(({ key, count }) => ({ entity_type: key, count })),
      ...(stored.length > truthLimits.listCount && { truncated: true as const }),
    };
  }

  return { retrieve, listTypes, listUpToLimit };
}
