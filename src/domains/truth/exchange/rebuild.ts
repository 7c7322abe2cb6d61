import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import { damagedState, type EntityRow, findEntity } from '../entities/entity-store.ts';
import { isStateCurrent, reduceGroup } from '../entities/load-entity.ts';
import type { ObservationRow } from '../entities/observed-store.ts';
import { eventsOf, lookupsOfFields, lookupsOfName, writeLookups } from '../observations/derived-rows.ts';
import { factsOfRow } from '../observations/facts-of-row.ts';
import { insertSharedKeys, type MatchKey } from '../observations/observation-store.ts';
import { entitiesTotal, eventsTotal, observationsTotal, payloadsTotal } from '../observations/totals.ts';
import { printState } from '../reducer/entity-state.ts';
import { type EdgesPart, repairEdges } from '../relationships/repair-edges.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import { truthLimits } from '../truth-limits.ts';
import { entityTopic } from '../truth-vocabulary.ts';
import { compareTotals, nameOf } from './check-totals.ts';
import {
  type CountedRow,
  countEvents,
  countObservations,
  countPayloads,
  countRoots,
  insertMissingEvent,
  listAllObservations,
  listEntities,
  listKeysOfMany,
  type ObservationKey,
  type RebuiltEntity,
  repairSources,
  repairTargets,
  setRebuiltEntity,
  setTotal,
} from './exchange-store.ts';

export interface RebuildDeps extends SchemaDeps {
  readonly storage: Storage;
}

export interface RebuildOptions {
  /** Only compares. */
  readonly check: boolean;
  /** A new call for each transaction. */
  call(): Call;
  progress(done: number, total?: number, message?: string): void;
}

/** Differences between the stored rows and the observations. */
export interface RebuildReport {
  readonly entities: number;
  readonly differing: number;
  readonly differing_ids: readonly string[];
  readonly observations: number;
  /** Missing events, identifiers, match keys, shared keys and statements of relationships. */
  readonly missing: number;
  readonly misdirected_relationships: number;
  /** Whose periods do not follow from their statements. */
  readonly differing_relationships: number;
  readonly wrong_totals: readonly string[];
}

const firstKey: MatchKey = { entity_type: '', match_key: '' };
const first: ObservationKey = { entity_id: '', observed_at: Number.MIN_SAFE_INTEGER, observation_id: '' };

/** Rolls a check-only transaction back. */
class RolledBack<T> extends Error {
  readonly value: T;

  constructor(value: T) {
    super('nothing is kept');
    this.value = value;
  }
}

function* rootOf(db: Writer, row: EntityRow): Work<string> {
  const seen = new Set<string>();
  let { entity_id: root, merged_into: above } = row;
  while (above !== '' && !seen.has(above)) {
    seen.add(above);
    root = above;
    above = (yield* findEntity(db, above))?.merged_into ?? '';
  }
  return root;
}

/**
 * Upper bound of the statements for one entity: one per group member up to a size, and one per level to find its root.
 */
const statementsOf = ({ observation_count, merged_into }: EntityRow): number =>
  10 +
  (merged_into === '' ? 0 : truthLimits.groupDepth) +
  Math.min(observation_count, truthLimits.pagedMembersCount) +
  observation_count / truthLimits.reducedPageCount;

/** The first items that fit into one transaction; at least one. */
function fillTransaction<T>(items: readonly T[], costOf: (item: T) => number): readonly T[] {
  let cost = 0;
  const end = items.findIndex((item, i) => {
    cost += costOf(item);
    return i > 0 && cost > truthLimits.rebuildStatementsCount;
  });
  return end === -1 ? items : items.slice(0, end);
}

const isSame = (a: RebuiltEntity, b: RebuiltEntity): boolean =>
  a.root_id === b.root_id &&
  a.observation_count === b.observation_count &&
  a.last_observed_at === b.last_observed_at &&
  a.last_recorded_at === b.last_recorded_at &&
  a.schema_version === b.schema_version &&
  a.next_change_at === b.next_change_at &&
  a.state === b.state;

