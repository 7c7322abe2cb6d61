import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { editDistance } from '#kernel/text/edit-distance.ts';
import { toIso } from '../../iso-time.ts';
import { truthFaults } from '../../truth-faults.ts';
import { truthLimits } from '../../truth-limits.ts';
import { relationshipTypeTopic, toRelationshipType } from '../../truth-vocabulary.ts';
import { builtinNames, builtinTypes, type RelationshipType } from './builtin-types.ts';
import { findTypes, insertType, listTypes, type TypeRow } from './type-store.ts';

export type ListedType = RelationshipType & {
  readonly origin: 'documented' | 'builtin' | 'registered';
  readonly created_at?: string;
};

const toListed = (row: TypeRow): ListedType => ({
  relationship_type: row.relationship_type,
  description: row.description,
  acyclic: row.is_acyclic === 1,
  origin: 'registered',
  created_at: toIso(row.created_at),
});

/** A third of the letters may differ: WORKS_FOR is near WORKS_AT. */
function similarTo(type: string, known: readonly string[]): readonly string[] {
  const max = Math.max(2, Math.floor(type.length / 3));
  return known
    .map((one) => ({ one, distance: editDistance(type, one) }))
    .filter(({ distance }) => distance > 0 && distance <= max)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, truthLimits.similarTypesCount)
    .map(({ one }) => one);
}

export const unknownType = (field: string, type = '', registered: readonly string[] = []) => {
  const near = similarTo(type, [...builtinNames, ...registered]);
  const known = [...builtinNames, ...registered.slice(0, truthLimits.namedTypesCount)];
  return truthFaults.INVALID_RELATIONSHIP_TYPE(
    { known, near },
    { field, ...(near.length > 0 && { did_you_mean: near }) },
  );
};

function* registeredNames(db: Reader): Work<readonly string[]> {
  return (yield* listTypes(db, truthLimits.relationshipTypesCount)).map(({ relationship_type }) => relationship_type);
}

/** Normalised, in the same order, each once. Needs a query only if one is not built in. */
export function* expectTypes(db: Reader, given: readonly string[], field: string): Work<readonly string[]> {
  const types = [...new Set(given.map((text) => toRelationshipType(text) ?? ''))];
  const others = types.filter((type) => !builtinTypes.has(type));
  if (others.length === 0) return types;
  const found = new Set((yield* findTypes(db, others)).map(({ relationship_type }) => relationship_type));
  const unknown = others.find((type) => !found.has(type));
  if (unknown !== undefined) throw unknownType(field, unknown, yield* registeredNames(db));
  return types;
}

/** Those of the given types whose edges must not form a cycle. */
export function* findAcyclic(db: Reader, types: readonly string[]): Work<ReadonlySet<string>> {
  const others = types.filter((type) => !builtinTypes.has(type));
  const rows = others.length === 0 ? [] : yield* findTypes(db, others);
  const registered = rows
    .filter(({ is_acyclic }) => is_acyclic === 1)
    .map(({ relationship_type }) => relationship_type);
  return new Set([...types.filter((type) => builtinTypes.get(type)?.acyclic === true), ...registered]);
}

export interface RegisterInput {
  readonly relationship_type: string;
  readonly description?: string | undefined;
  readonly acyclic?: boolean | undefined;
}

export interface RegisterAnswer extends ListedType {
  readonly created: boolean;
  /** Types with nearly the same name: perhaps one of them was meant. */
  readonly similar?: readonly string[];
}

/** A type never changes: edges were checked with it. Registering it again is not an error. */
export function* registerType(db: Writer, input: RegisterInput): Work<RegisterAnswer> {
  const { description, acyclic } = input;
  const relationship_type = toRelationshipType(input.relationship_type)!;
  const [row] = builtinTypes.has(relationship_type) ? [] : yield* findTypes(db, [relationship_type]);
  const known = builtinTypes.get(relationship_type) ?? (row === undefined ? undefined : toListed(row));
  if (known !== undefined) {
    const isSame =
      (acyclic ?? known.acyclic) === known.acyclic && (description ?? known.description) === known.description;
    if (isSame) return { ...known, created: false };
    const why =
      known.origin === 'registered'
        ? `${relationship_type} is registered with another definition; choose another name`
        : `${relationship_type} is built in and cannot be changed; choose another name`;
    throw faults.CONFLICT(
      { why },
      { field: 'relationship_type', fix: 'Choose another name; list_relationship_types shows those that exist.' },
    );
  }
  const registered = yield* registeredNames(db);
  const { relationshipTypesCount } = truthLimits;
  if (registered.length >= relationshipTypesCount) {
    throw faults.RESOURCE_LIMIT({
      what: 'The list of relationship types',
      limit: relationshipTypesCount,
      unit: 'registered types',
    });
  }
  const added: TypeRow = {
    relationship_type,
    description: description ?? '',
    is_acyclic: acyclic === true ? 1 : 0,
    created_at: db.now,
  };
  yield* insertType(db, added);
  const listed = toListed(added);
  yield* db.changed(relationshipTypeTopic, relationship_type, 'create', sha256Hex(canonicalJson({ ...listed })));
  const similar = similarTo(relationship_type, [...builtinNames, ...registered]);
  return { ...listed, created: true, ...(similar.length > 0 && { similar }) };
}

export function* listAllTypes(db: Reader): Work<readonly ListedType[]> {
  const rows = yield* listTypes(db, truthLimits.relationshipTypesCount);
  return [...builtinTypes.values(), ...rows.map(toListed)];
}
