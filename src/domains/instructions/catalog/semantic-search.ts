import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { type HybridAnswer, type HybridQuery, hybridProfiles, hybridSearch } from '#kernel/search/hybrid.ts';
import type {
  PendingDocuments,
  SemanticAnswer,
  SemanticSource,
  SemanticText,
} from '#kernel/search/semantic/semantic-search.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { BackgroundCalls } from './background-calls.ts';
import { listOpenIds, listOpenOf, listSeenOf, lockEntries } from './catalog-store.ts';
import { parseArchived } from './entry-json.ts';
import type { SearchIndexes } from './record-changes.ts';
import { instructionDocuments, toEmbeddingText } from './search-documents.ts';
import type { TenantCatalog } from './tenant-catalog.ts';

/** Semantic search over the catalog. The first search starts embedding it in the background. */
export type CatalogSemanticSearch = ReturnType<typeof createSemanticSearch>;

/** `whenIndexed` resolves when the indexes contain everything that is served to the caller. */
export const createSemanticSearch = (
  { search: index, semantic }: SearchIndexes,
  whenIndexed: (call: Call) => Promise<void>,
) => ({
  /** Without a minimum, and only what is embedded already: an agent that begins a task must not wait. */
  async nearestNow(call: Call, text: string, limit: number): Promise<SemanticAnswer | undefined> {
    await whenIndexed(call);
    return semantic.nearest(call, instructionDocuments, { text, limit, similarityMin: -1, isPatient: false });
  },
  /** Cached if the same text was searched for just before. Undefined if the embedder has another model. */
  vectorOf: (call: Call, text: string, model: string): Promise<Float32Array | undefined> =>
    semantic.vectorOf(call, { text, model }),
  /** By meaning or by both; by words if meaning cannot help. */
  async search(call: Call, query: HybridQuery): Promise<HybridAnswer> {
    await whenIndexed(call);
    return hybridSearch({ index, semantic, profile: hybridProfiles.instructions }, call, instructionDocuments, query);
  },
  waiting: (call: Call): Promise<PendingDocuments> => semantic.waiting(call, instructionDocuments),
  hasEmbedder: async (): Promise<boolean> => (await semantic.assess('')).missing !== 'embedder',
});

export interface EmbeddingSourceDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly calls: BackgroundCalls;
  readonly canonicalOff: boolean;
  tenantCatalogOf(tenant: TenantId): TenantCatalog;
}

function idsAfter(catalog: TenantCatalog, after: string, limit: number): readonly string[] {
  const ids: string[] = [];
  for (const { entry } of catalog.state().rows()) {
    if (ids.length === limit) break;
    if (entry.id > after) ids.push(entry.id);
  }
  return ids;
}

/** Supplies the embedder with the stored entries, not with those in memory. */
export const createEmbeddingSource = ({
  storage,
  clock,
  calls,
  canonicalOff,
  tenantCatalogOf,
}: EmbeddingSourceDeps): SemanticSource => ({
  // A catalog can be thousands of files from a clone: it is embedded when somebody first uses semantic search.
  isOnDemand: true,
  texts: ({ tenant }, ids) =>
    storage.read(calls.internal(tenant), function* (db) {
      const texts = new Map<string, SemanticText>();
      for (const [id, { entry }] of yield* tenantCatalogOf(tenant).source.readCurrent(db, ids))
        texts.set(id, toEmbeddingText(entry));
      const open = yield* listOpenOf(db, ids);
      if (open.length === 0) return texts;
      // The change is recorded but the file may not be in place yet: use the newest document of the journal.
      const decided = new Map((yield* listSeenOf(db, ids)).map(({ id, etag }) => [id, etag]));
      for (const { id, after_etag, document } of open) {
        if (after_etag !== (decided.get(id) ?? null)) continue;
        const entry = document === null ? undefined : parseArchived(document, id, clock.now(), canonicalOff);
        if (entry === undefined) texts.delete(id);
        else texts.set(id, toEmbeddingText(entry));
      }
      return texts;
    }),
  async ids({ tenant }, after, limit) {
    const catalog = tenantCatalogOf(tenant);
    // Waits for writers that started before embedding began, and then reads the files again: their changes were not
    // announced.
    const open = await storage.write(calls.internal(tenant), function* (db) {
      yield* lockEntries(db);
      return yield* listOpenIds(db, after ?? '', limit);
    });
    if (after === undefined) await catalog.reload();
    else await catalog.whenLoaded();
    const all = new Set([...idsAfter(catalog, after ?? '', limit), ...open.map(({ id }) => id)]);
    return [...all].sort().slice(0, limit);
  },
});
