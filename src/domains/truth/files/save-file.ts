import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { builtinById } from '../capabilities/builtin-capabilities.ts';
import { contentIdOf } from '../capabilities/content-id.ts';
import type { EntityIndexingDeps } from '../entities/search/entity-documents.ts';
import { type ForgottenBefore, forgottenIn } from '../forgetting/tombstones.ts';
import { draftObservations } from '../observations/draft-observations.ts';
import type { ObservationSource, WrittenObservation } from '../observations/observation.ts';
import { writeObservations } from '../observations/write-observations.ts';
import { type RecordView, toRecordView } from '../records/record.ts';
import { findRecord } from '../records/record-store.ts';
import { mergeProperties, type Properties } from '../records/rules/properties.ts';
import type { RecordDraft, RecordWriter } from '../records/write-record.ts';
import { linkDrafts, writeLinks } from '../relationships/derived-links.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import { fileTopic } from '../truth-vocabulary.ts';
import type { Analysis, DocumentKind } from './analyse/document-text.ts';
import { toFileUrl } from './file-address.ts';
import { type FileRow, findFile, insertFile, lockFile, setFileRecord } from './file-store.ts';
import { weighDocument } from './weigh-document.ts';

const recordTypes: Readonly<Record<DocumentKind, string>> = {
  invoice: 'FinancialRecord',
  receipt: 'FinancialRecord',
  statement: 'FinancialRecord',
  contract: 'Contract',
  document: 'Document',
};

/** With given properties the file is not analysed, so its kind is unknown. */
export const uploadedType = recordTypes.document;

interface RecordFacts {
  readonly type: string;
  readonly properties: Properties;
}

/** Includes the beginning of the text, so that keyword search finds the record. */
export function toRecordFacts(
  { kind, fields, title, excerpt, textChars, isCut }: Analysis,
  fileName: string,
): RecordFacts {
  const { content: _content, ...found } = fields;
  return {
    type: recordTypes[kind],
    properties: {
      title,
      ...found,
      document_kind: kind,
      file_name: fileName,
      text: excerpt,
      text_chars: textChars,
      text_truncated: isCut || excerpt.length < textChars,
    },
  };
}

/** Statements have no capability of their own: they become notes, and the record holds the amounts. */
const capabilityIds: Readonly<Record<DocumentKind, string>> = {
  invoice: 'neotoma:store_invoice:v1',
  receipt: 'neotoma:store_receipt:v1',
  contract: 'neotoma:store_contract:v1',
  statement: 'neotoma:store_note:v1',
  document: 'neotoma:store_note:v1',
};

/** How the statements of an analysed file were read. */
export const capabilityOfKind = (kind: unknown) => builtinById.get(capabilityIds[kind as DocumentKind] ?? '');

/** Change it when the rules extract something else from the same text. */
const extractorVersion = 'fourfold-files-1';

function bodyOf({ kind, fields, excerpt }: Analysis) {
  if (kind !== 'statement') return fields;
  const { institution_name: bank, account_number: account, period_end: end, date } = fields;
  const title = ['Statement', bank, account, end ?? date].filter((part) => typeof part === 'string').join(' ');
  return { title, content: excerpt, ...fields };
}

/** The ids depend only on the bytes of the file. */
function draftsOf(analysis: Analysis, fileUrl: string) {
  const capability = builtinById.get(capabilityIds[analysis.kind])!;
  const body = bodyOf(analysis);
  const contentId = contentIdOf(capability, { body, sourceRefs: [fileUrl], extractorVersion });
  const drafts = draftObservations(capability, body, contentId);
  return { drafts, links: linkDrafts(capability, drafts) };
}

export type NewFile = Omit<FileRow, 'created_at' | 'record_id'>;

export type SavePlan =
  | { readonly kind: 'attach'; readonly recordId: string }
  | { readonly kind: 'record'; readonly draft: RecordDraft; readonly analysis?: Analysis }
  /** The analysis failed: the file is stored and can be uploaded again. */
  | { readonly kind: 'keep'; readonly why: string };

