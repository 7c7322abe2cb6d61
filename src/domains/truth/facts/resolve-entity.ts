import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { type EntityRow, findEntities, findEntityHeads, listEntitiesByIdentifiers } from '../entities/entity-store.ts';
import { companyType, entityIdOf, keySeparator, normaliseName } from '../observations/entity-name.ts';
import { identifierOf, identifiersOf } from '../observations/match-keys.ts';
import { normaliseType } from '../observations/type-words.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import type { NamedEntity } from './fact-model.ts';

/** The entity that a fact names: known, or to be created with it. */
export interface ResolvedEntity {
  readonly entityId: string;
  readonly entityType: string;
  /** Normalised; the id of a new entity is made from it. */
  readonly name: string;
  /** As written. */
  readonly displayName: string;
  readonly key?: string | undefined;
  readonly isKnown: boolean;
  /** Of a known one, before the fact. */
  readonly row?: EntityRow;
}

const toKnown = (row: EntityRow): ResolvedEntity => ({
  entityId: row.entity_id,
  entityType: row.entity_type,
  name: row.canonical_name,
  displayName: row.canonical_name,
  isKnown: true,
  row,
});

function* refuseSeveral(db: Reader, ids: readonly string[], { name }: NamedEntity, field: string): Work<never> {
  const heads = yield* findEntityHeads(db, ids.slice(0, truthLimits.candidatesCount));
  const candidates = heads.map(({ entity_id, entity_type, canonical_name }) => ({
    entity_id,
    entity_type,
    name: canonical_name,
  }));
  throw faults.VALIDATION_ERROR(
    {
      why: `${field}: ${ids.length} entities are called ${name.slice(0, 100)}; pass entity_id, or key to tell them apart`,
    },
    { field, candidates },
  );
}

/** An entity that a fact mentions, and the argument for error messages. */
export interface Mention {
  /** An id, which must exist, or a name. */
  readonly given: string | NamedEntity;
  readonly field: string;
}

/** By its key if it has one, otherwise by its name. */
function readNamed(given: NamedEntity, field: string): ResolvedEntity & { readonly identifiers: readonly string[] } {
  const entityType = normaliseType(given.type);
  if (entityType === undefined) {
    throw faults.VALIDATION_ERROR({ why: `${field}.type must be a word of letters and digits` }, { field });
  }
  const displayName = given.name.trim();
  const name = normaliseName(displayName, entityType === companyType);
  if (name === '') throw faults.VALIDATION_ERROR({ why: `${field}.name is empty` }, { field });
  const key = given.key === undefined ? undefined : identifierOf(given.key);
  const fullName = key === undefined ? name : `${name}${keySeparator}${key}`;
  return {
    entityId: entityIdOf(entityType, fullName),
    entityType,
    name: fullName,
    displayName,
    key: given.key?.trim(),
    isKnown: false,
    identifiers: key === undefined ? [...identifiersOf(displayName), name] : [key],
  };
}

/**
 * All entities of a fact together. Entities with different keys stay apart although their names are equal; a name that
 * fits several entities is refused.
 */
export function* resolveEntities(db: Reader, mentions: readonly Mention[]): Work<readonly ResolvedEntity[]> {
  const named = mentions.map(({ given, field }) => (typeof given === 'string' ? undefined : readNamed(given, field)));
  const wanted = named.filter((one) => one !== undefined);
  const rows =
    wanted.length === 0
      ? []
      : yield* listEntitiesByIdentifiers(
          db,
          wanted.map(({ entityType: type, identifiers }) => ({ type, identifiers })),
          truthLimits.identifiedCount,
        );
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  const knownIds: (string | undefined)[] = [];
  for (const [i, { given, field }] of mentions.entries()) {
    if (typeof given === 'string') knownIds.push(given);
    else {
      const found = byPlace.get(wanted.indexOf(named[i]!)) ?? [];
      // One entity of each group.
      const ids = [...new Map(found.map(({ entity_id, root_id }) => [root_id, entity_id])).values()];
      if (ids.length > 1) yield* refuseSeveral(db, ids, given, field);
      knownIds.push(ids[0]);
    }
  }
  const distinct = [...new Set(knownIds.filter((id) => id !== undefined))];
  const known = distinct.length === 0 ? [] : yield* findEntities(db, distinct);
  const rowOf = new Map(known.map((row) => [row.entity_id, row]));
  return mentions.map(({ field }, i) => {
    const id = knownIds[i];
    const fresh = named[i];
    if (id === undefined) return fresh!;
    const row = rowOf.get(id);
    if (row === undefined) throw truthFaults.ENTITY_NOT_FOUND({}, { field });
    return fresh === undefined ? toKnown(row) : { ...toKnown(row), displayName: fresh.displayName };
  });
}
