import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import { type Capabilities, createCapabilities } from './capabilities/capabilities.ts';
import { type Contradictions, createContradictions } from './contradictions/contradictions.ts';
import { createEntities, type Entities } from './entities/entities.ts';
import { createEntityDocuments, type EntityDocuments } from './entities/search/entity-documents.ts';
import { createEntitySearch } from './entities/search/search-entities.ts';
import type { TruthTransfer } from './exchange/truth-transfer.ts';
import { createFacts, type Facts } from './facts/store-fact.ts';
import { createFiles, type Files, type FilesDeps } from './files/files.ts';
import { createForgetting, type Forgetting, type ForgettingDeps } from './forgetting/forgetting.ts';
import { createMerges, type Merges } from './merges/merges.ts';
import { createPayloads, type Payloads } from './payloads/payloads.ts';
import type { RecordsDeps } from './records/record-documents.ts';
import { createRecords, type Records } from './records/records.ts';
import { createRefresh } from './refresh-due.ts';
import { createRelationships, type Relationships } from './relationships/relationships.ts';
import { createSchemas, type Schemas } from './schemas/schemas.ts';
import { createTimeline, type Timeline } from './timeline/timeline.ts';
import { toTruthStorage } from './truth-storage.ts';

/** Auditable long-term memory: payloads, the observations in them, and the entities they describe. */
export interface Truth {
  readonly payloads: Payloads;
  readonly facts: Facts;
  readonly entities: Entities;
  readonly merges: Merges;
  readonly contradictions: Contradictions;
  readonly relationships: Relationships;
  readonly timeline: Timeline;
  readonly records: Records;
  readonly files: Files;
  readonly forgetting: Forgetting;
  readonly capabilities: Capabilities;
  readonly schemas: Schemas;
  /** Background work, for the job. */
  readonly refresh: ReturnType<typeof createRefresh>;
  readonly transfer: TruthTransfer;
}

export type TruthMemoryDeps = RecordsDeps &
  Omit<FilesDeps, 'records' | 'schemas'> &
  Pick<ForgettingDeps, 'tombstones' | 'tombstoneCopy' | 'forgetElsewhere' | 'meaning'> & {
    readonly cursors: Cursors;
    readonly search: SearchIndex;
  };

export interface CreatedTruth extends Omit<Truth, 'transfer'> {
  /** The search index of entities, for jobs and rebuilds. */
  readonly entityDocuments: EntityDocuments;
}

export function createTruth(given: TruthMemoryDeps): CreatedTruth {
  const storage = toTruthStorage(given.storage);
  const schemas = createSchemas({ storage });
  const capabilities = createCapabilities({ storage });
  const entityDocuments = createEntityDocuments({ ...given, storage, schemas });
  const deps = { ...given, storage, schemas, capabilities, entityDocuments };
  const records = createRecords(deps);
  return {
    entityDocuments,
    capabilities,
    schemas,
    records,
    refresh: createRefresh(deps),
    payloads: createPayloads(deps),
    facts: createFacts(deps),
    entities: createEntities({ ...deps, searchEntities: createEntitySearch({ ...deps, documents: entityDocuments }) }),
    timeline: createTimeline(deps),
    merges: createMerges(deps),
    contradictions: createContradictions(deps),
    relationships: createRelationships(deps),
    files: createFiles({ ...deps, records }),
    forgetting: createForgetting({ ...deps, records }),
  };
}
