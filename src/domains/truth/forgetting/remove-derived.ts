import type { Work, Writer } from '#kernel/storage/port.ts';
import type { ObservationRow } from '../entities/observed-store.ts';
import { parseFields } from '../entities/reduce-rows.ts';
import { eventsOf, lookupsOfFields, writeLookups } from '../observations/derived-rows.ts';
import { eventsTotal } from '../observations/totals.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { splitFields } from '../schemas/fit-value.ts';
import { contradictionTopic } from '../truth-vocabulary.ts';
import {
  deleteContradictionsBetween,
  deleteEvents,
  deleteIdentifiers,
  deleteMatchKeys,
  deleteUnshared,
  setStated,
} from './forget-store.ts';
import type { Removal, RemovalDeps } from './removal.ts';

export interface ChangedStatement {
  readonly before: ObservationRow;
  /** Undefined: it is removed. */
  readonly after?: ObservationRow;
}

function derivedFrom(row: ObservationRow | undefined, schema: EntitySchema) {
  if (row === undefined) return { identifiers: [], matchKeys: [], events: [] };
  const facts = {
    observationId: row.observation_id,
    entityId: row.entity_id,
    entityType: row.entity_type,
    sourceId: row.source_id,
    fields: splitFields(schema, { ...parseFields(row.raw_fragments), ...parseFields(row.fields) }).fields,
  };
  return { ...lookupsOfFields(schema, facts), events: eventsOf(schema, facts) };
}

const keyOf = (row: object): string => JSON.stringify(Object.values(row));

function without<T extends object>(before: readonly T[], after: readonly T[]): readonly T[] {
  const kept = new Set(after.map(keyOf));
  return before.filter((row) => !kept.has(keyOf(row)));
}

/** Rows that only follow from what statements of remaining entities no longer say. */
export function* removeDerived(
  db: Writer,
  { schemas }: RemovalDeps,
  removal: Removal,
  changes: readonly ChangedStatement[],
): Work<void> {
  if (changes.length === 0) return;
  const types = [...new Set(changes.map(({ before }) => before.entity_type))];
  const active = yield* schemas.activeOf(db, types);
  const gone = changes.map(({ before, after }) => {
    const schema = active.get(before.entity_type)!;
    const [old, now] = [derivedFrom(before, schema), derivedFrom(after, schema)];
    return {
      identifiers: without(old.identifiers, now.identifiers),
      matchKeys: without(old.matchKeys, now.matchKeys),
      events: without(old.events, now.events),
    };
  });
  yield* deleteIdentifiers(
    db,
    gone.flatMap(({ identifiers }) => identifiers),
  );
  const keys = gone.flatMap(({ matchKeys }) => matchKeys);
  yield* deleteMatchKeys(db, keys);
  yield* deleteUnshared(db, keys);
  const events = yield* deleteEvents(
    db,
    gone.flatMap((one) => one.events),
  );
  for (const { event_type } of events) removal.tally.add(eventsTotal, event_type, -1);
  removal.counts.events += events.length;
  for (const { before } of changes) removal.affected.add(before.entity_id);
}

const fieldsOf = ({ fields, raw_fragments }: ObservationRow): readonly string[] => [
  ...Object.keys(parseFields(fields)),
  ...Object.keys(parseFields(raw_fragments)),
];

/** Stores statements of remaining entities that say less than before. */
export function* changeStatements(
  db: Writer,
  deps: RemovalDeps,
  removal: Removal,
  changes: readonly Required<ChangedStatement>[],
): Work<void> {
  if (changes.length === 0) return;
  yield* setStated(
    db,
    changes.map(({ after }) => after),
  );
  yield* removeDerived(db, deps, removal, changes);
  const lost = changes.flatMap(({ before, after }) =>
    fieldsOf(before).filter((field) => !fieldsOf(after).includes(field)),
  );
  const closed = yield* deleteContradictionsBetween(
    db,
    changes.map(({ before }) => before.observation_id),
    [...new Set(lost)],
  );
  noteContradictions(removal, closed);
}

export function noteContradictions(removal: Removal, rows: readonly { readonly contradiction_id: string }[]): void {
  removal.counts.contradictions += rows.length;
  for (const { contradiction_id: id } of rows) removal.items.push({ topic: contradictionTopic, id });
}

/** Another statement of the same entity may say what one said that is gone. */
export function* restoreLookups(db: Writer, { schemas }: RemovalDeps, rows: readonly ObservationRow[]): Work<void> {
  const types = [...new Set(rows.map(({ entity_type }) => entity_type))];
  if (types.length === 0) return;
  const active = yield* schemas.activeOf(db, types);
  yield* writeLookups(
    db,
    rows.map((row) => {
      const { identifiers, matchKeys } = derivedFrom(row, active.get(row.entity_type)!);
      return { identifiers, matchKeys };
    }),
  );
}
