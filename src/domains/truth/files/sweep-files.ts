import type { TenantId } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { forEachTenant } from '#kernel/jobs/tenants.ts';
import type { Reader, Step, Work, Writer } from '#kernel/storage/port.ts';
import { listTrash, newestTrash, type TrashItem } from '#kernel/storage/trash.ts';
import { listPayloadReferences, type PayloadReferencesRow } from '../payloads/payload-store.ts';
import { parseFileUrls, parseTrashedRecord } from '../records/record.ts';
import { findRecord, listRecordFiles, type RecordFilesRow } from '../records/record-store.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthLimits } from '../truth-limits.ts';
import { fileTopic, recordTopic } from '../truth-vocabulary.ts';
import { type FileAddress, parseFileAddress, toFileUrl } from './file-address.ts';
import type { FileBlobs } from './file-blobs.ts';
import { deleteFile, findFile, listFiles, listOrphans, lockFile, type OrphanRow, setFileRecord } from './file-store.ts';
import type { Files } from './files.ts';

export const createFileJobs = (
  files: Pick<Files, 'sweep'>,
  tenants: () => Promise<readonly TenantId[]>,
): readonly PeriodicJob[] => [
  {
    name: 'sweep-files',
    everyMs: truthLimits.sweepEveryMs,
    run: forEachTenant(tenants, files.sweep),
  },
];

const firstFile: FileAddress = { bucket: '', sha256: '' };
const newestItem = { at: Number.MAX_SAFE_INTEGER, id: '' };

/** File URL → id of a record that references it, or null for a payload, which is never deleted. */
type FileReferrers = Map<string, string | null>;

export interface FileSweepDeps extends Pick<TruthDeps, 'storage' | 'clock'> {
  readonly blobs: FileBlobs;
}

function* resolveOrphan(db: Writer, orphan: OrphanRow, referrers: FileReferrers): Work<void> {
  yield* lockFile(db, orphan);
  const row = yield* findFile(db, orphan);
  // The same bytes were uploaded again, or an import restored the record.
  if (row?.record_id !== orphan.record_id || (yield* findRecord(db, orphan.record_id)) !== undefined) return;
  const url = toFileUrl(orphan);
  const referrer = referrers.get(url);
  // The file now belongs to this record or payload, and the sweep skips it while that exists.
  if (referrer !== undefined) yield* setFileRecord(db, orphan, referrer);
  else {
    yield* deleteFile(db, orphan);
    yield* db.changed(fileTopic, `${orphan.bucket}/${orphan.sha256}`, 'delete', sha256Hex(url));
  }
}

/**
 * [TR36] Removes the row of a file whose record is purged, unless a record, a trashed record or a payload references
 * it; then removes bytes without a row.
 */
export function createFileSweep({ storage, clock, blobs }: FileSweepDeps) {
  return async function sweep(tenant: TenantId, signal: AbortSignal): Promise<void> {
    const call = () => systemCall('jobs/sweep-files', { tenant, signal });

    async function* pagesOf<Row>(
      limit: number,
      page: (db: Reader, last: Row | undefined) => Step<readonly Row[]>,
    ): AsyncGenerator<readonly Row[]> {
      for (let last: Row | undefined; !signal.aborted; ) {
        const after = last;
        const rows = await storage.read(call(), (db) => page(db, after)[Symbol.iterator]());
        if (rows.length > 0) yield rows;
        if (rows.length < limit) return;
        last = rows.at(-1);
      }
    }

    const keepPurged = (rows: readonly OrphanRow[]): Promise<readonly OrphanRow[]> =>
      storage.read(call(), function* (db) {
        const purged: OrphanRow[] = [];
        for (const row of rows) {
          if ((yield* newestTrash(db, recordTopic, row.record_id)) === undefined) purged.push(row);
        }
        return purged;
      });

    async function findOrphans(): Promise<readonly OrphanRow[]> {
      const { orphansCount, orphansPageCount: limit } = truthLimits;
      const found: OrphanRow[] = [];
      for await (const rows of pagesOf<OrphanRow>(limit, (db, last) => listOrphans(db, last ?? firstFile, limit))) {
        found.push(...(await keepPurged(rows)));
        if (found.length >= orphansCount) break;
      }
      return found;
    }

    /** Payloads last, so that they take precedence: they are never deleted. */
    async function findReferrers(orphans: readonly OrphanRow[]): Promise<FileReferrers> {
      const referrers: FileReferrers = new Map();
      const wanted = new Set(orphans.map(toFileUrl));
      const note = (texts: readonly string[], referrer: string | null): void => {
        for (const text of texts) {
          const address = parseFileAddress(text);
          const url = address === undefined ? '' : toFileUrl(address);
          if (wanted.has(url)) referrers.set(url, referrer);
        }
      };
      const { referrersPageCount: limit, trashPageCount } = truthLimits;
      for await (const items of pagesOf<TrashItem>(trashPageCount, (db, last) =>
        listTrash(db, recordTopic, last ?? newestItem, trashPageCount),
      )) {
        for (const { id, document } of items) note(parseFileUrls(parseTrashedRecord(id, document).file_urls), id);
      }
      for await (const rows of pagesOf<RecordFilesRow>(limit, (db, last) =>
        listRecordFiles(db, last?.record_id ?? '', limit),
      )) {
        for (const { record_id, file_urls } of rows) note(parseFileUrls(file_urls), record_id);
      }
      for await (const rows of pagesOf<PayloadReferencesRow>(limit, (db, last) =>
        listPayloadReferences(db, last?.payload_id ?? '', limit),
      )) {
        for (const row of rows) note([...parseFileUrls(row.file_urls), ...parseFileUrls(row.source_refs)], null);
      }
      return referrers;
    }

    async function neededHashes(): Promise<ReadonlySet<string>> {
      const hashes = new Set<string>();
      const limit = truthLimits.filesPageCount;
      for await (const rows of pagesOf<FileAddress>(limit, (db, last) => listFiles(db, last ?? firstFile, limit))) {
        for (const { sha256 } of rows) hashes.add(sha256);
      }
      return hashes;
    }

    const orphans = await findOrphans();
    if (orphans.length > 0) {
      const referrers = await findReferrers(orphans);
      // After an abort `referrers` may be incomplete, but then the store accepts no write either.
      for (const orphan of orphans) await storage.write(call(), (db) => resolveOrphan(db, orphan, referrers));
    }
    await blobs.sweep(tenant, await neededHashes(), clock.now(), signal);
  };
}