/** Recomputes all derived rows from the observations, which never change, and repairs differences. */
export async function rebuild(deps: RebuildDeps, options: RebuildOptions): Promise<RebuildReport> {
  const { storage } = deps;

  /** A check does the same writes and rolls them back. */
  async function repair<T>(call: Call, work: (db: Writer) => Work<T>): Promise<T> {
    if (!options.check) return await storage.write(call, work);
    try {
      await storage.write(call, function* (db): Work<never> {
        throw new RolledBack(yield* work(db));
      });
    } catch (error) {
      if (error instanceof RolledBack) return error.value as T;
      throw error;
    }
    throw new Error('bug: a look was kept');
  }

  const quiet = (): Call => ({ ...options.call(), audit: 'none' });

  function* repairEntity(db: Writer, row: EntityRow): Work<boolean> {
    const reduced = yield* reduceGroup(db, deps, row);
    const right: RebuiltEntity = {
      entity_id: row.entity_id,
      root_id: yield* rootOf(db, row),
      observation_count: reduced.observationCount,
      last_observed_at: reduced.lastObservedAt,
      last_recorded_at: reduced.lastRecordedAt,
      schema_version: reduced.schema.version,
      state: printState(reduced.state),
      next_change_at: reduced.nextChangeAt,
    };
    // [TR17] An outdated state is not wrong: it is never read.
    const isOld = !isStateCurrent(row, reduced.schema, db.now) && row.schema_version !== damagedState;
    const { schema_version, state, next_change_at } = row;
    const isRight = isSame(row, isOld ? { ...right, schema_version, state, next_change_at } : right);
    if (isRight && !isOld) return true;
    yield* setRebuiltEntity(db, right);
    yield* db.changed(entityTopic, row.entity_id, 'update', sha256Hex(right.state));
    return isRight;
  }

  function* repairEntities(db: Writer, after: string) {
    const rows = fillTransaction(yield* listEntities(db, after, truthLimits.rebuildEntitiesCount), statementsOf);
    const wrong: string[] = [];
    for (const row of rows) if (!(yield* repairEntity(db, row))) wrong.push(row.entity_id);
    // The name is a lookup key of its own, independent of the observations.
    const found = rows.map(({ entity_type, entity_id, canonical_name }) =>
      lookupsOfName(entity_type, entity_id, canonical_name),
    );
    const { added: missing } = yield* writeLookups(db, found);
    return { last: rows.at(-1)?.entity_id ?? after, count: rows.length, wrong, missing };
  }

  function deriveFrom(row: ObservationRow, schema: EntitySchema) {
    const facts = factsOfRow(row, schema);
    return { row, found: lookupsOfFields(schema, facts), events: eventsOf(schema, facts) };
  }

  function* repairObservations(db: Writer, after: ObservationKey) {
    const rows = yield* listAllObservations(db, after, truthLimits.rebuildObservationsCount);
    const schemas = yield* deps.schemas.activeOf(db, [...new Set(rows.map(({ entity_type }) => entity_type))]);
    const derived = fillTransaction(
      rows.map((row) => deriveFrom(row, schemas.get(row.entity_type)!)),
      ({ found, events }) => found.identifiers.length + events.length,
    );
    const lookups = yield* writeLookups(
      db,
      derived.map(({ found }) => found),
    );
    let missing = lookups.added;
    for (const { row, events } of derived) {
      for (const event of events) missing += yield* insertMissingEvent(db, event, row.created_at);
    }
    return { last: derived.at(-1)?.row ?? after, count: derived.length, missing };
  }

  interface KeysPart {
    /** Undefined at the end. */
    readonly last: MatchKey | undefined;
    readonly missing: number;
  }

  function* repairSharedKeys(db: Writer, after: MatchKey): Work<KeysPart> {
    const shared = yield* listKeysOfMany(db, after, truthLimits.rebuildKeysCount);
    return { last: shared.at(-1), missing: yield* insertSharedKeys(db, shared) };
  }

  function* repairTotals(db: Writer): Work<readonly string[]> {
    const counted: readonly (readonly [string, readonly CountedRow[]])[] = [
      [entitiesTotal, yield* countRoots(db)],
      [eventsTotal, yield* countEvents(db)],
      [observationsTotal, yield* countObservations(db)],
      [payloadsTotal, yield* countPayloads(db)],
    ];
    const wrong: string[] = [];
    for (const [kind, rows] of counted) {
      for (const total of yield* compareTotals(db, kind, rows)) {
        wrong.push(nameOf(total));
        yield* setTotal(db, total.kind, total.key, total.count);
      }
    }
    return wrong;
  }

  let entities = 0;
  let missing = 0;
  const differing: string[] = [];
  for (let after = ''; ; ) {
    const part = await repair(quiet(), (db) => repairEntities(db, after));
    if (part.count === 0) break;
    entities += part.count;
    missing += part.missing;
    differing.push(...part.wrong);
    after = part.last;
    options.progress(entities, undefined, 'entities');
  }
  let observations = 0;
  for (let after: ObservationKey = first; ; ) {
    const part = await repair(quiet(), (db) => repairObservations(db, after));
    if (part.count === 0) break;
    observations += part.count;
    missing += part.missing;
    after = part.last;
    options.progress(observations, undefined, 'observations');
  }
  for (let after: MatchKey | undefined = firstKey; after !== undefined; ) {
    const from: MatchKey = after;
    const part: KeysPart = await repair(quiet(), (db) => repairSharedKeys(db, from));
    missing += part.missing;
    after = part.last;
  }
  let differingEdges = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    const part: EdgesPart = await repair(quiet(), (db) => repairEdges(db, from));
    missing += part.missing;
    differingEdges += part.differing;
    after = part.last;
  }
  const misdirected = await repair(quiet(), function* (db) {
    return (yield* repairSources(db)) + (yield* repairTargets(db));
  });
  const wrongTotals = await repair(quiet(), repairTotals);
  return {
    entities,
    differing: differing.length,
    differing_ids: differing.slice(0, truthLimits.reportedEntitiesCount),
    observations,
    missing,
    misdirected_relationships: misdirected,
    differing_relationships: differingEdges,
    wrong_totals: wrongTotals,
  };
}