export interface SavedFile {
  readonly fileUrl: string;
  readonly contentType: string;
  readonly record?: RecordView;
  /** Whether given properties changed the record of a known file. */
  readonly updated?: boolean;
  readonly why?: string;
  readonly forgotten_before?: readonly ForgottenBefore[];
}

export interface SaveDeps extends SchemaDeps, EntityIndexingDeps {
  readonly writer: Pick<RecordWriter, 'insert' | 'change' | 'attachFile'>;
}

/** The record created by an earlier upload of the same bytes, unless it was deleted. */
function* recordOf(db: Writer, row: FileRow | undefined): Work<RecordView | undefined> {
  if (row?.record_id == null) return undefined;
  const record = yield* findRecord(db, row.record_id);
  return record === undefined ? undefined : toRecordView(record);
}

function* writeFileObservations(
  db: Writer,
  deps: SaveDeps,
  draft: RecordDraft,
  analysis: Analysis,
  fileUrl: string,
): Work<readonly WrittenObservation[]> {
  const { drafts, links } = draftsOf(analysis, fileUrl);
  const source: ObservationSource = {
    kind: 'record',
    id: draft.id,
    key: draft.id,
    submissionId: draft.id,
    origin: draft.id,
    observedAt: db.now,
    ...weighDocument(analysis, db.now),
  };
  const written = yield* writeObservations(db, deps, source, drafts);
  const { kind, id, submissionId, period, observedAt } = source;
  yield* writeLinks(db, [{ links, source: { kind, id, submissionId }, period, observedAt, actor: extractorVersion }]);
  return written;
}

/** [TR51] The record of known bytes gets given properties; an analysis of the same bytes would add nothing. */
function* updateKnown(db: Writer, { writer }: SaveDeps, known: RecordView, plan: SavePlan): Work<Partial<SavedFile>> {
  if (plan.kind !== 'record' || plan.analysis !== undefined) return { record: known };
  const { properties } = plan.draft;
  const merged = mergeProperties(known.properties, properties);
  if (canonicalJson(merged) === canonicalJson(known.properties)) return { record: known, updated: false };
  return { record: toRecordView(yield* writer.change(db, known.id, { properties })), updated: true };
}

/** [TR25] Writes the file's row, its record and the observations in one transaction. */
export function* saveFile(db: Writer, deps: SaveDeps, file: NewFile, plan: SavePlan): Work<SavedFile> {
  yield* lockFile(db, file);
  // The same bytes say the same as before, whenever they come.
  const bytes = { items: [{ kind: 'file' as const, value: file.sha256 }], observedAt: 0 };
  if (db.forgottenAt > 0 && deps.tombstones !== undefined) yield* deps.tombstones.refuseForgotten(db, [], [bytes]);
  const known = yield* findFile(db, file);
  const fileUrl = toFileUrl(file);
  const answer = { fileUrl, contentType: known?.content_type ?? file.content_type };
  const first = plan.kind === 'attach' ? undefined : yield* recordOf(db, known);
  if (first !== undefined) return { ...answer, ...(yield* updateKnown(db, deps, first, plan)) };

  if (known === undefined) {
    yield* insertFile(db, { ...file, record_id: null });
    yield* db.changed(fileTopic, `${file.bucket}/${file.sha256}`, 'create', sha256Hex(fileUrl));
  }
  if (plan.kind === 'keep') return { ...answer, why: plan.why };
  if (plan.kind === 'attach') {
    const record = yield* deps.writer.attachFile(db, plan.recordId, fileUrl);
    // The file belongs to the record, which keeps it from the sweep.
    if ((yield* recordOf(db, known)) === undefined) yield* setFileRecord(db, file, plan.recordId);
    return { ...answer, record: toRecordView(record) };
  }
  const { draft, analysis } = plan;
  const record = yield* deps.writer.insert(db, draft);
  yield* setFileRecord(db, file, draft.id);
  const written = analysis === undefined ? [] : yield* writeFileObservations(db, deps, draft, analysis, fileUrl);
  return { ...answer, record: toRecordView(record), ...forgottenIn(written) };
}
