import { basename } from 'node:path';
import type { Blob } from '#kernel/blob/blobs.ts';
import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { scanJson } from '#kernel/json/scan.ts';
import type { OpenedFile } from '#kernel/paths/allowed-roots.ts';
import { pathFaults } from '#kernel/paths/path-faults.ts';
import { findIllFormedText } from '#kernel/text/well-formed.ts';
import { workerFaults } from '#kernel/workers/worker-faults.ts';
import type { Workers } from '#kernel/workers/workers.ts';
import type { ShownRecord } from '../records/record.ts';
import { findRecord } from '../records/record-store.ts';
import { checkProperties, type Properties, printProperties } from '../records/rules/properties.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { cutText } from './extract/bounded-text.ts';
import { type ExtractInput, type ExtractOutput, extractTask } from './extract/task.ts';
import { toFileUrl } from './file-address.ts';
import { contentTypeOf, type FileKind } from './file-kind.ts';
import { findFile } from './file-row-store.ts';
import type { FilesDeps } from './files-deps.ts';
import { type KeptFile, keepFile, type NewFile, type Plan } from './keep-file.ts';
import { readOnce } from './read-once.ts';
import { givenType, toRecordFacts } from './to-record.ts';

const lost: ReadonlySet<string> = new Set([
  workerFaults.JOB_TIMEOUT.kind.code,
  workerFaults.JOB_MEMORY.kind.code,
  workerFaults.WORKERS_BUSY.kind.code,
]);

/** A process that broke is the file's fault; a call that was given up or a server that shuts down is not. */
const isLost = (error: unknown): error is Error =>
  error instanceof Fault
    ? lost.has(error.code)
    : error instanceof Error && error.message.startsWith(`the task ${extractTask.name} `);

const wordsOf = (error: Error): string =>
  error instanceof Fault ? error.message : 'the process that reads it broke on it';

type Analysed = Extract<ExtractOutput, { ok: true }> | { readonly ok: false; readonly why: string };

async function analyseFile(workers: Workers, input: ExtractInput, call: Call): Promise<Analysed> {
  const { tenant, signal } = call;
  const wallMs = truthLimits.extractWallMs;
  try {
    return await workers.run(extractTask, input, { tenant, signal, wallMs, what: 'Reading the file' });
  } catch (error) {
    if (!isLost(error)) throw error;
    return { ok: false, why: wordsOf(error) };
  }
}

const refuse = (why: string) => faults.VALIDATION_ERROR({ why: `properties ${why}` }, { field: 'properties' });

