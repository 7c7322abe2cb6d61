import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { instructionIdPattern, reservedIds } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { createBackgroundCalls } from './background-calls.ts';
import type { Catalog, CatalogEntry, EntryChange, EntryLookup } from './catalog.ts';
import { listArchived, restoreArchived } from './entry-archive.ts';
import { etagOf, parseEntry, toEntryText } from './entry-json.ts';
import type { CatalogSink, EntrySource, PreparedChange } from './entry-source.ts';
import { createFilesSource, type FolderOptions } from './files/files-source.ts';
import { folderOfTenant } from './files/folder-names.ts';
import { memoizeSource } from './memoized-source.ts';
import type { SearchIndexes } from './record-changes.ts';
import { instructionDocuments, toDocument } from './search-documents.ts';
import { type CatalogSemanticSearch, createEmbeddingSource, createSemanticSearch } from './semantic-search.ts';
import { createTableSource } from './table/table-source.ts';
import { createTenantCatalog, type TenantCatalog } from './tenant-catalog.ts';

export interface CatalogDeps extends SearchIndexes, FolderOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  /** The folder of the tenant `local`. */
  readonly folder: string;
  /** Holds one folder for each other tenant. */
  readonly tenantsFolder: string;
  readonly canonicalOff: boolean;
  /** Answers from memory between two refreshes. */
  readonly isMemoized?: boolean;
  /** Wraps a tenant's source, such as for tracing. */
  aroundSource?(tenant: TenantId, createSource: CreateSource): CreateSource;
}

type CreateSource = (sink: CatalogSink) => EntrySource;

function toLookup(catalog: TenantCatalog, id: string, known: CatalogEntry | undefined): EntryLookup {
  const found = catalog.find(id);
  return { found, lateMaterialized: known === undefined && found !== undefined, problem: catalog.problemOf(id) };
}

