import { z } from 'zod';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { CatalogEntry } from '../catalog/catalog.ts';
import { parseArchived } from '../catalog/entry-json.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import { differingFields } from '../rules/changed-fields.ts';
import { asInput } from '../rules/complete-entry.ts';
import { summaryOf } from '../rules/derived-fields.ts';
import type { ProposalRow } from './proposal-store.ts';

/** The fields that a proposal sets; null removes a field. */
type ProposedFields = Readonly<Record<string, unknown>>;

/** Computed on every write, or set by it. */
const computed: ReadonlySet<string> = new Set([
  ...['id', 'updatedAt', 'sourceHash', 'governanceHash', 'priorityTier', 'riskScore'],
]);

/**
 * Of a new entry, what the caller gave. Of an existing entry, the fields that the change sets: another change of the
 * entry meanwhile may leave them alone.
 */
export function toFields(
  base: InstructionEntry | undefined,
  { id: _id, ...given }: InstructionInput,
  after: InstructionEntry,
): ProposedFields {
  if (base === undefined) return given;
  const isDerived = ({ body, semanticSummary }: InstructionEntry): boolean => semanticSummary === summaryOf(body);
  const fields = differingFields(base, after).filter((field) => !computed.has(field) && field !== 'semanticSummary');
  // A summary that stays derived follows the body. A given one counts even if it equals the former summary.
  const isSummarySet = isDerived(base) ? !isDerived(after) : base.semanticSummary !== after.semanticSummary;
  const changed = isSummarySet ? ([...fields, 'semanticSummary'] as const) : fields;
  return Object.fromEntries(changed.map((field) => [field, after[field] ?? null]));
}

/** Without what depends on the time of the proposal. */
export function fingerprintOf(id: string, baseEtag: string | null, fields: ProposedFields | null): string {
  const { changeLog: _changeLog, ...asked } = fields ?? {};
  return sha256Hex(canonicalJson([id, baseEtag, fields === null ? null : asked]));
}

const storedFields = z.record(z.string(), z.unknown());

export interface ProposedChange {
  readonly base: InstructionEntry | undefined;
  /** Undefined proposes the removal. */
  readonly fields: ProposedFields | undefined;
}

export const parseProposal = (row: ProposalRow, canonicalOff: boolean): ProposedChange => ({
  base: row.base_document === null ? undefined : parseArchived(row.base_document, row.id, row.created_at, canonicalOff),
  fields: row.document === null ? undefined : storedFields.parse(JSON.parse(row.document)),
});

const withoutNulls = (fields: ProposedFields): ProposedFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** The entry's own fields with the proposed ones. */
export const withFields = (entry: InstructionEntry | undefined, fields: ProposedFields): Partial<InstructionEntry> =>
  withoutNulls({ ...entry, ...fields });

/** The input of a write that changes these fields of an existing entry. */
export function toInput(id: string, present: InstructionEntry | undefined, fields: ProposedFields): InstructionInput {
  if (present === undefined) return withoutNulls({ ...fields, id }) as InstructionInput;
  return withoutNulls({ ...asInput(present), ...fields, id }) as InstructionInput;
}

/** The input of the write that approves it. Of another state only the proposed content is taken, not its version. */
export function toApprovedInput(
  { id, reason, base_etag }: ProposalRow,
  { base, fields = {} }: ProposedChange,
  found: CatalogEntry | undefined,
  now: string,
): InstructionInput {
  const { changeLog, version, ...content } = fields;
  if (found === undefined) return toInput(id, undefined, fields);
  if (found.etag !== base_etag) return toInput(id, found.entry, content);
  const log = Array.isArray(changeLog) ? (changeLog as InstructionEntry['changeLog']) : [];
  const added = log.slice(base?.changeLog.length);
  const lines = added.map((line) => ({ ...line, changedAt: now, summary: reason ?? line.summary }));
  return toInput(id, found.entry, {
    ...content,
    ...(version !== undefined && { version }),
    ...(lines.length > 0 && { changeLog: [...found.entry.changeLog, ...lines] }),
  });
}
