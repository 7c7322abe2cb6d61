import type { Cursors } from '#kernel/cursor/cursor.ts';
import { type Capabilities, createCapabilities } from './capabilities/capabilities.ts';
import { type Contradictions, createContradictions } from './contradictions/contradictions.ts';
import { createEntities, type Entities } from './entities/entities.ts';
import type { TruthTransfer } from './exchange/truth-transfer.ts';
import { createFacts, type Facts } from './facts/store-fact.ts';
import { createFiles, type Files, type FilesDeps } from './files/files.ts';
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
  readonly capabilities: Capabilities;
  readonly schemas: Schemas;
  /** Background work, for the job. */
  readonly refresh: ReturnType<typeof createRefresh>;
  readonly transfer: TruthTransfer;
}

export type TruthMemoryDeps = RecordsDeps &
  Omit<FilesDeps, 'records' | 'schemas'> & {
    readonly cursors: Cursors;
  };

export function createTruth(given: TruthMemoryDeps): Omit<Truth, 'transfer'> {
  const storage = toTruthStorage(given.storage);
  const schemas = createSchemas({ storage });
  const capabilities = createCapabilities({ storage });
  const deps = { ...given, storage, schemas, capabilities };
  const records = createRecords(deps);
  return {
    capabilities,
    schemas,
    records,
    refresh: createRefresh(deps),
    payloads: createPayloads(deps),
    facts: createFacts(deps),
    entities: createEntities(deps),
    timeline: createTimeline(deps),
    merges: createMerges(deps),
    contradictions: createContradictions(deps),
    relationships: createRelationships(deps),
    files: createFiles({ ...deps, records }),
  };
}
