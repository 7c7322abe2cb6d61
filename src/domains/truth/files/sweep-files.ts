import type { TenantId } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Reader, Step, Work, Writer } from '#kernel/storage/port.ts';
import { listTrash, newestTrash, type TrashItem } from '#kernel/storage/trash.ts';
import { listNamedSources, type NamingPayloadRow } from '../payloads/payload-store.ts';
import { parseFileUrls } from '../records/record.ts';
import { findRecord, listNamedFiles, type NamingRecordRow } from '../records/record-store.ts';
import { parseTrashed } from '../records/rules/trashed.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthLimits } from '../truth-limits.ts';
import { fileTopic, recordTopic } from '../words.ts';
import { type FileAddress, parseFileAddress, toFileUrl } from './file-address.ts';
import {
  deleteFile,
  findFile,
  listFiles,
  listOrphans,
  lockFile,
  type OrphanRow,
  setFileRecord,
} from './file-row-store.ts';
import type { FileStore } from './file-store.ts';

const firstFile: FileAddress = { bucket: '', sha256: '' };
const newestItem = { at: Number.MAX_SAFE_INTEGER, id: '' };

/** Who else names a file: a record by its id; null is a payload, and those never go. */
type Namers = Map<string, string | null>;

export interface FileSweepDeps extends Pick<TruthDeps, 'storage' | 'clock'> {
  readonly store: FileStore;
}

function* settleOrphan(db: Writer, orphan: OrphanRow, namers: Namers): Work<void> {
  yield* lockFile(db, orphan);
  const row = yield* findFile(db, orphan);
  // Somebody sent the same bytes again, or an import brought the record back.
  if (row?.record_id !== orphan.record_id || (yield* findRecord(db, orphan.record_id)) !== undefined) return;
  const url = toFileUrl(orphan);
  const namer = namers.get(url);
  // Whoever names it has it from now on, and it is not looked for again while he is there.
  if (namer !== undefined) yield* setFileRecord(db, orphan, namer);
  else {
    yield* deleteFile(db, orphan);
    yield* db.changed(fileTopic, `${orphan.bucket}/${orphan.sha256}`, 'delete', sha256Hex(url));
  }
}

/**
 * [TR36] The row of a file whose record is purged goes, unless a record, one in the trash or a payload names it; then go the
 * bytes that no row has.
 */
export function createFileSweep({ storage, clock, store }: FileSweepDeps) {
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

    /** Payloads last: of all who name a file they stay the longest. */
    async function findNamers(orphans: readonly OrphanRow[]): Promise<Namers> {
      const namers: Namers = new Map();
      const wanted = new Set(orphans.map(toFileUrl));
      const note = (texts: readonly string[], namer: string | null): void => {
        for (const text of texts) {
          const address = parseFileAddress(text);
          const url = address === undefined ? '' : toFileUrl(address);
          if (wanted.has(url)) namers.set(url, namer);
        }
      };
      const { namersPageCount: limit, trashPageCount } = truthLimits;
      for await (const items of pagesOf<TrashItem>(trashPageCount, (db, last) =>
        listTrash(db, recordTopic, last ?? newestItem, trashPageCount),
      )) {
        for (const { id, document } of items) note(parseFileUrls(parseTrashed(id, document).file_urls), id);
      }
      for await (const rows of pagesOf<NamingRecordRow>(limit, (db, last) =>
        listNamedFiles(db, last?.record_id ?? '', limit),
      )) {
        for (const { record_id, file_urls } of rows) note(parseFileUrls(file_urls), record_id);
      }
      for await (const rows of pagesOf<NamingPayloadRow>(limit, (db, last) =>
        listNamedSources(db, last?.payload_id ?? '', limit),
      )) {
        for (const row of rows) note([...parseFileUrls(row.file_urls), ...parseFileUrls(row.source_refs)], null);
      }
      return namers;
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
      const namers = await findNamers(orphans);
      // When the signal has aborted, who names a file may be among those that were not read; then no write is taken either.
      for (const orphan of orphans) await storage.write(call(), (db) => settleOrphan(db, orphan, namers));
    }
    await store.sweep(tenant, await neededHashes(), clock.now(), signal);
  };
}
