import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { createExtractWorkers } from '#app/extract-workers.ts';
import type { TenantId } from '#kernel/call.ts';
import type { createManualClock } from '#kernel/clock/clock.ts';
import { createLimiter, openLimiter } from '#kernel/limiter/limiter.ts';
import { createAllowedRoots } from '#kernel/paths/allowed-roots.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import type { Workers } from '#kernel/workers/workers.ts';
import { openIndexes } from '#tests/support/open-indexes.ts';
import { openToolset } from '#tests/support/open-toolset.ts';
import { createRecords, type Records } from '../records/records.ts';
import { createSchemas } from '../schemas/schemas.ts';
import { describeTruth, type TruthEngine, testCursors } from '../truth.fixture.ts';
import { toTruthStorage } from '../truth-storage.ts';
import { fileTools, recordTools } from '../truth-toolset.ts';
import { createFolderBlobs, type FileBlobs } from './file-blobs.ts';
import { createFiles, type FileServer, type Files } from './files.ts';

const toolset = defineToolset<{ readonly files: Files; readonly records: Records }>({
  name: 'truth',
  faultForm: 'traced',
  tools: [...fileTools, ...recordTools],
});

export interface FilesFixtureOptions {
  readonly workers?: Workers;
  readonly patienceMs?: number;
  readonly server?: FileServer;
  readonly isLimited?: boolean;
  readonly noRoots?: boolean;
  /** Wraps the real blobs. */
  readonly before?: (store: FileBlobs) => FileBlobs;
}

export interface FileToolAnswer {
  readonly record?: {
    readonly id: string;
    readonly type: string;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly file_urls: readonly string[];
  };
  readonly updated?: boolean;
  readonly file_url?: string;
  readonly file_size?: number;
  readonly content_type?: string;
  readonly signed_url?: string;
  readonly expires_at?: string;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

type ManualClock = ReturnType<typeof createManualClock>;

/** Files of a temporary folder, with real extraction processes, store and search index. */
export async function createFilesFixture(
  storage: Storage,
  clock: ManualClock,
  shared: Workers,
  options: FilesFixtureOptions = {},
) {
  const top = await mkdtemp(join(tmpdir(), 'files-'));
  const root = join(top, 'root');
  const home = join(root, 'home');
  await mkdir(home, { recursive: true });
  const indexes = openIndexes(storage, clock);
  const { ids, log, search, meaning } = indexes;
  const truthStorage = toTruthStorage(storage);
  const records = createRecords({ storage: truthStorage, clock, ids, log, search, meaning, cursors: testCursors });
  const schemas = createSchemas({ storage: truthStorage });
  const blobs = join(home, 'blobs');
  const store = createFolderBlobs(blobs);
  const files = createFiles({
    ...{ storage: truthStorage, clock, ids, log, schemas, records },
    roots: createAllowedRoots({ roots: options.noRoots ? [] : [root], forbidden: [home] }),
    blobs: options.before?.(store) ?? store,
    workers: options.workers ?? shared,
    ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
    signingKey: Buffer.from('the signing key of a test'),
    server: options.server ?? { baseUrl: async () => 'http://127.0.0.1:9' },
  });
  const limiter = options.isLimited ? createLimiter(clock) : openLimiter;
  const { bugs, as: asTenant } = openToolset(toolset, { files, records }, { clock, ids, limiter });

  function as(tenant: TenantId) {
    const mine = asTenant(tenant);
    const ask = mine.ask<FileToolAnswer>;
    return {
      tenant,
      ask,
      call: mine.call('test', { audit: 'none' }),
      /** Writes the file into the allowed folder first. */
      async upload(name: string, bytes: string | Uint8Array, args: object = {}): Promise<FileToolAnswer> {
        await writeFile(join(root, name), bytes);
        return ask('upload_file', { file_path: name, ...args });
      },
    };
  }

  return {
    ...{ top, root, home, files, records, log, as, bugs },
    /** Number of stored files, including partial ones. */
    async keptCount(): Promise<number> {
      const entries = await readdir(blobs, { recursive: true, withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isFile()).length;
    },
    async close() {
      await indexes.close();
      await rm(top, { recursive: true, force: true });
    },
  };
}

export type FilesFixture = Awaited<ReturnType<typeof createFilesFixture>>;

export interface FilesEngine extends TruthEngine {
  open(options?: FilesFixtureOptions): Promise<FilesFixture>;
}

/** Runs the tests on every engine. */
export const describeFiles = (title: string, define: (engine: FilesEngine) => void): void =>
  describeTruth(title, (engine) => {
    let workers: Workers;
    beforeAll(() => {
      workers = engine.closeAtEnd(createExtractWorkers());
    });
    define({
      ...engine,
      open: async (options) =>
        engine.closeAtEnd(await createFilesFixture(engine.storage(), engine.clock, workers, options)),
    });
  });
