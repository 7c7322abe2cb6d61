import type { Call, TenantId } from '#kernel/call.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import { withdrawNoted } from '#kernel/search/semantic/purge-vectors.ts';
import type { SemanticSearch, SemanticText } from '#kernel/search/semantic/semantic-search.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import { chunksOf } from '../../chunks.ts';
import type { Tombstones } from '../../forgetting/tombstones.ts';
import { lookupsOfName, writeLookups } from '../../observations/derived-rows.ts';
import type { Fields } from '../../observations/observation.ts';
import type { SchemaDeps } from '../../schemas/schemas.ts';
import type { TruthDeps } from '../../truth-deps.ts';
import { truthLimits } from '../../truth-limits.ts';
import { findEntityHeads, findRoots } from '../entity-store.ts';
import { type EntityDocument, entityDocuments, toEntityDocument, toMeaningText } from './entity-collection.ts';
import {
  deleteAllTexts,
  deleteQueued,
  deleteTexts,
  listRootIds,
  listTickets,
  saveTexts,
} from './entity-search-store.ts';
import { createIndexQueue } from './index-queue.ts';
import { loadIndexedEntities, type StatedTexts } from './load-indexed-entities.ts';

/** An entity about which a write states something, or whose state it changes. */
export interface ChangedEntity {
  readonly entityId: string;
  /** The values of each new observation, whether a schema accepts them or not. */
  readonly stated: readonly Fields[];
}

/** Keeps the index up to date. In the transaction of the change, after its observations and states. */
export interface EntityIndexing {
  put(db: Writer, changed: readonly ChangedEntity[]): Work<void>;
  /** Indexes these entities again from all that is stored about them. */
  reindex(db: Writer, entityIds: readonly string[]): Work<void>;
  /** New entities are found by similar names only when they are indexed: most keys of a bulk write are for that. */
  readonly namesLater?: true;
}

/** For parts that write observations. Without it nothing is indexed, as in tests of other parts. */
export interface EntityIndexingDeps {
  readonly entityDocuments?: EntityIndexing | undefined;
  /** Without it nothing is refused, as in tests of other parts. */
  readonly tombstones?: Pick<Tombstones, 'refuseForgotten'> | undefined;
}

export interface EntityDocumentsDeps extends Pick<TruthDeps, 'storage' | 'clock' | 'ids' | 'log'>, SchemaDeps {
  readonly search: Pick<SearchIndex, 'put' | 'remove' | 'provide' | 'rebuild' | 'purge' | 'maintain'>;
  readonly meaning: Pick<SemanticSearch, 'note' | 'forget' | 'provide'>;
}

async function listIds(storage: Storage, call: Call, after: string, limit: number): Promise<readonly string[]> {
  return (await storage.read(call, (db) => listRootIds(db, after, limit))).map(({ entity_id }) => entity_id);
}

export type EntityDocuments = ReturnType<typeof createEntityDocuments>;

