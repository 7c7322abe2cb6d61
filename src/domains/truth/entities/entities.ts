import { createCorrections } from './correct-entity.ts';
import { createMoments } from './entity-moments.ts';
import { createEntityNames } from './entity-names.ts';
import { createOverview } from './entity-overview.ts';
import { createIdentifierLookup, type IdentifierLookupDeps } from './find-by-identifier.ts';
import { createEntityLists, type EntityListsDeps } from './list-entities.ts';
import { createObservationList } from './list-observations.ts';
import type { EntitiesDeps } from './load-entity.ts';
import { createMentioned } from './mentioned-entities.ts';
import { createNewestSources } from './newest-sources.ts';
import { createFieldHistory } from './provenance/field-history.ts';
import { createFieldProvenance } from './provenance/field-provenance.ts';
import { createSnapshots } from './read-snapshot.ts';
import { createUpcoming } from './upcoming.ts';

export type Entities = ReturnType<typeof createEntities>;

export function createEntities(deps: EntitiesDeps & EntityListsDeps & IdentifierLookupDeps) {
  const { retrieve, listTypes, listUpToLimit } = createEntityLists(deps);
  return {
    retrieve,
    types: listTypes,
    overview: createOverview(deps),
    moments: createMoments(deps),
    byIdentifier: createIdentifierLookup(deps, listUpToLimit),
    mentioned: createMentioned(deps, listUpToLimit),
    /** Returns without a promise if the snapshot is cached and current. */
    snapshot: createSnapshots(deps),
    observations: createObservationList(deps),
    names: createEntityNames(deps),
    newestSources: createNewestSources(deps),
    upcoming: createUpcoming(deps),
    fieldProvenance: createFieldProvenance(deps),
    fieldHistory: createFieldHistory(deps),
    correct: createCorrections(deps),
  };
}
