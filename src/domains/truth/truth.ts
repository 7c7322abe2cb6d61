import type { Capabilities } from './capabilities/capabilities.ts';
import type { Entities } from './entities/entities.ts';
import type { TruthTransfer } from './exchange/truth-transfer.ts';
import type { Files } from './files/files.ts';
import type { Merges } from './merges/merges.ts';
import type { Payloads } from './payloads/payloads.ts';
import type { Records } from './records/records.ts';
import type { Relationships } from './relationships/relationships.ts';
import type { Schemas } from './schemas/schemas.ts';
import type { Timeline } from './timeline/timeline.ts';

/** Long-term memory that can be audited: payloads, what they say, and what follows from it. */
export interface Truth {
  readonly payloads: Payloads;
  readonly entities: Entities;
  readonly merges: Merges;
  readonly relationships: Relationships;
  readonly timeline: Timeline;
  readonly records: Records;
  readonly files: Files;
  readonly capabilities: Capabilities;
  readonly schemas: Schemas;
  readonly transfer: TruthTransfer;
}
