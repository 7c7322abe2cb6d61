import type { Call } from '#kernel/call.ts';
import { type CorrectAnswer, type CorrectInput, createCorrections } from './correct-entity.ts';
import type { EntitySnapshot } from './entity-model.ts';
import { createEntityLists, type EntitiesAnswer, type IdentifierInput, type RetrieveInput } from './list-entities.ts';
import { createObservationList, type ObservationsAnswer, type PageInput } from './list-observations.ts';
import type { EntitiesDeps } from './load-entity.ts';
import { createFieldHistory } from './provenance/field-history.ts';
import { createFieldProvenance, type FieldInput } from './provenance/field-provenance.ts';
import type { FieldHistory, FieldProvenance } from './provenance/provenance-model.ts';
import { createSnapshots, type SnapshotInput } from './read-snapshot.ts';

export interface Entities {
  /** Returns without a promise if the snapshot is cached and current. */
  snapshot(input: SnapshotInput, call: Call): EntitySnapshot | Promise<EntitySnapshot>;
  observations(input: PageInput & { readonly entity_id: string }, call: Call): Promise<ObservationsAnswer>;
  fieldProvenance(input: FieldInput, call: Call): Promise<FieldProvenance>;
  fieldHistory(input: FieldInput & PageInput, call: Call): Promise<FieldHistory>;
  retrieve(input: RetrieveInput, call: Call): Promise<EntitiesAnswer & PageInput>;
  byIdentifier(input: IdentifierInput, call: Call): Promise<EntitiesAnswer>;
  correct(input: CorrectInput, call: Call): Promise<CorrectAnswer>;
}

export function createEntities(deps: EntitiesDeps): Entities {
  return {
    snapshot: createSnapshots(deps),
    observations: createObservationList(deps),
    fieldProvenance: createFieldProvenance(deps),
    fieldHistory: createFieldHistory(deps),
    ...createEntityLists(deps),
    correct: createCorrections(deps),
  };
}
