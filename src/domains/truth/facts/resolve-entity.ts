import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { type EntityHead, findEntityHeads, listEntitiesByIdentifierOfType } from '../entities/entity-store.ts';
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
}

const toKnown = ({ entity_id, entity_type, canonical_name }: EntityHead): ResolvedEntity => ({
  entityId: entity_id,
  entityType: entity_type,
  name: canonical_name,
  displayName: canonical_name,
  isKnown: true,
});

export function* resolveId(db: Reader, entityId: string, field: string): Work<ResolvedEntity> {
  const [head] = yield* findEntityHeads(db, [entityId]);
  if (head === undefined) throw truthFaults.ENTITY_NOT_FOUND({}, { field });
  return toKnown(head);
}

/** One entity of each group. */
function* findByText(db: Reader, type: string, texts: readonly string[]): Work<readonly string[]> {
  const rows = yield* listEntitiesByIdentifierOfType(db, texts, type, truthLimits.identifiedCount);
  return [...new Map(rows.map(({ entity_id, root_id }) => [root_id, entity_id])).values()];
}

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

/**
 * By its key if it has one, otherwise by its name. Entities with different keys stay apart although their names are
 * equal; a name that fits several entities is refused.
 */
export function* resolveNamed(db: Reader, given: NamedEntity, field: string): Work<ResolvedEntity> {
  const entityType = normaliseType(given.type);
  if (entityType === undefined) {
    throw faults.VALIDATION_ERROR({ why: `${field}.type must be a word of letters and digits` }, { field });
  }
  const displayName = given.name.trim();
  const name = normaliseName(displayName, entityType === companyType);
  if (name === '') throw faults.VALIDATION_ERROR({ why: `${field}.name is empty` }, { field });
  const key = given.key === undefined ? undefined : identifierOf(given.key);
  const ids = yield* findByText(db, entityType, key === undefined ? [...identifiersOf(displayName), name] : [key]);
  if (ids.length > 1) return yield* refuseSeveral(db, ids, given, field);
  const [known] = ids;
  if (known !== undefined) return { ...(yield* resolveId(db, known, field)), displayName };
  const fullName = key === undefined ? name : `${name}${keySeparator}${key}`;
  return {
    entityId: entityIdOf(entityType, fullName),
    entityType,
    name: fullName,
    displayName,
    key: given.key?.trim(),
    isKnown: false,
  };
}
