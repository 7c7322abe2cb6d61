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
import { openFamilyDoor } from '#tests/support/family-door.ts';
import { openIndexes } from '#tests/support/open-indexes.ts';
import { describeTruth, type TruthEngine } from '../observations/truth.fixture.ts';
import { createRecords, type Records } from '../records/records.ts';
import { createSchemas } from '../schemas/schemas.ts';
import { toTruthStorage } from '../truth-storage.ts';
import { fileTools, recordTools } from '../truth-toolset.ts';
import { createFolderStore, type FileStore } from './file-store.ts';
import { createFiles, type Files } from './files.ts';
import type { FileServer } from './files-deps.ts';

const toolset = defineToolset<{ readonly files: Files; readonly records: Records }>({
  name: 'truth',
  faultForm: 'traced',
  tools: [...fileTools, ...recordTools],
});

export interface PlantFilesOptions {
  readonly workers?: Workers;
  readonly server?: FileServer;
  readonly isLimited?: boolean;
  readonly noRoots?: boolean;
  /** Stands before the real store. */
  readonly before?: (store: FileStore) => FileStore;
}

export interface Told {
  readonly record?: {
    readonly id: string;
    readonly type: string;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly file_urls: readonly string[];
  };
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

/** Files behind the real door: real folders, real processes for extraction, a real store and search index. */
export async function plantFiles(
  storage: Storage,
  clock: ManualClock,
  shared: Workers,
  options: PlantFilesOptions = {},
) {
  const top = await mkdtemp(join(tmpdir(), 'files-'));
  const root = join(top, 'root');
  const home = join(root, 'home');
  await mkdir(home, { recursive: true });
  const indexes = openIndexes(storage, clock);
  const { ids, log, search, meaning } = indexes;
  const truthStorage = toTruthStorage(storage);
  const records = createRecords({ storage: truthStorage, clock, ids, log, search, meaning });
  const schemas = createSchemas({ storage: truthStorage });
  const blobs = join(home, 'blobs');
  const store = createFolderStore(blobs);
  const files = createFiles({
    ...{ storage: truthStorage, clock, ids, log, schemas, records },
    roots: createAllowedRoots({ roots: options.noRoots ? [] : [root], forbidden: [home] }),
    store: options.before?.(store) ?? store,
    workers: options.workers ?? shared,
    signingKey: Buffer.from('the signing key of a test'),
    server: options.server ?? { baseUrl: async () => 'http://127.0.0.1:9' },
  });
  const limiter = options.isLimited ? createLimiter(clock) : openLimiter;
  const { bugs, as: asTenant } = openFamilyDoor(toolset, { files, records }, { clock, ids, limiter });

  function as(tenant: TenantId) {
    const mine = asTenant(tenant);
    const ask = mine.ask<Told>;
    return {
      tenant,
      ask,
      call: mine.call('test', { audit: 'none' }),
      /** Writes the file into the root first. */
      async upload(name: string, bytes: string | Uint8Array, args: object = {}): Promise<Told> {
        await writeFile(join(root, name), bytes);
        return ask('upload_file', { file_path: name, ...args });
      },
    };
  }

  return {
    ...{ top, root, home, files, records, log, as, bugs },
    /** How many files lie in the store, half-written ones too. */
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

export type PlantedFiles = Awaited<ReturnType<typeof plantFiles>>;

export interface PlantedEngine extends TruthEngine {
  open(options?: PlantFilesOptions): Promise<PlantedFiles>;
}

/** Says the same of every engine. */
export const describeOnEngines = (title: string, tell: (engine: PlantedEngine) => void): void =>
  describeTruth(title, (engine) => {
    let workers: Workers;
    beforeAll(() => {
      workers = engine.closeAtEnd(createExtractWorkers());
    });
    tell({
      ...engine,
      open: async (options) => engine.closeAtEnd(await plantFiles(engine.storage(), engine.clock, workers, options)),
    });
  });
