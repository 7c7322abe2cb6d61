import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import { type EntityRow, findEntity, type ObservationRow } from '../entities/entity-store.ts';
import { reduceGroup, toObserved } from '../entities/load-entity.ts';
import { eventsOf, type FoundBy, foundByFields, foundByName } from '../observations/derive-rows.ts';
import { enterMatchKeys } from '../observations/enter-match-keys.ts';
import {
  insertIdentifiers,
  insertSharedKeys,
  type MatchKey,
  type NewEvent,
} from '../observations/observation-store.ts';
import { splitFields } from '../observations/split-fields.ts';
import { entitiesTotal, eventsTotal, observationsTotal, payloadsTotal } from '../observations/totals.ts';
import { printState } from '../reducer/entity-state.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { truthLimits } from '../truth-limits.ts';
import { entityTopic } from '../words.ts';
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
  type Reduced,
  repointSources,
  repointTargets,
  setReduced,
  setTotal,
} from './exchange-store.ts';
import { compareTotals, nameOf } from './wrong-totals.ts';

export interface RebuildDeps {
  readonly storage: Storage;
  readonly schemas: Pick<Schemas, 'active' | 'activeOf'>;
}

export interface RebuildOptions {
  /** Compares, and leaves everything as it is. */
  readonly check: boolean;
  /** One for each trip to the store. */
  call(): Call;
  progress(done: number, total?: number, message?: string): void;
}

/** What was not as the observations make it. */
export interface RebuildReport {
  readonly entities: number;
  readonly differing: number;
  readonly differing_ids: readonly string[];
  readonly observations: number;
  /** Events, identifiers, keys of likeness and those of them that are shared, as far as they were not there. */
  readonly missing: number;
  readonly misdirected_relationships: number;
  readonly wrong_totals: readonly string[];
}

const firstKey: MatchKey = { entity_type: '', match_key: '' };
const first: ObservationKey = { entity_id: '', observed_at: Number.MIN_SAFE_INTEGER, observation_id: '' };

