import type { ItemRef } from '#kernel/audit/item-changes.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import type { EntityDocuments } from '../entities/search/entity-documents.ts';
import type { FileAddress } from '../files/file-address.ts';
import { createTally, type Tally } from '../observations/totals.ts';
import type { Records } from '../records/records.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { NameMatcher } from './names-in-text.ts';

/** Parts of a certificate: how many of each kind were removed. */
export const removedKinds = [
  'entities',
  'observations',
  'names',
  'relationships',
  'payloads',
  'submissions',
  'corrections',
  'records',
  'files',
  'contradictions',
  'events',
  'answers',
] as const;
export type RemovedKind = (typeof removedKinds)[number];

/** What other memories keep about the items of this one, such as receipts. Returns the number of removed items. */
export type ForgetElsewhere = (
  db: Writer,
  what: { readonly ids: ReadonlySet<string>; isConcerned(text: string): boolean },
) => Work<number>;

export interface RemovalDeps extends SchemaDeps {
  readonly capabilities: Pick<Capabilities, 'find'>;
  readonly entityDocuments: Pick<EntityDocuments, 'reindex' | 'drop'>;
  readonly records: Pick<Records, 'writer'>;
  readonly forgetElsewhere?: readonly ForgetElsewhere[] | undefined;
}

export interface BlankedSource {
  readonly source_id: string;
  readonly fields: readonly string[];
}

/** What one transaction has removed so far. */
export interface Removal {
  readonly counts: Record<RemovedKind, number>;
  readonly tally: Tally;
  /** Their audit rows are redacted. */
  readonly items: ItemRef[];
  /** Answers and receipts that name one of them are removed. */
  readonly ids: Set<string>;
  /** Entities that stay, and whose state has to be reduced again. */
  readonly affected: Set<string>;
  /** Files that may be removed, if nothing else refers to them. */
  readonly files: Map<string, FileAddress>;
  readonly payloadIds: Set<string>;
  readonly recordIds: Set<string>;
  readonly blanked: BlankedSource[];
}

export const startRemoval = (): Removal => ({
  counts: Object.fromEntries(removedKinds.map((kind) => [kind, 0])) as Record<RemovedKind, number>,
  tally: createTally(),
  items: [],
  ids: new Set(),
  affected: new Set(),
  files: new Map(),
  payloadIds: new Set(),
  recordIds: new Set(),
  blanked: [],
});

const idPattern =
  /(?:ent|obs|sub)_[0-9a-f-]+|payload_[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}/g;

/** Whether a stored answer names one of the ids or names. */
export const createConcern =
  (ids: ReadonlySet<string>, names: NameMatcher) =>
  (text: string): boolean =>
    (text.match(idPattern) ?? []).some((id) => ids.has(id)) || names.isIn(text);
