import type { Call } from '#kernel/call.ts';
import { jsonBytes } from '#kernel/text/budget.ts';
import { chunksOf } from '../chunks.ts';
import { toIso } from '../iso-time.ts';
import { parseState, toStateView } from '../reducer/entity-state.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { truthLimits } from '../truth-limits.ts';
import type { ListedEntity, Truncation } from './entity-model.ts';
import {
  type EntityHead,
  type EntityRow,
  findEntities,
  findEntityTotal,
  listEntityTotals,
  listRoots,
  listRootsOfType,
} from './entity-store.ts';
import type { PageInput } from './list-observations.ts';
import { currentState, type EntitiesDeps, isStateCurrent } from './load-entity.ts';
import type { EntitySearch } from './search/search-entities.ts';
import {
  isSearch,
  limitOf,
  type RetrievedEntity,
  type SearchRemarks,
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
  readonly include_snapshots: boolean;
}

/** [TR80] What a search adds to a list. */
export interface RetrieveAnswer extends Omit<EntitiesAnswer, 'entities'>, PageInput, SearchRemarks {
  readonly entities: readonly RetrievedEntity[];
}

export interface EntityListsDeps {
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

export function createEntityLists(deps: EntitiesDeps & EntityListsDeps) {
  const { storage, schemas } = deps;

  /** A separate transaction each, because an entity may have any number of observations. */
  const listReduced = (row: EntityRow, call: Call): Promise<ListedEntity> =>
    storage.read(call, function* (db) {
      const { state, schema } = yield* currentState(db, deps, row);
      return { ...toListed(row, schema.version), snapshot: toStateView(state, schema).snapshot };
    });

  async function listChunk(heads: readonly EntityHead[], call: Call): Promise<readonly ListedEntity[]> {
    const { rows, active, now } = await storage.read(call, function* (db) {
      const types = [...new Set(heads.map(({ entity_type }) => entity_type))];
      return {
        rows: yield* findEntities(
          db,
          heads.map(({ entity_id }) => entity_id),
        ),
        active: yield* schemas.activeOf(db, types),
        now: db.now,
      };
    });
    const byId = new Map(rows.map((row) => [row.entity_id, row]));
    const shown: ListedEntity[] = [];
    for (const { entity_id } of heads) {
      const row = byId.get(entity_id)!;
      const schema = active.get(row.entity_type)!;
      shown.push(isStateCurrent(row, schema, now) ? listStored(row, schema) : await listReduced(row, call));
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
  async function find(input: RetrieveInput, call: Call): Promise<RetrieveAnswer> {
    const { offset, include_snapshots } = input;
    if (deps.searchEntities === undefined) throw new Error('bug: this memory has no search index');
    const found = await deps.searchEntities(toEntityQuery(input), call);
    let bytes = 0;
    const all = found.found.map((one) => toRetrieved(one, include_snapshots));
    const tooMany = all.findIndex((entity, i) => {
      bytes += jsonBytes(entity);
      return i > 0 && bytes > truthLimits.answerBytes;
    });
    const entities = tooMany === -1 ? all : all.slice(0, tooMany);
    const cut: Truncation = tooMany === -1 ? {} : { truncated: true, nextOffset: offset + tooMany };
    return { entities, total: found.total, limit: limitOf(input), offset, ...cut, ...toRemarks(found, input) };
  }

  async function retrieve(input: RetrieveInput, call: Call): Promise<RetrieveAnswer> {
    if (isSearch(input)) return find(input, call);
    const { entity_type, offset } = input;
    const limit = limitOf(input);
    const { heads, total } = await storage.read(call, function* (db) {
      if (entity_type === undefined) {
        const totals = yield* listEntityTotals(db);
        return {
          heads: yield* listRoots(db, limit, offset),
          total: totals.reduce((sum, { count }) => sum + count, 0),
        };
      }
      return {
        heads: yield* listRootsOfType(db, entity_type, limit, offset),
        total: (yield* findEntityTotal(db, entity_type))?.count ?? 0,
      };
    });
    const entities = input.include_snapshots
      ? await listUpToLimit(heads, call)
      : heads.map((head) => toListed(head, head.schema_version));
    const cut: Truncation =
      entities.length < heads.length ? { truncated: true, nextOffset: offset + entities.length } : {};
    return { entities, total, limit, offset, ...cut };
  }

  return { retrieve, listUpToLimit };
}
