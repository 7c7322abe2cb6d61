import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { expectRootIds } from '../entities/load-entity.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthFaults } from '../truth-faults.ts';
import { acyclicTypes, type RelationshipType, relationshipTopic } from '../truth-vocabulary.ts';
import { closesCycle } from './find-cycle.ts';
import { readNeighborhood } from './graph/neighborhood.ts';
import { walkRelated } from './graph/walk-related.ts';
import { listRelationships } from './list-relationships.ts';
import {
  type CreateInput,
  type Edge,
  type ListInput,
  type NeighborhoodInput,
  type RelatedInput,
  toEdge,
} from './relationship-model.ts';
import { type EdgeRow, findEdge, insertEdge, lockEdges } from './relationship-store.ts';

const separator = '\u001f';

/** The same in any store: a UUID of version 8 (RFC 9562) from a hash. */
export function relationshipIdOf(type: RelationshipType, sourceId: string, targetId: string): string {
  const hex = sha256Hex([type, sourceId, targetId].join(separator));
  const variant = (0x8 | (Number.parseInt(hex.slice(16, 17), 16) & 0x3)).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

type CreateAnswer = Edge & { readonly created: boolean };

function* checkCycle(db: Writer, type: RelationshipType, source: string, target: string): Work<void> {
  if (source === target) {
    throw truthFaults.CYCLE_DETECTED({ why: 'The edge would lead from an entity to itself' });
  }
  if (!acyclicTypes.has(type)) return;
  if (yield* closesCycle(db, type, source, target)) {
    throw truthFaults.CYCLE_DETECTED({ why: `${type} edges already lead from the target to the source` });
  }
}

/** An edge never changes: creating it again returns the first one. */
function* createRelationship(db: Writer, input: CreateInput): Work<CreateAnswer> {
  const { relationship_type, source_entity_id, target_entity_id, metadata } = input;
  yield* lockEdges(db, [relationship_type]);
  const relationship_id = relationshipIdOf(relationship_type, source_entity_id, target_entity_id);
  const known = yield* findEdge(db, relationship_id);
  if (known !== undefined) return { ...toEdge(known), created: false };
  const roots = yield* expectRootIds(db, { source_entity_id, target_entity_id });
  yield* checkCycle(db, relationship_type, roots.source_entity_id, roots.target_entity_id);
  const row: EdgeRow = {
    relationship_id,
    relationship_type,
    source_entity_id,
    target_entity_id,
    source_root_id: roots.source_entity_id,
    target_root_id: roots.target_entity_id,
    created_at: db.now,
    metadata: metadata === undefined ? null : canonicalJson(metadata),
  };
  if ((yield* insertEdge(db, row)) === 0) throw new Error('bug: an edge was created twice under its lock');
  const edge = toEdge(row);
  yield* db.changed(relationshipTopic, relationship_id, 'create', sha256Hex(canonicalJson(edge)));
  return { ...edge, created: true };
}

export type Relationships = ReturnType<typeof createRelationships>;

export function createRelationships({ storage, schemas }: Pick<TruthDeps, 'storage'> & SchemaDeps) {
  return {
    create: (input: CreateInput, call: Call) => storage.write(call, (db) => createRelationship(db, input)),
    list: (input: ListInput, call: Call) => storage.read(call, (db) => listRelationships(db, input)),
    related: (input: RelatedInput, call: Call) => storage.read(call, (db) => walkRelated(db, input)),
    neighborhood: (input: NeighborhoodInput, call: Call) =>
      storage.read(call, (db) => readNeighborhood(db, { schemas }, input)),
  };
}
