import { createCorrections } from './correct-entity.ts';
import { createIdentifierLookup, type IdentifierLookupDeps } from './find-by-identifier.ts';
import { createEntityLists, type EntityListsDeps } from './list-entities.ts';
import { createObservationList } from './list-observations.ts';
import type { EntitiesDeps } from './load-entity.ts';
import { createFieldHistory } from './provenance/field-history.ts';
import { createFieldProvenance } from './provenance/field-provenance.ts';
import { createSnapshots } from './read-snapshot.ts';

export type Entities = ReturnType<typeof createEntities>;

export function createEntities(deps: EntitiesDeps & EntityListsDeps & IdentifierLookupDeps) {
  const { retrieve, listUpToLimit } = createEntityLists(deps);
  return {
    retrieve,
    byIdentifier: createIdentifierLookup(deps, listUpToLimit),
    /** Returns without a promise if the snapshot is cached and current. */
    snapshot: createSnapshots(deps),
    observations: createObservationList(deps),
    fieldProvenance: createFieldProvenance(deps),
    fieldHistory: createFieldHistory(deps),
    correct: createCorrections(deps),
  };
}
