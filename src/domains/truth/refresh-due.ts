import type { TenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { forEachTenant } from '#kernel/jobs/tenants.ts';
import type { Reader, Step, Work, Writer } from '#kernel/storage/port.ts';
import { allOf, deriveMissing } from './derive-missing.ts';
import { type DueRow, findEntities, listDueEntities } from './entities/entity-store.ts';
import { currentState } from './entities/load-entity.ts';
import type { EntityIndexingDeps } from './entities/search/entity-documents.ts';
import { type NewState, setStates } from './observations/observation-store.ts';
import { printState } from './reducer/entity-state.ts';
import { listDueEdges } from './relationships/relationship-store.ts';
import { refreshEdges } from './relationships/repair-edges.ts';
import type { SchemaDeps } from './schemas/schemas.ts';
import type { TruthDeps } from './truth-deps.ts';
import { truthLimits } from './truth-limits.ts';
import { entityTopic } from './truth-vocabulary.ts';

export interface RefreshDeps extends Pick<TruthDeps, 'storage'>, SchemaDeps, EntityIndexingDeps {}

/** Those whose state differs count as changed: a subscriber learns that a fact has begun or ended. */
function* refreshEntities(db: Writer, deps: RefreshDeps, ids: readonly string[]): Work<void> {
  const states: NewState[] = [];
  const changedIds: string[] = [];
  for (const row of yield* findEntities(db, ids)) {
    const { state, schema, nextChangeAt } = yield* currentState(db, deps, row);
    const { entity_id } = row;
    const next = { entity_id, schema_version: schema.version, state: printState(state), next_change_at: nextChangeAt };
    states.push(next);
    if (next.state === row.state) continue;
    changedIds.push(entity_id);
    yield* db.changed(entityTopic, entity_id, 'update', sha256Hex(next.state));
  }
  if (states.length > 0) yield* setStates(db, states);
  if (deps.entityDocuments !== undefined) yield* deps.entityDocuments.reindex(db, changedIds);
}

interface DueItems {
  list(db: Reader, now: number, after: DueRow, limit: number): Step<readonly DueRow[]>;
  refresh(db: Writer, deps: RefreshDeps, ids: readonly string[]): Work<void>;
  /** Per transaction. */
  readonly count: number;
  /** Whether newer versions derive more from its observations. */
  readonly isDerived: boolean;
}

const dueItems: readonly DueItems[] = [
  { list: listDueEntities, refresh: refreshEntities, count: truthLimits.rebuildEntitiesCount, isDerived: true },
  {
    list: listDueEdges,
    refresh: (db, _deps, ids) => refreshEdges(db, ids),
    count: truthLimits.rebuildEdgesCount,
    isDerived: false,
  },
];

/** `next_change_at` of entities that an older version stored. */
const migratedMark = 0;

const idsOf = (due: readonly DueRow[]): readonly string[] => due.map(({ id }) => id);

const first: DueRow = { next_change_at: Number.MIN_SAFE_INTEGER, id: '' };

/**
 * [TR17] Stores the states whose time has come: a statement began or ended, or a migration changed the rules. Reads do
 * not depend on it, because they reduce an outdated state themselves; this saves them the work. After a migration it
 * also derives what the older version did not.
 */
export function createRefresh(deps: RefreshDeps) {
  const { storage } = deps;
  return async function refresh(tenant: TenantId, signal: AbortSignal): Promise<void> {
    const call = () => systemCall('jobs/refresh-truth', { tenant, signal });

    async function refreshPage(items: DueItems, due: readonly DueRow[]): Promise<void> {
      try {
        const migrated = items.isDerived ? due.filter(({ next_change_at }) => next_change_at === migratedMark) : [];
        // Before the refresh, which removes the mark.
        for (let left = allOf(idsOf(migrated)); left.size > 0; ) {
          const unfinished = left;
          left = await storage.write(call(), (db) => deriveMissing(db, deps, unfinished));
        }
        await storage.write(call(), (db) => items.refresh(db, deps, idsOf(due)));
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'INTEGRITY_ERROR') throw error;
        // A damaged item is reported by the background check; the others of the page are updated.
        if (due.length > 1) for (const one of due) await refreshPage(items, [one]);
      }
    }

    for (const items of dueItems) {
      for (let after = first; !signal.aborted; ) {
        const from = after;
        const due = await storage.read(call(), (db) => items.list(db, db.now, from, items.count)[Symbol.iterator]());
        if (due.length === 0) break;
        await refreshPage(items, due);
        after = due.at(-1)!;
      }
    }
  };
}

export const createRefreshJob = (
  refresh: ReturnType<typeof createRefresh>,
  tenants: () => Promise<readonly TenantId[]>,
): PeriodicJob => ({
  name: 'refresh-truth',
  everyMs: truthLimits.refreshEveryMs,
  run: forEachTenant(tenants, refresh),
});
