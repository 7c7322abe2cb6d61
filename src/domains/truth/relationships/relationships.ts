import type { Call } from '#kernel/call.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { createRelationship } from './create-relationship.ts';
import { readNeighborhood } from './graph/neighborhood.ts';
import { walkRelated } from './graph/walk-related.ts';
import { listRelationships } from './list-relationships.ts';
import type { CreateInput, ListInput, NeighborhoodInput, RelatedInput } from './relationship-model.ts';

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
