import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CatalogDeps, createCatalog } from '#domains/instructions/catalog/create-catalog.ts';
import type { InstructionEntry, InstructionInput } from '#domains/instructions/entry-model.ts';
import { completeEntry } from '#domains/instructions/rules/complete-entry.ts';
import { systemClock, toIso } from '#kernel/clock/clock.ts';
import type { Embedder } from '#kernel/embed/embedder.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import { createLocalLeases } from '#kernel/search/leases.fixture.ts';
import { createSearchIndex } from '#kernel/search/search-index.ts';
import { createSemanticSearch } from '#kernel/search/semantic/create-semantic-search.ts';
import type { Storage } from '#kernel/storage/port.ts';

export const makeFolders = async () => {
  const top = await mkdtemp(join(tmpdir(), 'ff-catalog-'));
  return {
    folder: join(top, 'instructions'),
    tenantsFolder: join(top, 'tenants'),
    remove: () => rm(top, { recursive: true, force: true }),
  };
};

export type Folders = Pick<CatalogDeps, 'folder' | 'tenantsFolder'>;

export interface CatalogParts extends Partial<Omit<CatalogDeps, 'semantic'>> {
  readonly embedder?: Embedder;
}

/** A catalog over a store, as a separate process would have it. */
export function openCatalog(storage: Storage, folders: Folders, { embedder, ...part }: CatalogParts = {}) {
  const log = createLogFixture();
  const parts = { storage, leases: createLocalLeases(), clock: systemClock, ids: createIds(systemClock), log };
  const search = createSearchIndex(parts);
  const semantic = createSemanticSearch({ ...parts, embedder: async () => embedder });
  const catalog = createCatalog({
    storage,
    search,
    semantic,
    clock: systemClock,
    log,
    folder: folders.folder,
    tenantsFolder: folders.tenantsFolder,
    canonicalOff: false,
    readRetries: 3,
    readBackoffMs: 8,
    writeRetries: 3,
    writeBackoffMs: 8,
    ...part,
  });
  return {
    catalog,
    search,
    semantic,
    log,
    async close() {
      await semantic.close();
      await catalog.close();
      await search.close();
    },
  };
}

export const toEntry = (input: Partial<InstructionInput> = {}): InstructionEntry =>
  completeEntry(
    { id: `e-${randomUUID()}`, body: 'Do it well.', ...input },
    { now: toIso(Date.UTC(2026, 0, 2)), canonicalOff: false },
  );
