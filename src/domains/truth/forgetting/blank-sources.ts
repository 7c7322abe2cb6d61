import type { Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { ObservationRow } from '../entities/observed-store.ts';
import { parseFields } from '../entities/reduce-rows.ts';
import { factCapability } from '../facts/fact-capability.ts';
import { parseFileAddress, toFileUrl } from '../files/file-address.ts';
import { capabilityOfKind } from '../files/save-file.ts';
import { companyType, entityIdOf, keySeparator, normaliseName } from '../observations/entity-name.ts';
import { identifierOf } from '../observations/match-keys.ts';
import type { Fields } from '../observations/observation.ts';
import { payloadsTotal } from '../observations/totals.ts';
import { normaliseType } from '../observations/type-words.ts';
import { findUncheckedPayloads, setPayloadContent, type WholePayloadRow } from '../payloads/payload-store.ts';
import { findUncheckedSubmissions, type SubmissionRow, setSubmissionContent } from '../payloads/submission-store.ts';
import { parseFileUrls } from '../records/record.ts';
import { findStoredRecords } from '../records/record-store.ts';
import { payloadTopic, recordTopic, submissionTopic } from '../truth-vocabulary.ts';
import {
  type Blanked,
  type BodyRoles,
  blankBody,
  isNothing,
  planBlanks,
  planFactBlanks,
  stripFields,
} from './blank-fields.ts';
import {
  deletePayloads,
  deleteRetractions,
  deleteSubmissions,
  deleteTrashed,
  findFilesOfRecords,
  listEdgesStatedBy,
  listStatedBy,
} from './forget-store.ts';
import type { Removal, RemovalDeps } from './removal.ts';
import { type ChangedStatement, changeStatements } from './remove-derived.ts';

/** Who is forgotten, for references in the bodies of facts. */
export interface ForgottenGroup {
  readonly members: ReadonlySet<string>;
  /** Normalised. */
  readonly names: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
}

/** `ent_…`, or a name with its type and key. */
function createReferenceCheck({ members, names }: ForgottenGroup) {
  return (reference: Json): boolean => {
    if (typeof reference === 'string') return members.has(reference);
    if (!isObject(reference)) return false;
    const { type, name, key } = reference;
    const entityType = typeof type === 'string' ? normaliseType(type) : undefined;
    if (entityType === undefined || typeof name !== 'string') return false;
    const own = normaliseName(name, entityType === companyType);
    const full = typeof key === 'string' ? `${own}${keySeparator}${identifierOf(key)}` : own;
    return members.has(entityIdOf(entityType, full)) || (key === undefined && names.has(own));
  };
}

function rolesOf(stated: readonly ObservationRow[], members: ReadonlySet<string>): BodyRoles {
  const isForgotten = ({ entity_id }: ObservationRow): boolean => members.has(entity_id);
  return {
    forgotten: stated.filter(isForgotten).map(({ role }) => role),
    kept: stated.filter((row) => !isForgotten(row)).map(({ role }) => role),
  };
}

const shownFields = ({ fields, items }: Blanked): readonly string[] => [
  ...fields,
  ...[...items].flatMap(([field, indexes]) => [...indexes].map((index) => `${field}[${index}]`)),
];

/** The statements of the body's own entity, without the blank fields. */
function stripStated(
  stated: readonly ObservationRow[],
  members: ReadonlySet<string>,
  blanked: Blanked,
): readonly Required<ChangedStatement>[] {
  return stated
    .filter(({ entity_id, role }) => role === 'self' && !members.has(entity_id))
    .map((before) => ({
      before,
      after: {
        ...before,
        fields: JSON.stringify(stripFields(parseFields(before.fields), blanked)),
        raw_fragments: JSON.stringify(stripFields(parseFields(before.raw_fragments), blanked)),
      },
    }));
}

export function noteFiles(removal: Removal, fileUrls: readonly string[]): void {
  for (const url of fileUrls) {
    const address = parseFileAddress(url);
    if (address !== undefined) removal.files.set(toFileUrl(address), address);
  }
}

/** Removes payloads with all their submissions. What they state is removed by the caller. */
export function* removePayloads(
  db: Writer,
  removal: Removal,
  payloads: readonly WholePayloadRow[],
  submissions: readonly SubmissionRow[],
): Work<void> {
  const payloadIds = payloads.map(({ payload_id }) => payload_id);
  const submissionIds = submissions.map(({ submission_id }) => submission_id);
  for (const { payload_id, content_id, file_urls } of payloads) {
    removal.items.push({ topic: payloadTopic, id: payload_id });
    removal.payloadIds.add(payload_id);
    removal.ids.add(payload_id).add(content_id);
    noteFiles(removal, parseFileUrls(file_urls));
  }
  for (const id of submissionIds) removal.ids.add(id);
  removal.items.push(...submissionIds.map((id) => ({ topic: submissionTopic, id })));
  yield* deletePayloads(db, payloadIds);
  yield* deleteSubmissions(db, submissionIds);
  yield* deleteRetractions(db, submissionIds);
  removal.counts.payloads += payloadIds.length;
  removal.counts.submissions += submissionIds.length;
  if (payloadIds.length > 0) removal.tally.add(payloadsTotal, '', -payloadIds.length);
}

/** Payloads that state nothing about anyone else are removed; the others lose the fields about the group. */
export function* blankPayloads(
  db: Writer,
  deps: RemovalDeps,
  removal: Removal,
  group: ForgottenGroup,
  payloadIds: readonly string[],
): Work<void> {
  const { members } = group;
  const isForgotten = createReferenceCheck(group);
  const payloads = yield* findUncheckedPayloads(db, payloadIds);
  const submissions = Map.groupBy(yield* findUncheckedSubmissions(db, payloadIds), (row) => row.payload_id);
  const stated = Map.groupBy(yield* listStatedBy(db, payloadIds), ({ submission_id }) => submission_id);
  const submissionIds = [...submissions.values()].flat().map(({ submission_id }) => submission_id);
  const edges = (yield* listEdgesStatedBy(db, submissionIds)).filter((row) => !group.edges.has(row.relationship_id));
  const withEdges = new Set(edges.map(({ submission_id }) => submission_id));
  const whole: WholePayloadRow[] = [];
  const newPayloads: WholePayloadRow[] = [];
  const newSubmissions: SubmissionRow[] = [];
  const changes: Required<ChangedStatement>[] = [];
  for (const payload of payloads) {
    const acts = submissions.get(payload.payload_id) ?? [];
    const isKept = acts.some(
      ({ submission_id: id }) =>
        withEdges.has(id) || (stated.get(id) ?? []).some(({ entity_id }) => !members.has(entity_id)),
    );
    if (!isKept) {
      whole.push(payload);
      continue;
    }
    const rules = yield* deps.capabilities.find(db, payload.capability_id);
    const isFact = payload.capability_id === factCapability.capability_id;
    const seen = new Set<string>();
    // Submissions without a body of their own share that of the payload.
    const bodies = Map.groupBy(acts, ({ body, submission_id }) => (body === null ? '' : submission_id));
    for (const [own, sharing] of bodies) {
      const body = parseFields(own === '' ? payload.body : sharing[0]!.body!);
      const rows = sharing.flatMap(({ submission_id }) => stated.get(submission_id) ?? []);
      const roles = rolesOf(rows, members);
      const blanked = isFact ? planFactBlanks(body, roles, isForgotten) : planBlanks(rules, body, roles);
      if (isNothing(blanked)) continue;
      for (const field of shownFields(blanked)) seen.add(field);
      const text = JSON.stringify(blankBody(body, blanked));
      changes.push(...stripStated(rows, members, blanked));
      if (own !== '') newSubmissions.push({ ...sharing[0]!, body: text });
      else if (blanked.fields.has('file_urls')) {
        noteFiles(removal, parseFileUrls(payload.file_urls));
        newPayloads.push({ ...payload, body: text, file_urls: '[]' });
      } else newPayloads.push({ ...payload, body: text });
    }
    // The audit row has the hash of the whole body.
    removal.items.push({ topic: payloadTopic, id: payload.payload_id });
    removal.items.push(...acts.map(({ submission_id: id }) => ({ topic: submissionTopic, id })));
    for (const { submission_id } of acts) removal.ids.add(submission_id);
    if (seen.size > 0) removal.blanked.push({ source_id: payload.payload_id, fields: [...seen].sort() });
  }
  yield* setPayloadContent(db, newPayloads);
  yield* setSubmissionContent(db, newSubmissions);
  yield* changeStatements(db, deps, removal, changes);
  const removedActs = whole.flatMap(({ payload_id }) => submissions.get(payload_id) ?? []);
  yield* removePayloads(db, removal, whole, removedActs);
}

/** Records with the copies in the trash; their files are removed if nothing else refers to them. */
export function* removeRecords(
  db: Writer,
  { records }: RemovalDeps,
  removal: Removal,
  recordIds: readonly string[],
): Work<void> {
  if (recordIds.length === 0) return;
  const files = yield* findFilesOfRecords(db, recordIds);
  noteFiles(removal, files.map(toFileUrl));
  for (const row of yield* findStoredRecords(db, recordIds)) {
    noteFiles(removal, parseFileUrls(row.file_urls));
    yield* records.writer.erase(db, row);
  }
  yield* deleteTrashed(db, recordTopic, recordIds);
  yield* deleteRetractions(db, recordIds);
  for (const id of recordIds) {
    removal.items.push({ topic: recordTopic, id });
    removal.ids.add(id);
    removal.recordIds.add(id);
  }
  removal.counts.records += recordIds.length;
}

/** The same for records of analysed files. A file belongs to the entity of the document itself. */
export function* blankRecords(
  db: Writer,
  deps: RemovalDeps,
  removal: Removal,
  { members }: ForgottenGroup,
  recordIds: readonly string[],
): Work<void> {
  const stated = Map.groupBy(yield* listStatedBy(db, recordIds), ({ source_id }) => source_id);
  const rows = yield* findStoredRecords(db, recordIds);
  const isKept = (id: string): boolean => (stated.get(id) ?? []).some(({ entity_id }) => !members.has(entity_id));
  const changes: Required<ChangedStatement>[] = [];
  const kept = recordIds.filter(isKept);
  for (const row of rows) {
    if (!isKept(row.record_id)) continue;
    const properties = parseFields(row.properties);
    const statements = stated.get(row.record_id) ?? [];
    const roles = rolesOf(statements, members);
    const blanked = planBlanks(capabilityOfKind(properties['document_kind']), properties, roles);
    const isOwn = roles.forgotten.includes('self');
    if (isNothing(blanked)) continue;
    changes.push(...stripStated(statements, members, blanked));
    if (isOwn) noteFiles(removal, parseFileUrls(row.file_urls));
    const blank: Fields = blankBody(properties, blanked);
    yield* deps.records.writer.rewrite(db, row, blank, isOwn ? [] : parseFileUrls(row.file_urls));
    removal.items.push({ topic: recordTopic, id: row.record_id });
    removal.blanked.push({ source_id: row.record_id, fields: shownFields(blanked).toSorted() });
  }
  yield* changeStatements(db, deps, removal, changes);
  // A copy in the trash would bring the fields back.
  yield* deleteTrashed(db, recordTopic, kept);
  yield* removeRecords(
    db,
    deps,
    removal,
    recordIds.filter((id) => !isKept(id)),
  );
}
