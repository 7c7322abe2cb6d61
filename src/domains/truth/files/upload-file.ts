import { basename } from 'node:path';
import type { Blob } from '#kernel/blob/blobs.ts';
import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { scanJson } from '#kernel/json/scan.ts';
import { type AllowedRoots, type OpenedFile, pathFaults } from '#kernel/paths/allowed-roots.ts';
import { findIllFormedText } from '#kernel/text/well-formed.ts';
import { workerFaults } from '#kernel/workers/worker-faults.ts';
import type { Workers } from '#kernel/workers/workers.ts';
import type { EntityIndexingDeps } from '../entities/search/entity-documents.ts';
import type { RecordView } from '../records/record.ts';
import { findRecord } from '../records/record-store.ts';
import type { Records } from '../records/records.ts';
import { checkProperties, type Properties, printProperties } from '../records/rules/properties.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { type ExtractInput, type ExtractOutput, extractTask } from './extract/extract-task.ts';
import { cutText } from './extract/extracted-text.ts';
import { toFileUrl } from './file-address.ts';
import type { FileBlobs } from './file-blobs.ts';
import { contentTypeOf, type FileKind } from './file-kind.ts';
import { findFile } from './file-store.ts';
import { type NewFile, type SavedFile, type SavePlan, saveFile, toRecordFacts, uploadedType } from './save-file.ts';
import { type FileStream, streamContent, streamFile } from './stream-file.ts';

export interface UploadDeps extends Pick<TruthDeps, 'storage' | 'ids' | 'log'>, SchemaDeps, EntityIndexingDeps {
  readonly roots: AllowedRoots;
  readonly blobs: FileBlobs;
  /** A separate pool: a file that blocks or kills its process delays nothing else. */
  readonly workers: Workers;
  /** How long a file may wait for the extraction of others. */
  readonly patienceMs?: number;
  readonly records: Pick<Records, 'writer'>;
}

const extractionFailureCodes: ReadonlySet<string> = new Set([
  workerFaults.JOB_TIMEOUT.kind.code,
  workerFaults.JOB_MEMORY.kind.code,
  workerFaults.WORKERS_BUSY.kind.code,
]);

/** A crash is caused by the file; a cancelled call or a shutdown is not. */
const isExtractionFailure = (error: unknown): error is Error =>
  error instanceof Fault
    ? extractionFailureCodes.has(error.code)
    : error instanceof Error && error.message.startsWith(`the task ${extractTask.name} `);

const reasonOf = (error: Error): string => (error instanceof Fault ? error.message : 'the extraction process crashed');

type AnalysisResult = Extract<ExtractOutput, { ok: true }> | { readonly ok: false; readonly why: string };

async function analyseFile(
  { workers, patienceMs = truthLimits.extractPatienceMs }: Pick<UploadDeps, 'workers' | 'patienceMs'>,
  input: ExtractInput,
  call: Call,
): Promise<AnalysisResult> {
  const { tenant, signal } = call;
  const { extractWallMs: wallMs, extractCpuMs: cpuMs } = truthLimits;
  const patience = AbortSignal.timeout(patienceMs);
  try {
    return await workers.run(extractTask, input, {
      tenant,
      signal: AbortSignal.any([signal, patience]),
      wallMs,
      cpuMs,
      what: 'Reading the file',
    });
  } catch (error) {
    if (patience.aborted && !signal.aborted) return { ok: false, why: 'too many other files are being read' };
    if (!isExtractionFailure(error)) throw error;
    return { ok: false, why: reasonOf(error) };
  }
}

const refuse = (why: string) => faults.VALIDATION_ERROR({ why: `properties ${why}` }, { field: 'properties' });

/** The properties come as text, so the checks of tool arguments have not seen their content. */
function parseProperties(text: string): Properties {
  const { propertiesDepth, propertiesValuesCount } = truthLimits;
  const scanned = scanJson(Buffer.from(text), propertiesDepth, propertiesValuesCount);
  if (scanned === 'too-deep') throw refuse(`are nested deeper than ${propertiesDepth} levels`);
  if (scanned === 'too-many') throw refuse(`have more than ${propertiesValuesCount} JSON values`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('must be JSON');
  }
  if (!isObject(value)) throw refuse('must be a JSON object');
  if (findIllFormedText(value) !== undefined) throw refuse('contain NUL or an unpaired surrogate');
  const properties = checkProperties(value);
  printProperties(properties);
  return properties;
}

/** Either a path, or content with a name. */
export interface UploadInput {
  readonly file_path?: string | undefined;
  readonly content_base64?: string | undefined;
  readonly file_name?: string | undefined;
  readonly record_id?: string | undefined;
  readonly bucket: string;
  readonly properties?: string | undefined;
}

export interface UploadAnswer {
  readonly record?: RecordView;
  /** Set if the file was known and properties were given: whether they changed its record. */
  readonly updated?: boolean;
  readonly forgotten_before?: SavedFile['forgotten_before'];
  readonly file_url: string;
  readonly file_size: number;
  readonly content_type: string;
}

interface StoredFile {
  readonly blob: Blob;
  readonly kind: FileKind;
  readonly fileName: string;
}

/** The message goes to the log; the caller gets only the code. */
const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'the file could not be written';

const invalid = (field: string, why: string) => faults.VALIDATION_ERROR({ why }, { field });

const notBoth = () =>
  invalid('properties', 'properties are for the record of the file; change another record with update_record');

/** Where the bytes of an upload come from. */
type UploadSource = { readonly path: string } | { readonly content: string; readonly fileName: string };

