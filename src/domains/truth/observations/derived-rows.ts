import type { Json } from '#kernel/json/canonical.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { dateToMs } from '../iso-time.ts';
import { dateFieldsOf, type EntitySchema } from '../schemas/entity-schema.ts';
import { truthLimits } from '../truth-limits.ts';
import { companyType, entityIdOf, eventIdOf, keySeparator, normaliseName } from './entity-name.ts';
import {
  boundKey,
  foldKeyOfField,
  identifierOf,
  matchKeyOfField,
  matchKeyOfName,
  storedFoldKeysOf,
  storedNearKeysOf,
} from './match-keys.ts';
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
import {
  aliasFieldOf,
  aliasKeysOf,
  foldField,
  type NameProbe,
  nameField,
  nearField,
  probesOfAlias,
  probesOfName,
  type SimilarHits,
  writePairs,
} from './similar-names.ts';

/** Returns how many keys were new. Shared keys are searched only among the new ones. */
function* writeMatchKeys(db: Writer, keys: readonly NewMatchKey[]): Work<number> {
  if (keys.length === 0) return 0;
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
  /** Names to compare with those of other entities. */
  readonly probes?: readonly NameProbe[];
}

/** A name that is a content id matches no other. */
const isContentId = (name: string): boolean => /^payload_[0-9a-f]{24}$/.test(name);

/** Rows that find the entity by this very name. The name and the canonical name give the same rows. */
export function lookupsOfExactName(entity_type: string, entity_id: string, given: string): LookupRows {
  const name = given.replaceAll(keySeparator, ' ');
  const identifiers = [{ identifier: boundKey(name), entity_type, entity_id, field: nameField }];
  const key = isContentId(name) ? undefined : matchKeyOfName(entity_type, name);
  return { identifiers, matchKeys: key === undefined ? [] : [{ entity_type, match_key: key, entity_id }] };
}

/** Also those that find it by a similar name. */
export function lookupsOfName(entity_type: string, entity_id: string, given: string): LookupRows {
  const exact = lookupsOfExactName(entity_type, entity_id, given);
  const name = given.replaceAll(keySeparator, ' ');
  if (isContentId(name)) return exact;
  const toRow = (field: string) => (identifier: string) => ({ identifier, entity_type, entity_id, field });
  return {
    identifiers: [
      ...exact.identifiers,
      ...storedFoldKeysOf(entity_type, name).map(toRow(foldField)),
      ...storedNearKeysOf(entity_type, name).map(toRow(nearField)),
    ],
    matchKeys: exact.matchKeys,
    probes: probesOfName(entity_type, entity_id, name),
  };
}

const isScalar = (value: Json): value is string | number => typeof value === 'string' || typeof value === 'number';

const valuesOf = (value: Json | undefined): readonly Json[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly Json[]) : [value];

/** Fields whose values are other names of the entity, in any schema. */
export const aliasFields = [
  'aliases',
  'alias',
  'name',
  'title',
  'full_name',
  'legal_name',
  'short_name',
  'former_name',
] as const;

/** The name of an entity that was created with a key is an identifier, and so is the key. */
function lookupsOfKey({
  entityType: entity_type,
  entityId: entity_id,
  fields,
}: ObservationFacts): readonly NewIdentifier[] {
  const textsOf = (names: readonly string[]) =>
    names.flatMap((name) => (Object.hasOwn(fields, name) && typeof fields[name] === 'string' ? [fields[name]] : []));
  for (const key of textsOf(['key', 'email']).map(identifierOf)) {
    for (const text of textsOf(['name', 'title'])) {
      const name = normaliseName(text, entity_type === companyType);
      if (entityIdOf(entity_type, `${name}${keySeparator}${key}`) !== entity_id) continue;
      return [
        { identifier: boundKey(name), entity_type, entity_id, field: nameField },
        { identifier: key, entity_type, entity_id, field: 'key' },
      ];
    }
  }
  return [];
}

/** Names that do not lead to the entity by their id. */
function aliasesOf({ entityType, entityId, fields }: ObservationFacts): readonly string[] {
  const isCompany = entityType === companyType;
  const names = new Set<string>();
  for (const field of aliasFields) {
    for (const value of Object.hasOwn(fields, field) ? valuesOf(fields[field]) : []) {
      if (typeof value !== 'string' || value.length > truthLimits.nameChars) continue;
      const name = normaliseName(value, isCompany);
      if (name === '' || names.has(name) || entityIdOf(entityType, name) === entityId) continue;
      names.add(name);
      if (names.size === truthLimits.aliasesCount) return [...names];
    }
  }
  return [...names];
}

/** [TR60] */
function lookupsOfAliases(facts: ObservationFacts): Required<Pick<LookupRows, 'identifiers' | 'probes'>> {
  const { entityType: entity_type, entityId: entity_id } = facts;
  const names = aliasesOf(facts);
  return {
    identifiers: names.flatMap((name) =>
      aliasKeysOf(entity_type, name).map((identifier) => ({
        ...{ identifier, entity_type, entity_id },
        field: aliasFieldOf(name),
      })),
    ),
    probes: names.flatMap((name) => probesOfAlias(entity_type, entity_id, name)),
  };
}

/** From the fields that the schema marks as identifiers, and from other names. */
export function lookupsOfFields(schema: EntitySchema, facts: ObservationFacts): LookupRows {
  const { entityId, entityType, fields } = facts;
  const identifiers: NewIdentifier[] = [];
  const folded: NewIdentifier[] = [];
  const matchKeys: NewMatchKey[] = [];
  for (const [field, { identifier }] of Object.entries(schema.fields)) {
    if (identifier !== true || !Object.hasOwn(fields, field)) continue;
    for (const value of valuesOf(fields[field])) {
      if (identifiers.length >= truthLimits.identifiersCount) break;
      const text = isScalar(value) ? identifierOf(String(value)) : '';
      if (!isScalar(value) || text === '') continue;
      const row = { entity_type: entityType, entity_id: entityId };
      identifiers.push({ ...row, identifier: text, field });
      const foldKey = foldKeyOfField(String(value));
      if (foldKey !== undefined && folded.length < truthLimits.aliasesCount)
        folded.push({ ...row, identifier: foldKey, field: boundKey(`${field}=${text}`) });
      const key = matchKeyOfField(field, value);
      if (key !== undefined) matchKeys.push({ ...row, match_key: key });
    }
  }
  const aliases = lookupsOfAliases(facts);
  return {
    identifiers: [...identifiers, ...folded, ...lookupsOfKey(facts), ...aliases.identifiers],
    matchKeys,
    probes: aliases.probes,
  };
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

export interface WrittenLookups {
  /** Rows that were new. */
  readonly added: number;
  /** By entity: the rows under which a similar name was looked for. */
  readonly similar: SimilarHits;
}

export function* writeLookups(db: Writer, lookups: readonly LookupRows[]): Work<WrittenLookups> {
  const identifiers = lookups.flatMap((rows) => rows.identifiers);
  const matchKeys = lookups.flatMap((rows) => rows.matchKeys);
  const probes = lookups.flatMap((rows) => rows.probes ?? []);
  const exact = (yield* insertIdentifiers(db, identifiers)) + (yield* writeMatchKeys(db, matchKeys));
  const pairs = yield* writePairs(db, probes);
  return { added: exact + pairs.added, similar: pairs.similar };
}
