import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { instructionIdPattern, reservedIds } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Catalog, CatalogEntry, EntryChange, Look } from './catalog.ts';
import { listArchived, restoreArchived } from './entry-archive.ts';
import { etagOf, parseEntry, toEntryText } from './entry-json.ts';
import type { EntrySource, PreparedChange, Sink } from './entry-source.ts';
import { createFilesSource, type FolderManner } from './files/files-source.ts';
import { folderFor } from './files/folder-names.ts';
import { memoizeSource } from './memoized-source.ts';
import { createOwnCalls } from './own-call.ts';
import type { Indexes } from './record-changes.ts';
import { instructionDocuments, toDocument } from './search-documents.ts';
import { createEmbeddedSearch, createMeaningSource, type EmbeddedSearch } from './semantic-search.ts';
import { createTableSource } from './table/table-source.ts';
import { createShelf, type Shelf } from './tenant-catalog.ts';

export interface CatalogDeps extends Indexes, FolderManner {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the entries of the tenant `local` are. */
  readonly folder: string;
  /** Holds one folder for each other tenant. */
  readonly tenantsFolder: string;
  readonly canonicalOff: boolean;
  /** Answers from memory between two looks at the folder. */
  readonly isMemoized?: boolean;
  /** Stands between a tenant's source and its shelf, to tell what goes through. */
  aroundSource?(tenant: TenantId, createSource: CreateSource): CreateSource;
}

type CreateSource = (sink: Sink) => EntrySource;

function toLook(shelf: Shelf, id: string, known: CatalogEntry | undefined): Look {
  const found = shelf.find(id);
  return { found, lateMaterialized: known === undefined && found !== undefined, problem: shelf.problemOf(id) };
}

export function createCatalog(deps: CatalogDeps): Catalog & { readonly embeddings: EmbeddedSearch } {
  const { storage, search, clock, canonicalOff } = deps;
  const closing = new AbortController();
  const calls = createOwnCalls(clock, closing.signal);
  const shelves = new Map<TenantId, Shelf>();

  function shelfOf(tenant: TenantId): Shelf {
    if (closing.signal.aborted) throw faults.SHUTTING_DOWN();
    let shelf = shelves.get(tenant);
    if (shelf === undefined) {
      const createSource: CreateSource = (sink) => {
        const parts = { ...deps, tenant, calls, sink, closing: closing.signal };
        const source =
          storage.dialect === 'sqlite'
            ? createFilesSource({ ...parts, folder: folderFor(tenant, deps) })
            : createTableSource(parts);
        return deps.isMemoized === true ? memoizeSource(source, sink) : source;
      };
      const around = deps.aroundSource?.(tenant, createSource) ?? createSource;
      shelf = createShelf({ ...deps, tenant, calls, closing: closing.signal }, around);
      shelves.set(tenant, shelf);
    }
    return shelf;
  }

  search.provide(instructionDocuments, async function* (call) {
    const shelf = shelfOf(call.tenant);
    await shelf.loaded();
    for (const { entry } of shelf.state().rows()) yield toDocument(entry);
  });
  deps.meaning.provide(instructionDocuments, createMeaningSource({ storage, clock, calls, canonicalOff, shelfOf }));

  /** Resolves when the indexes know all that is served to the caller. */
  async function settled(call: Call): Promise<void> {
    const shelf = shelfOf(call.tenant);
    await shelf.fresh(call);
    await shelf.known();
  }

  /** Nothing is stored that could not be read back. */
  function prepare({ id, before, after }: EntryChange, fromArchive: boolean): PreparedChange {
    if (!instructionIdPattern.test(id) || (after !== null && after.id !== id)) {
      throw faults.VALIDATION_ERROR({ why: 'an id has 1 to 120 characters: a-z, 0-9, - and _' }, { id });
    }
    if (after !== null && reservedIds.has(id))
      throw faults.VALIDATION_ERROR({ why: `${id} names another file` }, { id });
    if (after === null) return { id, before, after, fromArchive };
    const text = toEntryText(after);
    const bytes = Buffer.from(text);
    if (bytes.length > instructionLimits.fileBytes) {
      throw faults.RESOURCE_LIMIT(
        { what: `the entry ${id}`, limit: instructionLimits.fileBytes, unit: 'bytes' },
        { id },
      );
    }
    const etag = etagOf(bytes);
    const { kept, problem } = parseEntry(bytes, { id, modifiedAt: clock.now(), canonicalOff, etag });
    if (kept === undefined) throw faults.VALIDATION_ERROR({ why: `${id} cannot be stored: ${problem}` }, { id });
    return { id, before, after: { entry: kept.entry, text, etag }, fromArchive };
  }

  async function commit(call: Call, changes: readonly EntryChange[], fromArchive: boolean): Promise<void> {
    const limit = instructionLimits.commitChangesCount;
    if (changes.length > limit) throw faults.RESOURCE_LIMIT({ what: 'one commit', limit, unit: 'changes' });
    if (new Set(changes.map(({ id }) => id)).size < changes.length) {
      throw faults.VALIDATION_ERROR({ why: 'an entry is changed twice in one commit' });
    }
    const prepared = changes.map((change) => prepare(change, fromArchive));
    const shelf = shelfOf(call.tenant);
    await shelf.loaded();
    if (prepared.length > 0) await shelf.source.commit(call, prepared);
  }

  function look(shelf: Shelf, call: Call, id: string): Look | Promise<Look> {
    if (!instructionIdPattern.test(id)) return { found: undefined, lateMaterialized: false, problem: undefined };
    const known = shelf.find(id);
    const looking = shelf.source.look(call, id);
    return looking === undefined ? toLook(shelf, id, known) : looking.then(() => toLook(shelf, id, known));
  }

  return {
    async state(call) {
      const shelf = shelfOf(call.tenant);
      await shelf.fresh(call);
      return shelf.state();
    },
    look(call, id) {
      const shelf = shelfOf(call.tenant);
      return shelf.isLoaded() ? look(shelf, call, id) : shelf.loaded().then(() => look(shelf, call, id));
    },
    recent(call) {
      const shelf = shelfOf(call.tenant);
      return shelf.isLoaded() && shelf.source.isWatchful ? shelf.state() : undefined;
    },
    async stored(call, id) {
      return instructionIdPattern.test(id) ? shelfOf(call.tenant).source.stored(call, id) : undefined;
    },
    async commit(call, changes) {
      await commit(call, changes, false);
      return shelfOf(call.tenant).state();
    },
    async reload(call) {
      const shelf = shelfOf(call.tenant);
      await shelf.reload(call);
      return shelf.state();
    },
    async search(call, query) {
      await settled(call);
      return search.search(call, instructionDocuments, query);
    },
    embeddings: createEmbeddedSearch(deps, settled),
    archived: (call, limit, before) => listArchived(storage, call, canonicalOff, limit, before),
    async restore(call, ids) {
      const shelf = shelfOf(call.tenant);
      await shelf.fresh(call);
      return restoreArchived({ storage, canonicalOff, state: () => shelf.state() }, call, ids, (changes) =>
        commit(call, changes, true),
      );
    },
    async files(call) {
      const shelf = shelfOf(call.tenant);
      await shelf.fresh(call);
      return shelf.source.files(call);
    },
    async close() {
      closing.abort(faults.SHUTTING_DOWN());
      await Promise.all([...shelves.values()].map((shelf) => shelf.close()));
    },
  };
}
