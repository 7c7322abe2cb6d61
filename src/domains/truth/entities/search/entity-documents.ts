import type { Call, TenantId } from '#kernel/call.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch, SemanticText } from '#kernel/search/semantic/semantic-search.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import { chunksOf } from '../../chunks.ts';
import type { Fields } from '../../observations/observation.ts';
import type { SchemaDeps } from '../../schemas/schemas.ts';
import type { TruthDeps } from '../../truth-deps.ts';
import { truthLimits } from '../../truth-limits.ts';
import { findRoots } from '../entity-store.ts';
import { type EntityDocument, entityDocuments, toEntityDocument, toMeaningText } from './entity-collection.ts';
import {
  countQueued,
  deleteAllTexts,
  deleteQueued,
  deleteQueuedUpTo,
  deleteTexts,
  insertQueued,
  listQueued,
  listRootIds,
  saveTexts,
} from './entity-search-store.ts';
import { loadIndexedEntities } from './load-indexed-entities.ts';

/** An entity about which a write states something, or whose state it changes. */
export interface ChangedEntity {
  readonly entityId: string;
  /** The values of each new observation, whether a schema accepts them or not. */
  readonly stated: readonly Fields[];
}

/** Updates the index in the transaction of the change. One call per write, after its observations and states. */
export interface EntityIndexing {
  put(db: Writer, changed: readonly ChangedEntity[]): Work<void>;
  /** Indexes these entities again from all that is stored about them. */
  reindex(db: Writer, entityIds: readonly string[]): Work<void>;
}

/** For parts that write observations. Without it nothing is indexed, as in tests of other parts. */
export interface EntityIndexingDeps {
  readonly entityDocuments?: EntityIndexing | undefined;
}

export interface EntityDocumentsDeps extends Pick<TruthDeps, 'storage' | 'clock' | 'ids'>, SchemaDeps {
  readonly search: Pick<SearchIndex, 'put' | 'remove' | 'provide' | 'rebuild' | 'maintain'>;
  readonly meaning: Pick<SemanticSearch, 'note' | 'forget' | 'provide'>;
}

const idsOf = (changed: readonly ChangedEntity[]): readonly string[] => [
  ...new Set(changed.map(({ entityId }) => entityId)),
];

async function listIds(storage: Storage, call: Call, after: string, limit: number): Promise<readonly string[]> {
  return (await storage.read(call, (db) => listRootIds(db, after, limit))).map(({ entity_id }) => entity_id);
}

export type EntityDocuments = ReturnType<typeof createEntityDocuments>;

export function createEntityDocuments(deps: EntityDocumentsDeps) {
  const { storage, clock, ids, search, meaning } = deps;
  const { indexedEntitiesCount } = truthLimits;

  function* index(
    db: Writer,
    rootIds: readonly string[],
    changed: readonly ChangedEntity[],
    rootOf: Map<string, string>,
  ) {
    const stated = new Map<string, readonly Fields[]>();
    for (const { entityId, stated: fields } of changed) {
      const root = rootOf.get(entityId) ?? entityId;
      stated.set(root, [...fields, ...(stated.get(root) ?? [])]);
    }
    const { entities, texts } = yield* loadIndexedEntities(db, deps, rootIds, stated);
    if (texts.length > 0) yield* saveTexts(db, texts);
    yield* meaning.note(db, entityDocuments, ...rootIds);
    // Last: on PostgreSQL other writers wait from here to the commit.
    yield* search.put(db, entityDocuments, ...entities.map(toEntityDocument));
  }

  function* put(db: Writer, changed: readonly ChangedEntity[]): Work<void> {
    if (changed.length === 0) return;
    const roots = yield* findRoots(db, idsOf(changed));
    const rootOf = new Map(roots.map(({ entity_id, root_id }) => [entity_id, root_id]));
    yield* index(db, [...new Set(rootOf.values())], changed, rootOf);
  }

  /** Those that are merged into others have no document. */
  function* reindex(db: Writer, entityIds: readonly string[]): Work<void> {
    if (entityIds.length === 0) return;
    const roots = yield* findRoots(db, entityIds);
    const rootIds = [...new Set(roots.map(({ root_id }) => root_id))];
    const merged = roots.filter(({ entity_id, root_id }) => entity_id !== root_id).map(({ entity_id }) => entity_id);
    yield* deleteTexts(db, [...new Set([...entityIds, ...rootIds])]);
    yield* meaning.forget(db, entityDocuments, ...merged);
    yield* index(db, rootIds, [], new Map());
    yield* search.remove(db, entityDocuments, ...merged);
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

  /** Returns false when the queue is empty. */
  async function indexSome(tenant: TenantId, signal: AbortSignal): Promise<boolean> {
    const queued = await storage.read(toCall(tenant, signal), (db) => listQueued(db, truthLimits.queueRowsCount));
    for (const { ticket, ids: text } of queued) {
      const chunks = chunksOf(JSON.parse(text) as readonly string[], indexedEntitiesCount);
      for (const [i, some] of chunks.entries()) {
        signal.throwIfAborted();
        await storage.write(toCall(tenant, signal), function* (db) {
          // Also collects the values of entities with many observations again.
          yield* reindex(db, some);
          if (i === chunks.length - 1) yield* deleteQueued(db, [ticket]);
        });
      }
    }
    return queued.length > 0;
  }

  const countWaiting = (call: Call) =>
    storage.read(call, function* (db) {
      const row = yield* countQueued(db);
      return { count: Number(row?.n ?? 0), last: row?.last ?? '' };
    });

  async function rebuild(call: Call): Promise<void> {
    const { last } = await countWaiting(call);
    await storage.write({ ...call, audit: 'none' }, function* (db) {
      yield* deleteAllTexts(db);
    });
    await search.rebuild(call, entityDocuments);
    await storage.write({ ...call, audit: 'none' }, function* (db) {
      yield* deleteQueuedUpTo(db, last);
    });
  }

  /** Entities that a bulk write queued. After a large import the whole index is built again, which is faster. */
  async function indexQueued(tenant: TenantId, signal: AbortSignal): Promise<void> {
    const { count } = await countWaiting(toCall(tenant, signal));
    if (count > truthLimits.rebuiltEntitiesCount) {
      await rebuild({ ...toCall(tenant, signal), deadlineAt: Number.POSITIVE_INFINITY });
    }
    while (await indexSome(tenant, signal)) signal.throwIfAborted();
  }

  return {
    put,
    reindex,
    /** For bulk writes: the entities are indexed soon after. */
    later: {
      *put(db: Writer, changed: readonly ChangedEntity[]): Work<void> {
        if (changed.length > 0) yield* insertQueued(db, ids.uuid(), idsOf(changed));
      },
      *reindex(db: Writer, entityIds: readonly string[]): Work<void> {
        if (entityIds.length > 0) yield* insertQueued(db, ids.uuid(), entityIds);
      },
    } satisfies EntityIndexing,
    countWaiting: async (call: Call) => (await countWaiting(call)).count,
    indexQueued,
    /** Also builds an index that is missing or outdated. */
    async maintain(tenant: TenantId, signal: AbortSignal) {
      await search.maintain(tenant, entityDocuments);
      await indexQueued(tenant, signal);
    },
    /** Derives everything again. */
    rebuild,
  };
}
