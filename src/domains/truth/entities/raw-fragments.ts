import type { Json } from '#kernel/json/canonical.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { chunksOf } from '../chunks.ts';
import type { Fields } from '../observations/observation.ts';
import { type EntitySchema, fieldOf } from '../schemas/entity-schema.ts';
import { fitValue } from '../schemas/fit-value.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import { truthLimits } from '../truth-limits.ts';
import type { EntityRow } from './entity-store.ts';
import { currentMoment, idsOf, membersOf } from './load-entity.ts';
import {
  findObservations,
  listRawFragments,
  listRawFragmentsOfEach,
  listRawFragmentsOfMany,
  type Moment,
  type ObservationRow,
  type RawFragmentsRow,
} from './observed-store.ts';
import { parseFields } from './reduce-rows.ts';
import { listMembersOf } from './search/entity-search-store.ts';

/** The observations of these rows, checked, in their order. Most observations have no fragments and are not read. */
function* findWhole(db: Reader, rows: readonly RawFragmentsRow[]): Work<readonly ObservationRow[]> {
  const distinct = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];
  const found = yield* findObservations(
    db,
    distinct(rows.map(({ entity_id }) => entity_id)),
    distinct(rows.map(({ observed_at }) => observed_at)),
    distinct(rows.map(({ observation_id }) => observation_id)),
  );
  const byId = new Map(found.map((row) => [row.observation_id, row]));
  return rows.flatMap(({ observation_id }) => byId.get(observation_id) ?? []);
}

/** Values of fields that the schema does not declare: an earlier version was open and accepted them. */
function undeclaredIn(fields: string, schema: EntitySchema): readonly (readonly [string, Json])[] {
  if (schema.open === true) return [];
  return Object.entries(parseFields(fields)).filter(([name]) => fieldOf(schema, name) === undefined);
}

/** The newest of each name, corrections first. */
function* gatherRaw(db: Reader, rows: readonly RawFragmentsRow[], schema: EntitySchema): Work<Fields> {
  const withFragments = rows.filter(
    ({ raw_fragments, other_fields }) => raw_fragments !== '{}' || undeclaredIn(other_fields, schema).length > 0,
  );
  const whole = withFragments.length === 0 ? [] : yield* findWhole(db, withFragments);
  const found = new Map<string, Json>();
  for (const isCorrection of [true, false]) {
    for (const row of whole) {
      if ((row.source_kind === 'correction') !== isCorrection) continue;
      const values = [...Object.entries(parseFields(row.raw_fragments)), ...undeclaredIn(row.fields, schema)];
      for (const [name, value] of values) {
        const field = fieldOf(schema, name);
        const isAlive = field !== undefined && fitValue(field, value) !== undefined;
        if (!isAlive && !found.has(name)) found.set(name, value);
      }
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Values that no active schema field accepts. */
export function* rawFragmentsOf(
  db: Reader,
  members: readonly string[],
  schema: EntitySchema,
  moment: Moment,
): Work<Fields> {
  const { rawObservationsCount } = truthLimits;
  const rows =
    members.length === 1
      ? yield* listRawFragments(db, members[0]!, moment, schema.version, rawObservationsCount)
      : yield* listRawFragmentsOfMany(db, members, moment, schema.version, rawObservationsCount);
  return yield* gatherRaw(db, rows, schema);
}

const newestFirst = (a: RawFragmentsRow, b: RawFragmentsRow): number =>
  b.observed_at - a.observed_at || (a.observation_id < b.observation_id ? -1 : 1);

/** The same for several roots as they are now, by id: one statement for all that are not merged with others. */
export function* rawFragmentsOfEach(
  db: Reader,
  { schemas }: SchemaDeps,
  roots: readonly Pick<EntityRow, 'entity_id' | 'entity_type' | 'last_recorded_at'>[],
): Work<ReadonlyMap<string, Fields>> {
  const raw = new Map<string, Fields>();
  if (roots.length === 0) return raw;
  const active = yield* schemas.activeOf(db, [...new Set(roots.map(({ entity_type }) => entity_type))]);
  const merged = new Set((yield* listMembersOf(db, idsOf(roots))).map(({ root_id }) => root_id));
  const single = roots.filter(({ entity_id }) => !merged.has(entity_id));
  for (const some of chunksOf(single, truthLimits.subqueriesCount)) {
    const sources = some.map((root) => {
      const { version, open } = active.get(root.entity_type)!;
      const closedVersion = open === true ? undefined : version;
      return { entityId: root.entity_id, moment: currentMoment(db, root), closedVersion };
    });
    const rows = yield* listRawFragmentsOfEach(db, sources, truthLimits.rawObservationsCount);
    const byEntity = Map.groupBy(rows, ({ entity_id }) => entity_id);
    for (const { entity_id, entity_type } of some) {
      const own = byEntity.get(entity_id)?.toSorted(newestFirst);
      if (own !== undefined) raw.set(entity_id, yield* gatherRaw(db, own, active.get(entity_type)!));
    }
  }
  for (const root of roots.filter(({ entity_id }) => merged.has(entity_id))) {
    const schema = active.get(root.entity_type)!;
    const members = yield* membersOf(db, root.entity_id);
    raw.set(root.entity_id, yield* rawFragmentsOf(db, members, schema, currentMoment(db, root)));
  }
  return raw;
}