export function createEntityDocuments(deps: EntityDocumentsDeps) {
  const { storage, clock, search, meaning } = deps;
  const { indexedEntitiesCount } = truthLimits;

  function* index(db: Writer, rootIds: readonly string[], stated: StatedTexts = new Map()): Work<void> {
    const { entities, texts } = yield* loadIndexedEntities(db, deps, rootIds, stated);
    if (texts.length > 0) yield* saveTexts(db, texts);
    yield* meaning.note(db, entityDocuments, ...rootIds);
    // Last: on PostgreSQL other writers wait from here to the commit.
    yield* search.put(db, entityDocuments, ...entities.map(toEntityDocument));
  }

  function* update(db: Writer, stated: StatedTexts): Work<void> {
    if (stated.size === 0) return;
    const ofRoots = new Map<string, readonly string[]>();
    for (const { entity_id, root_id } of yield* findRoots(db, [...stated.keys()])) {
      ofRoots.set(root_id, [...stated.get(entity_id)!, ...(ofRoots.get(root_id) ?? [])]);
    }
    yield* index(db, [...ofRoots.keys()], ofRoots);
  }

  /** Those that are merged into others have no document. */
  function* reindex(db: Writer, entityIds: readonly string[]): Work<void> {
    if (entityIds.length === 0) return;
    const roots = yield* findRoots(db, entityIds);
    const rootIds = [...new Set(roots.map(({ root_id }) => root_id))];
    const merged = roots.filter(({ entity_id, root_id }) => entity_id !== root_id).map(({ entity_id }) => entity_id);
    yield* deleteTexts(db, [...new Set([...entityIds, ...rootIds])]);
    yield* meaning.forget(db, entityDocuments, ...merged);
    yield* index(db, rootIds);
    yield* search.remove(db, entityDocuments, ...merged);
  }

  function* deriveNames(db: Writer, entityIds: readonly string[]): Work<void> {
    if (entityIds.length === 0) return;
    const heads = yield* findEntityHeads(db, entityIds);
    yield* writeLookups(
      db,
      heads.map(({ entity_type, entity_id, canonical_name }) => lookupsOfName(entity_type, entity_id, canonical_name)),
    );
  }

  const toCall = (tenant: TenantId, signal?: AbortSignal): Call =>
    systemCall('truth/index', {
      tenant,
      ...(signal === undefined ? {} : { signal }),
      deadlineAt: clock.now() + truthLimits.indexCallMs,
    });

  /** The documents of these roots; their texts are computed again if they are missing. */
  async function* loadDocuments(call: Call, rootIds: readonly string[]): AsyncGenerator<EntityDocument> {
    for (const some of chunksOf(rootIds, indexedEntitiesCount)) {
      const { entities } = await storage.read(call, (db) => loadIndexedEntities(db, deps, some));
      yield* entities.map(toEntityDocument);
    }
  }

  /** Each read has a deadline of its own: there may be any number of entities. */
  async function* allDocuments({ tenant, signal }: Call): AsyncGenerator<EntityDocument> {
    for (let after = ''; ; ) {
      const page = await listIds(storage, toCall(tenant, signal), after, truthLimits.walkedPageCount);
      if (page.length === 0) return;
      yield* loadDocuments(toCall(tenant, signal), page);
      after = page.at(-1)!;
    }
  }

  search.provide(entityDocuments, allDocuments);
  meaning.provide(entityDocuments, {
    // A store can have very many entities, and most tenants find them by words.
    isOnDemand: true,
    async texts(call, rootIds) {
      const texts = new Map<string, SemanticText>();
      for (const some of chunksOf(rootIds, indexedEntitiesCount)) {
        const { entities } = await storage.read(call, (db) => loadIndexedEntities(db, deps, some));
        for (const entity of entities) {
          const { facets = {} } = toEntityDocument(entity);
          texts.set(entity.row.entity_id, { text: toMeaningText(entity), facets });
        }
      }
      return texts;
    },
    ids: (call, after, limit) => listIds(storage, call, after ?? '', limit),
  });

  /** Derives everything again. What is queued meanwhile stays queued. */
  async function rebuild(call: Call): Promise<void> {
    const tickets = await storage.read(call, (db) => listTickets(db));
    await storage.write({ ...call, audit: 'none' }, function* (db) {
      yield* deleteAllTexts(db);
    });
    await search.rebuild(call, entityDocuments);
    for (const some of chunksOf(tickets, truthLimits.queueRowsCount)) {
      await storage.write({ ...call, audit: 'none' }, function* (db) {
        yield* deleteQueued(
          db,
          some.map(({ ticket }) => ticket),
        );
      });
    }
  }

  const queue = createIndexQueue({
    ...deps,
    update,
    deriveNames,
    reindex,
    toCall,
    rebuild: (tenant, signal) => rebuild({ ...toCall(tenant, signal), deadlineAt: Number.POSITIVE_INFINITY }),
  });

  return {
    put: queue.put,
    reindex: queue.reindex,
    bulk: { put: queue.putLater, reindex: queue.reindex, namesLater: true } satisfies EntityIndexing,
    /** These entities no longer exist. */
    *drop(db: Writer, entityIds: readonly string[]): Work<void> {
      yield* queue.withdraw(db, new Set(entityIds));
      yield* deleteTexts(db, entityIds);
      yield* meaning.forget(db, entityDocuments, ...entityIds);
      yield* withdrawNoted(db, entityDocuments.name, new Set(entityIds));
      yield* search.remove(db, entityDocuments, ...entityIds);
    },
    /** Writes the index and the texts again, and removes every byte of the former ones. */
    async purge(call: Call): Promise<void> {
      await queue.indexAll(call.tenant, call.signal);
      await search.purge(call, entityDocuments);
    },
    countWaiting: queue.countWaiting,
    awaitQueued: queue.awaitQueued,
    deriveNames: queue.deriveNames,
    /** Also builds an index that is missing or outdated. */
    async maintain(tenant: TenantId, signal: AbortSignal) {
      await search.maintain(tenant, entityDocuments);
      await queue.indexAll(tenant, signal);
    },
    rebuild,
  };
}
