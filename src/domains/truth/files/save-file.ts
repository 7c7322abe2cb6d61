import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { builtinById } from '../capabilities/builtin-capabilities.ts';
import { contentIdOf } from '../capabilities/content-id.ts';
import { draftObservations } from '../observations/draft-observations.ts';
import type { ObservationDraft, ObservationSource } from '../observations/observation.ts';
import { writeObservations } from '../observations/write-observations.ts';
import { type RecordView, toRecordView } from '../records/record.ts';
import { findRecord } from '../records/record-store.ts';
import type { Properties } from '../records/rules/properties.ts';
import type { RecordDraft, RecordWriter } from '../records/write-record.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import { fileTopic } from '../truth-vocabulary.ts';
import type { Analysis, DocumentKind } from './analyse/document-text.ts';
import { toFileUrl } from './file-address.ts';
import { type FileRow, findFile, insertFile, lockFile, setFileRecord } from './file-store.ts';

const recordTypes: Readonly<Record<DocumentKind, string>> = {
  invoice: 'FinancialRecord',
  receipt: 'FinancialRecord',
  statement: 'FinancialRecord',
  contract: 'Contract',
  document: 'Document',
};

/** Whoever gives the properties knows what the file is; we only know that it is one. */
export const uploadedType = recordTypes.document;

interface RecordFacts {
  readonly type: string;
  readonly properties: Properties;
}

/** What was found, and the beginning of the text, so that the record is found by its words. */
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

/** A statement has no capability of its own: it is kept as a note, and its figures are in its record. */
const capabilityIds: Readonly<Record<DocumentKind, string>> = {
  invoice: 'neotoma:store_invoice:v1',
  receipt: 'neotoma:store_receipt:v1',
  contract: 'neotoma:store_contract:v1',
  statement: 'neotoma:store_note:v1',
  document: 'neotoma:store_note:v1',
};

/** Moves when the rules find something else in the same text. */
const extractorVersion = 'fourfold-files-1';

function bodyOf({ kind, fields, excerpt }: Analysis) {
  if (kind !== 'statement') return fields;
  const { institution_name: bank, account_number: account, period_end: end, date } = fields;
  const title = ['Statement', bank, account, end ?? date].filter((part) => typeof part === 'string').join(' ');
  return { title, content: excerpt, ...fields };
}

/** What an analysed file says about which entities. The ids depend on its bytes alone. */
function draftsOf(analysis: Analysis, fileUrl: string): readonly ObservationDraft[] {
  const capability = builtinById.get(capabilityIds[analysis.kind])!;
  const body = bodyOf(analysis);
  return draftObservations(
    capability,
    body,
    contentIdOf(capability, { body, sourceRefs: [fileUrl], extractorVersion }),
  );
}

/** Of records: below what was submitted with its source, above nothing. */
const recordPriority = 50;

export type NewFile = Omit<FileRow, 'created_at' | 'record_id'>;

/** What is to become of a file whose bytes are there. */
export type SavePlan =
  | { readonly kind: 'attach'; readonly recordId: string }
  | { readonly kind: 'record'; readonly draft: RecordDraft; readonly analysis?: Analysis }
  /** It could not be analysed: it is kept, and may be sent again. */
  | { readonly kind: 'keep'; readonly why: string };

export interface SavedFile {
  readonly fileUrl: string;
  readonly contentType: string;
  readonly record?: RecordView;
  /** Why it could not be analysed. */
  readonly why?: string;
}

export interface SaveDeps extends SchemaDeps {
  readonly writer: Pick<RecordWriter, 'insert' | 'attachFile'>;
}

/** The record that the same bytes have made before, unless it was deleted. */
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
): Work<void> {
  const source: ObservationSource = {
    kind: 'record',
    id: draft.id,
    key: draft.id,
    observedAt: db.now,
    priority: recordPriority,
  };
  yield* writeObservations(db, deps, source, draftsOf(analysis, fileUrl));
}

/** [TR25] One transaction: the file's row, its record, and what the record says. */
export function* saveFile(db: Writer, deps: SaveDeps, file: NewFile, plan: SavePlan): Work<SavedFile> {
  yield* lockFile(db, file);
  const known = yield* findFile(db, file);
  const fileUrl = toFileUrl(file);
  const answer = { fileUrl, contentType: known?.content_type ?? file.content_type };
  const first = plan.kind === 'attach' ? undefined : yield* recordOf(db, known);
  if (first !== undefined) return { ...answer, record: first };

  if (known === undefined) {
    yield* insertFile(db, { ...file, record_id: null });
    yield* db.changed(fileTopic, `${file.bucket}/${file.sha256}`, 'create', sha256Hex(fileUrl));
  }
  if (plan.kind === 'keep') return { ...answer, why: plan.why };
  if (plan.kind === 'attach') {
    const record = yield* deps.writer.attachFile(db, plan.recordId, fileUrl);
    // It is kept for as long as a record that is there has it.
    if ((yield* recordOf(db, known)) === undefined) yield* setFileRecord(db, file, plan.recordId);
    return { ...answer, record: toRecordView(record) };
  }
  const { draft, analysis } = plan;
  const record = yield* deps.writer.insert(db, draft);
  yield* setFileRecord(db, file, draft.id);
  if (analysis !== undefined) yield* writeFileObservations(db, deps, draft, analysis, fileUrl);
  return { ...answer, record: toRecordView(record) };
}
