import type { Json } from '#kernel/json/canonical.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { dateToMs } from '../iso-time.ts';
import { dateFieldsOf, type EntitySchema } from '../schemas/entity-schema.ts';
import { truthLimits } from '../truth-limits.ts';
import { eventIdOf, keySeparator } from './entity-name.ts';
import { boundKey, identifierOf, matchKeyOfField, matchKeyOfName } from './match-keys.ts';
import type { Fields } from './observation.ts';
import {
  findSharedKeys,
  insertIdentifiers,
  insertMatchKeys,
  insertSharedKeys,
  type NewEvent,
  type NewIdentifier,
  type NewMatchKey,
} from './observation-store.ts';

/**
 * Returns how many keys were new. Shared keys are searched only among the new ones. The lock lets one of two concurrent
 * writers of the same key see the other's row on PostgreSQL; it is taken late because it is held until the commit.
 */
function* writeMatchKeys(db: Writer, keys: readonly NewMatchKey[]): Work<number> {
  if (keys.length === 0) return 0;
  yield* db.lock('truth-match-keys');
  const inserted = yield* insertMatchKeys(db, keys);
  yield* insertSharedKeys(db, yield* findSharedKeys(db, inserted));
  return inserted.length;
}

/** Input of the tables that can be derived again. */
export interface ObservationFacts {
  readonly observationId: string;
  readonly entityId: string;
  readonly entityType: string;
  readonly sourceId: string;
  readonly fields: Fields;
}

export interface LookupRows {
  readonly identifiers: readonly NewIdentifier[];
  readonly matchKeys: readonly NewMatchKey[];
}

/** The `field` of an identifier that comes from the entity's name. */
const nameField = 'name';

/** A name that is a content id matches no other. */
const isContentId = (name: string): boolean => /^payload_[0-9a-f]{24}$/.test(name);

/** The name and the canonical name give the same rows. */
export function lookupsOfName(entity_type: string, entity_id: string, name: string): LookupRows {
  const key = isContentId(name) ? undefined : matchKeyOfName(name);
  return {
    identifiers: [
      { identifier: boundKey(name.replaceAll(keySeparator, ' ')), entity_type, entity_id, field: nameField },
    ],
    matchKeys: key === undefined ? [] : [{ entity_type, match_key: key, entity_id }],
  };
}

const isScalar = (value: Json): value is string | number => typeof value === 'string' || typeof value === 'number';

const valuesOf = (value: Json | undefined): readonly Json[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly Json[]) : [value];

/** From the fields that the schema marks as identifiers. */
export function lookupsOfFields(schema: EntitySchema, { entityId, entityType, fields }: ObservationFacts): LookupRows {
  const identifiers: NewIdentifier[] = [];
  const matchKeys: NewMatchKey[] = [];
  for (const [field, { identifier }] of Object.entries(schema.fields)) {
    if (identifier !== true || !Object.hasOwn(fields, field)) continue;
    for (const value of valuesOf(fields[field])) {
      if (identifiers.length >= truthLimits.identifiersCount) break;
      const text = isScalar(value) ? identifierOf(String(value)) : '';
      if (!isScalar(value) || text === '') continue;
      identifiers.push({ identifier: text, entity_type: entityType, entity_id: entityId, field });
      const key = matchKeyOfField(field, value);
      if (key !== undefined) matchKeys.push({ entity_type: entityType, match_key: key, entity_id: entityId });
    }
  }
  return { identifiers, matchKeys };
}

/** [TR19] */
export function eventsOf(schema: EntitySchema, facts: ObservationFacts): readonly NewEvent[] {
  const { observationId, entityId, entityType, sourceId, fields } = facts;
  const events = dateFieldsOf(schema).flatMap((field) => {
    const values = new Set(Object.hasOwn(fields, field) ? valuesOf(fields[field]) : []);
    return [...values].flatMap((value) => {
      const at = typeof value === 'string' ? dateToMs(value) : undefined;
      if (typeof value !== 'string' || at === undefined) return [];
      return {
        event_id: eventIdOf(observationId, field, value),
        event_at: at,
        event_type: `${entityType}_${field}`,
        entity_id: entityId,
        entity_type: entityType,
        field,
        value,
        source_id: sourceId,
        observation_id: observationId,
      };
    });
  });
  return events.slice(0, truthLimits.eventsCount);
}

/** Returns how many rows were new. */
export function* writeLookups(db: Writer, lookups: readonly LookupRows[]): Work<number> {
  const identifiers = lookups.flatMap((rows) => rows.identifiers);
  const matchKeys = lookups.flatMap((rows) => rows.matchKeys);
  return (yield* insertIdentifiers(db, identifiers)) + (yield* writeMatchKeys(db, matchKeys));
}