/** Takes a transaction back that only wanted to know. */
class Undone<T> extends Error {
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

/** What one may ask for at most: each of a group is read for itself, up to a size, and whoever is merged looks for its root. */
const statementsOf = ({ observation_count, merged_into }: EntityRow): number =>
  10 +
  (merged_into === '' ? 0 : truthLimits.groupDepth) +
  Math.min(observation_count, truthLimits.pagedMembersCount) +
  observation_count / truthLimits.reducedPageCount;

/** As many from the first on as one transaction can take; the first always. */
function fillTransaction<T>(items: readonly T[], costOf: (item: T) => number): readonly T[] {
  let cost = 0;
  const end = items.findIndex((item, i) => {
    cost += costOf(item);
    return i > 0 && cost > truthLimits.rebuiltStatementsCount;
  });
  return end === -1 ? items : items.slice(0, end);
}

interface Derived {
  readonly row: ObservationRow;
  readonly found: FoundBy;
  readonly events: readonly NewEvent[];
}

const isSame = (a: Reduced, b: Reduced): boolean =>
  a.root_id === b.root_id &&
  a.observation_count === b.observation_count &&
  a.last_observed_at === b.last_observed_at &&
  a.last_recorded_at === b.last_recorded_at &&
  a.schema_version === b.schema_version &&
  a.state === b.state;

/** Reduces everything anew from the observations, which are never changed, and mends what was made from them. */
export async function rebuild(deps: RebuildDeps, options: RebuildOptions): Promise<RebuildReport> {
  const { storage } = deps;

  /** The same work for both: what is only compared is mended too, and then not kept. */
  async function mend<T>(call: Call, work: (db: Writer) => Work<T>): Promise<T> {
    if (!options.check) return await storage.write(call, work);
    try {
      await storage.write(call, function* (db): Work<never> {
        throw new Undone(yield* work(db));
      });
    } catch (error) {
      if (error instanceof Undone) return error.value as T;
      throw error;
    }
    throw new Error('bug: a look was kept');
  }

  const quiet = (): Call => ({ ...options.call(), audit: 'none' });

  function* mendEntity(db: Writer, row: EntityRow): Work<boolean> {
    const anew = yield* reduceGroup(db, deps, row);
    const right: Reduced = {
      entity_id: row.entity_id,
      root_id: yield* rootOf(db, row),
      observation_count: anew.observationCount,
      last_observed_at: anew.lastObservedAt,
      last_recorded_at: anew.lastRecordedAt,
      schema_version: anew.schema.version,
      state: printState(anew.state),
    };
    // [TR17] What another schema made is not wrong, only old: nobody reads it any more.
    const isOld = row.schema_version !== right.schema_version;
    const isRight = isSame(row, isOld ? { ...right, schema_version: row.schema_version, state: row.state } : right);
    if (isRight && !isOld) return true;
    yield* setReduced(db, right);
    yield* db.changed(entityTopic, row.entity_id, 'update', sha256Hex(right.state));
    return isRight;
  }

  interface MendedEntities {
    readonly last: string;
    readonly count: number;
    readonly wrong: readonly string[];
    readonly missing: number;
  }

  function* mendEntities(db: Writer, after: string): Work<MendedEntities> {
    const rows = fillTransaction(yield* listEntities(db, after, truthLimits.rebuiltEntitiesCount), statementsOf);
    const wrong: string[] = [];
    for (const row of rows) if (!(yield* mendEntity(db, row))) wrong.push(row.entity_id);
    // A name makes an entity found, whatever its observations say.
    const found = rows.map(({ entity_type, entity_id, canonical_name }) =>
      foundByName(entity_type, entity_id, canonical_name),
    );
    const missing = yield* enterFound(db, found);
    return { last: rows.at(-1)?.entity_id ?? after, count: rows.length, wrong, missing };
  }

  function* enterFound(db: Writer, found: readonly FoundBy[]): Work<number> {
    const identifiers = found.flatMap((one) => one.identifiers);
    const matchKeys = found.flatMap((one) => one.matchKeys);
    return (yield* insertIdentifiers(db, identifiers)) + (yield* enterMatchKeys(db, matchKeys));
  }

  /** What has to be found of it. */
  function deriveFrom(row: ObservationRow, schema: EntitySchema): Derived {
    const { fields, rawFragments } = toObserved(row);
    const facts = {
      observationId: row.observation_id,
      entityId: row.entity_id,
      entityType: row.entity_type,
      sourceId: row.source_id,
      // As the schema of today reads it: what it has come to know makes events too.
      fields: splitFields(schema, { ...rawFragments, ...fields }).fields,
    };
    return { row, found: foundByFields(schema, facts), events: eventsOf(schema, facts) };
  }

  interface MendedObservations {
    readonly last: ObservationKey;
    readonly count: number;
    readonly missing: number;
  }

  function* mendObservations(db: Writer, after: ObservationKey): Work<MendedObservations> {
    const rows = yield* listAllObservations(db, after, truthLimits.rebuiltObservationsCount);
    const schemas = yield* deps.schemas.activeOf(db, [...new Set(rows.map(({ entity_type }) => entity_type))]);
    const derived = fillTransaction(
      rows.map((row) => deriveFrom(row, schemas.get(row.entity_type)!)),
      ({ found, events }) => found.identifiers.length + events.length,
    );
    let missing = yield* enterFound(
      db,
      derived.map(({ found }) => found),
    );
    for (const { row, events } of derived) {
      for (const event of events) missing += yield* insertMissingEvent(db, event, row.created_at);
    }
    return { last: derived.at(-1)?.row ?? after, count: derived.length, missing };
  }

  interface MendedKeys {
    /** undefined: there are none behind it. */
    readonly last: MatchKey | undefined;
    readonly missing: number;
  }

  function* mendSharedKeys(db: Writer, after: MatchKey): Work<MendedKeys> {
    const shared = yield* listKeysOfMany(db, after, truthLimits.rebuiltKeysCount);
    return { last: shared.at(-1), missing: yield* insertSharedKeys(db, shared) };
  }

  function* mendTotals(db: Writer): Work<readonly string[]> {
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
    const part = await mend(quiet(), (db) => mendEntities(db, after));
    if (part.count === 0) break;
    entities += part.count;
    missing += part.missing;
    differing.push(...part.wrong);
    after = part.last;
    options.progress(entities, undefined, 'entities');
  }
  let observations = 0;
  for (let after: ObservationKey = first; ; ) {
    const part = await mend(quiet(), (db) => mendObservations(db, after));
    if (part.count === 0) break;
    observations += part.count;
    missing += part.missing;
    after = part.last;
    options.progress(observations, undefined, 'observations');
  }
  for (let after: MatchKey | undefined = firstKey; after !== undefined; ) {
    const from: MatchKey = after;
    const part: MendedKeys = await mend(quiet(), (db) => mendSharedKeys(db, from));
    missing += part.missing;
    after = part.last;
  }
  const misdirected = await mend(quiet(), function* (db) {
    return (yield* repointSources(db)) + (yield* repointTargets(db));
  });
  const wrongTotals = await mend(quiet(), mendTotals);
  return {
    entities,
    differing: differing.length,
    differing_ids: differing.slice(0, truthLimits.toldCount),
    observations,
    missing,
    misdirected_relationships: misdirected,
    wrong_totals: wrongTotals,
  };
}
