import type { Call } from '#kernel/call.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { type CreateAnswer, createRelationship } from './create-relationship.ts';
import { readNeighborhood } from './graph/neighborhood.ts';
import { walkRelated } from './graph/walk-related.ts';
import { listRelationships } from './list-relationships.ts';
import type {
  CreateInput,
  ListAnswer,
  ListInput,
  Neighborhood,
  NeighborhoodInput,
  RelatedAnswer,
  RelatedInput,
} from './relationship-model.ts';

export interface Relationships {
  create(input: CreateInput, call: Call): Promise<CreateAnswer>;
  list(input: ListInput, call: Call): Promise<ListAnswer>;
  related(input: RelatedInput, call: Call): Promise<RelatedAnswer>;
  neighborhood(input: NeighborhoodInput, call: Call): Promise<Neighborhood>;
}

export function createRelationships({ storage, schemas }: Pick<TruthDeps, 'storage'> & SchemaDeps): Relationships {
  return {
    create: (input, call) => storage.write(call, (db) => createRelationship(db, input)),
    list: (input, call) => storage.read(call, (db) => listRelationships(db, input)),
    related: (input, call) => storage.read(call, (db) => walkRelated(db, input)),
    neighborhood: (input, call) => storage.read(call, (db) => readNeighborhood(db, { schemas }, input)),
  };
}