/** A name is only shown and never used as a path, but a folder in it would be a mistake of the caller. */
function sourceOf({ file_path: path, content_base64: content, file_name: fileName }: UploadInput): UploadSource {
  if (path !== undefined && content !== undefined)
    throw invalid('content_base64', 'give either file_path or content_base64, not both');
  if (path !== undefined) {
    if (fileName === undefined) return { path };
    throw invalid('file_name', 'file_name is for content_base64; a file from a path keeps its own name');
  }
  if (content === undefined)
    throw invalid('file_path', 'give file_path, or content_base64 (the bytes) with file_name (such as invoice.pdf)');
  if (fileName === undefined) throw invalid('file_name', 'content_base64 needs file_name, such as invoice.pdf');
  if (/^\.{1,2}$|[/\\\p{Cc}]/u.test(fileName))
    throw invalid('file_name', 'file_name is the name of a file, without folders and control characters');
  return { content, fileName };
}

export function createUpload(deps: UploadDeps) {
  const { storage, ids, roots, blobs, records } = deps;

  async function open(path: string): Promise<OpenedFile> {
    try {
      return await roots.open(path);
    } catch (error) {
      if (error instanceof Fault && error.code === pathFaults.PATH_REFUSED.kind.code)
        throw truthFaults.FILE_NOT_FOUND({ why: error.message }, error.details, { cause: error });
      throw error;
    }
  }

  /** The bytes are durable on return; nothing is stored if it throws. */
  async function storeStream(reading: FileStream, name: string, call: Call): Promise<StoredFile> {
    try {
      const blob = await blobs.put(call.tenant, reading.chunks);
      const fileName = cutText(name.toWellFormed(), truthLimits.fileNameChars);
      return { blob, kind: reading.kind(), fileName };
    } catch (error) {
      if (error instanceof Fault) throw error;
      deps.log.warn({ reason: errorCode(error) }, 'could not store an uploaded file');
      throw truthFaults.UPLOAD_FAILED({ why: errorCode(error) }, {}, { cause: error });
    }
  }

  async function storeBytes(source: UploadSource, call: Call): Promise<StoredFile> {
    if ('content' in source) return storeStream(streamContent(source.content, call.signal), source.fileName, call);
    const opened = await open(source.path);
    try {
      return await storeStream(streamFile(opened, call.signal), basename(opened.realPath), call);
    } finally {
      await opened.handle.close();
    }
  }

  async function expectRecord(id: string, call: Call): Promise<void> {
    const row = await storage.read(call, (db) => findRecord(db, id));
    if (row === undefined) throw truthFaults.RECORD_NOT_FOUND({});
  }

  const hasRecord = (file: NewFile, call: Call): Promise<boolean> =>
    storage.read(call, function* (db) {
      const row = yield* findFile(db, file);
      return row?.record_id != null && (yield* findRecord(db, row.record_id)) !== undefined;
    });

  async function planAnalysis({ blob, kind, fileName }: StoredFile, file: NewFile, call: Call): Promise<SavePlan> {
    if (await hasRecord(file, call)) return { kind: 'keep', why: 'its record was deleted meanwhile; upload it again' };
    const analysed = await blobs.withPath(call.tenant, blob.sha256, (path) =>
      analyseFile(deps, { path, kind, fileName }, call),
    );
    if (!analysed.ok) return { kind: 'keep', why: analysed.why };
    const { analysis } = analysed;
    const facts = toRecordFacts(analysis, fileName);
    return { kind: 'record', draft: { id: ids.uuid(), ...facts, fileUrls: [toFileUrl(file)] }, analysis };
  }

  return async function upload(input: UploadInput, call: Call): Promise<UploadAnswer> {
    const { bucket, record_id: recordId } = input;
    const source = sourceOf(input);
    if (recordId !== undefined && input.properties !== undefined) throw notBoth();
    const properties = input.properties === undefined ? undefined : parseProperties(input.properties);
    if (recordId !== undefined) await expectRecord(recordId, call);
    const stored = await storeBytes(source, call);
    const { blob, kind, fileName } = stored;
    const { sha256, bytes } = blob;
    const file: NewFile = { bucket, sha256, bytes, content_type: contentTypeOf(kind), file_name: fileName };

    async function makePlan(): Promise<SavePlan> {
      if (recordId !== undefined) return { kind: 'attach', recordId };
      if (properties === undefined) return planAnalysis(stored, file, call);
      return { kind: 'record', draft: { id: ids.uuid(), type: uploadedType, properties, fileUrls: [toFileUrl(file)] } };
    }
    const plan = await makePlan();
    const { schemas, entityDocuments, tombstones } = deps;
    const saveDeps = { schemas, entityDocuments, tombstones, writer: records.writer };
    const kept: SavedFile = await storage
      .write(call, (db) => saveFile(db, saveDeps, file, plan))
      .catch(async (error: unknown) => {
        const isForgotten = error instanceof Fault && error.code === faults.FORGOTTEN.kind.code;
        if (isForgotten) await blobs.remove(call.tenant, sha256);
        throw error;
      });

    const about = { file_url: kept.fileUrl, file_size: bytes, content_type: kept.contentType };
    if (kept.why !== undefined) throw truthFaults.ANALYSIS_FAILED({ why: kept.why }, about);
    if (kept.record === undefined || recordId !== undefined) return about;
    const { updated, forgotten_before } = kept;
    return {
      record: kept.record,
      ...(updated !== undefined && { updated }),
      ...(forgotten_before !== undefined && { forgotten_before }),
      ...about,
    };
  };
}