export function createCatalog(deps: CatalogDeps): Catalog & { readonly embeddings: CatalogSemanticSearch } {
  const { storage, search, clock, canonicalOff } = deps;
  const closing = new AbortController();
  const calls = createBackgroundCalls(clock, closing.signal);
  const tenantCatalogs = new Map<TenantId, TenantCatalog>();

  function tenantCatalogOf(tenant: TenantId): TenantCatalog {
    if (closing.signal.aborted) throw faults.SHUTTING_DOWN();
    let catalog = tenantCatalogs.get(tenant);
    if (catalog === undefined) {
      const createSource: CreateSource = (sink) => {
        const parts = { ...deps, tenant, calls, sink, closing: closing.signal };
        const source = storage.capabilities.isLocal
          ? createFilesSource({ ...parts, folder: folderOfTenant(tenant, deps) })
          : createTableSource(parts);
        return deps.isMemoized === true ? memoizeSource(source, sink) : source;
      };
      const around = deps.aroundSource?.(tenant, createSource) ?? createSource;
      catalog = createTenantCatalog({ ...deps, tenant, calls, closing: closing.signal }, around);
      tenantCatalogs.set(tenant, catalog);
    }
    return catalog;
  }

  search.provide(instructionDocuments, async function* (call) {
    const catalog = tenantCatalogOf(call.tenant);
    await catalog.whenLoaded();
    for (const { entry } of catalog.state().rows()) yield toDocument(entry);
  });
  deps.semantic.provide(
    instructionDocuments,
    createEmbeddingSource({ storage, clock, calls, canonicalOff, tenantCatalogOf: tenantCatalogOf }),
  );

  /** Resolves when the indexes contain everything that is served to the caller. */
  async function whenIndexed(call: Call): Promise<void> {
    const catalog = tenantCatalogOf(call.tenant);
    await catalog.refresh(call);
    await catalog.whenIndexed();
  }

  /** Rejects a change that could not be read back. */
  function prepare({ id, before, after, proposal }: EntryChange, fromArchive: boolean): PreparedChange {
    if (!instructionIdPattern.test(id) || (after !== null && after.id !== id)) {
      throw faults.VALIDATION_ERROR({ why: 'an id has 1 to 120 characters: a-z, 0-9, - and _' }, { id });
    }
    if (after !== null && reservedIds.has(id)) throw faults.VALIDATION_ERROR({ why: `${id} is a reserved id` }, { id });
    if (after === null) return { id, before, after, fromArchive, proposal };
    const text = toEntryText(after);
    const bytes = Buffer.from(text);
    if (bytes.length > instructionLimits.fileBytes) {
      throw faults.RESOURCE_LIMIT(
        { what: `the entry ${id}`, limit: instructionLimits.fileBytes, unit: 'bytes' },
        { id },
      );
    }
    const etag = etagOf(bytes);
    const { item, problem } = parseEntry(bytes, { id, modifiedAt: clock.now(), canonicalOff, etag });
    if (item === undefined) throw faults.VALIDATION_ERROR({ why: `${id} cannot be stored: ${problem}` }, { id });
    return { id, before, after: { ...item, text }, fromArchive, proposal };
  }

  async function commit(call: Call, changes: readonly EntryChange[], fromArchive: boolean): Promise<void> {
    const limit = instructionLimits.commitChangesCount;
    if (changes.length > limit) throw faults.RESOURCE_LIMIT({ what: 'one commit', limit, unit: 'changes' });
    if (new Set(changes.map(({ id }) => id)).size < changes.length) {
      throw faults.VALIDATION_ERROR({ why: 'one commit changes an entry twice' });
    }
    const prepared = changes.map((change) => prepare(change, fromArchive));
    const catalog = tenantCatalogOf(call.tenant);
    await catalog.whenLoaded();
    if (prepared.length > 0) await catalog.source.commit(call, prepared);
  }

  function lookUp(catalog: TenantCatalog, call: Call, id: string): EntryLookup | Promise<EntryLookup> {
    if (!instructionIdPattern.test(id)) return { found: undefined, lateMaterialized: false, problem: undefined };
    const known = catalog.find(id);
    const looking = catalog.source.refreshEntry(call, id);
    return looking === undefined ? toLookup(catalog, id, known) : looking.then(() => toLookup(catalog, id, known));
  }

  return {
    async state(call) {
      const catalog = tenantCatalogOf(call.tenant);
      await catalog.refresh(call);
      return catalog.state();
    },
    lookUp(call, id) {
      const catalog = tenantCatalogOf(call.tenant);
      return catalog.isLoaded()
        ? lookUp(catalog, call, id)
        : catalog.whenLoaded().then(() => lookUp(catalog, call, id));
    },
    cachedState(call) {
      const catalog = tenantCatalogOf(call.tenant);
      return catalog.isLoaded() && catalog.source.sweepsInBackground ? catalog.state() : undefined;
    },
    async storedJson(call, id) {
      return instructionIdPattern.test(id) ? tenantCatalogOf(call.tenant).source.storedJson(call, id) : undefined;
    },
    async commit(call, changes) {
      await commit(call, changes, false);
      return tenantCatalogOf(call.tenant).state();
    },
    async reload(call) {
      const catalog = tenantCatalogOf(call.tenant);
      await catalog.reload();
      return catalog.state();
    },
    async search(call, query) {
      await whenIndexed(call);
      return search.search(call, instructionDocuments, query);
    },
    embeddings: createSemanticSearch(deps, whenIndexed),
    listArchived: (call, limit, before) => listArchived(storage, call, canonicalOff, limit, before),
    async restore(call, ids) {
      const catalog = tenantCatalogOf(call.tenant);
      await catalog.refresh(call);
      return restoreArchived({ storage, canonicalOff, state: () => catalog.state() }, call, ids, (changes) =>
        commit(call, changes, true),
      );
    },
    async files(call) {
      const catalog = tenantCatalogOf(call.tenant);
      await catalog.refresh(call);
      return catalog.source.files(call);
    },
    async close() {
      closing.abort(faults.SHUTTING_DOWN());
      await Promise.all([...tenantCatalogs.values()].map((catalog) => catalog.close()));
    },
  };
}