/** The document sends them as text. What it holds never went through the door's own look at the arguments. */
function parseGivenProperties(text: string): Properties {
  if (scanJson(Buffer.from(text), truthLimits.propertiesDepth) === 'too-deep')
    throw refuse(`are nested deeper than ${truthLimits.propertiesDepth} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('must be JSON');
  }
  if (!isObject(value)) throw refuse('must be a JSON object');
  if (findIllFormedText(value) !== undefined) throw refuse('hold NUL or half of a surrogate pair');
  const properties = checkProperties(value);
  printProperties(properties);
  return properties;
}

export interface UploadInput {
  readonly file_path: string;
  readonly record_id?: string | undefined;
  readonly bucket: string;
  readonly properties?: string | undefined;
}

export interface UploadAnswer {
  readonly record?: ShownRecord;
  readonly file_url: string;
  readonly file_size: number;
  readonly content_type: string;
}

interface StoredFile {
  readonly blob: Blob;
  readonly kind: FileKind;
  readonly fileName: string;
}

/** What the disk says is for the log; a person needs the code of it. */
const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'the store does not take it';

const notBoth = () =>
  faults.VALIDATION_ERROR(
    { why: 'properties belong to a new record; those of a record that is there are changed with update_record' },
    { field: 'properties' },
  );

export function createUpload(deps: FilesDeps) {
  const { storage, ids, roots, store, workers, records } = deps;

  async function open(path: string): Promise<OpenedFile> {
    try {
      return await roots.open(path);
    } catch (error) {
      if (error instanceof Fault && error.code === pathFaults.PATH_REFUSED.kind.code)
        throw truthFaults.FILE_NOT_FOUND({}, {}, { cause: error });
      throw error;
    }
  }

  /** The bytes are durable when it answers; for whatever it throws, nothing of them is kept. */
  async function storeBytes(path: string, call: Call): Promise<StoredFile> {
    const opened = await open(path);
    try {
      const reading = readOnce(opened, call.signal);
      const blob = await store.put(call.tenant, reading.chunks);
      const fileName = cutText(basename(opened.realPath).toWellFormed(), truthLimits.fileNameChars);
      return { blob, kind: reading.kind(), fileName };
    } catch (error) {
      if (error instanceof Fault) throw error;
      deps.log.warn({ reason: errorCode(error) }, 'a file could not be stored');
      throw truthFaults.UPLOAD_FAILED({ why: errorCode(error) }, {}, { cause: error });
    } finally {
      await opened.handle.close();
    }
  }

  /** Before anything is stored: a record that is not there is no reason to keep bytes. */
  async function expectRecord(id: string, call: Call): Promise<void> {
    const row = await storage.read(call, function* (db) {
      return yield* findRecord(db, id);
    });
    if (row === undefined) throw truthFaults.RECORD_NOT_FOUND({});
  }

  /** These bytes have a record already: nothing has to be read out of them again. */
  const hasRecord = (file: NewFile, call: Call): Promise<boolean> =>
    storage.read(call, function* (db) {
      const row = yield* findFile(db, file);
      return row?.record_id != null && (yield* findRecord(db, row.record_id)) !== undefined;
    });

  async function planAnalysis({ blob, kind, fileName }: StoredFile, file: NewFile, call: Call): Promise<Plan> {
    if (await hasRecord(file, call)) return { kind: 'keep', why: 'its record was deleted meanwhile; send it again' };
    const analysed = await store.withPath(call.tenant, blob.sha256, (path) =>
      analyseFile(workers, { path, kind, fileName }, call),
    );
    if (!analysed.ok) return { kind: 'keep', why: analysed.why };
    const { analysis } = analysed;
    const facts = toRecordFacts(analysis, fileName);
    return { kind: 'record', draft: { id: ids.uuid(), ...facts, fileUrls: [toFileUrl(file)] }, analysis };
  }

  return async function upload(input: UploadInput, call: Call): Promise<UploadAnswer> {
    const { bucket, record_id: recordId } = input;
    if (recordId !== undefined && input.properties !== undefined) throw notBoth();
    const properties = input.properties === undefined ? undefined : parseGivenProperties(input.properties);
    if (recordId !== undefined) await expectRecord(recordId, call);
    const stored = await storeBytes(input.file_path, call);
    const { blob, kind, fileName } = stored;
    const { sha256, bytes } = blob;
    const file: NewFile = { bucket, sha256, bytes, content_type: contentTypeOf(kind), file_name: fileName };

    async function makePlan(): Promise<Plan> {
      if (recordId !== undefined) return { kind: 'attach', recordId };
      if (properties === undefined) return planAnalysis(stored, file, call);
      return { kind: 'record', draft: { id: ids.uuid(), type: givenType, properties, fileUrls: [toFileUrl(file)] } };
    }
    const plan = await makePlan();
    const keepDeps = { schemas: deps.schemas, writer: records.writer };
    const kept: KeptFile = await storage.write(call, (db) => keepFile(db, keepDeps, file, plan));

    const about = { file_url: kept.fileUrl, file_size: bytes, content_type: kept.contentType };
    if (kept.why !== undefined) throw truthFaults.ANALYSIS_FAILED({ why: kept.why }, about);
    return kept.record === undefined || recordId !== undefined ? about : { record: kept.record, ...about };
  };
}
