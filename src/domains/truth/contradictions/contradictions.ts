import type { Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { expectRoot } from '../entities/load-entity.ts';
import { awaitCommits, toMoment } from '../entities/read-snapshot.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import type { AcceptAnswer, AcceptInput, ContradictionsAnswer, ContradictionsInput } from './contradiction-model.ts';
import { countOpen, findContradiction, listGroupsOf, listOpenOfEntities } from './contradiction-store.ts';
import { listContradictions, shownOf, toClosing } from './list-contradictions.ts';
import { closeAll } from './track-contradictions.ts';

export interface ContradictionsDeps extends Pick<TruthDeps, 'storage'>, SchemaDeps {
  readonly clock: Clock;
  readonly cursors: Cursors;
}

const disputedCount = 100;

export type Contradictions = ReturnType<typeof createContradictions>;

export function createContradictions(deps: ContradictionsDeps) {
  const { storage, clock, cursors } = deps;

  /** [TR98] Changes no value; the one that is shown stays. */
  function* accept(db: Writer, { contradiction_id, reason }: AcceptInput, actor: string): Work<AcceptAnswer> {
    const row = yield* findContradiction(db, contradiction_id);
    if (row === undefined) {
      throw faults.NOT_FOUND(
        { what: 'contradiction; list_contradictions shows their ids' },
        { field: 'contradiction_id', fix: 'list_contradictions shows the open contradictions with their ids.' },
      );
    }
    const closing = { closed_by: 'accept' as const, closing_id: null, actor, reason: reason ?? null };
    const isOpen = row.closed_at === null;
    if (isOpen) yield* closeAll(db, [row], closing);
    return {
      contradiction_id,
      accepted: isOpen,
      entity_id: (yield* expectRoot(db, row.entity_id)).root.entity_id,
      field: row.field,
      ...(yield* shownOf(db, deps, row.entity_id, row.field)),
      closing: toClosing(isOpen ? { ...row, ...closing, closed_at: db.now } : row),
    };
  }

  return {
    async list(input: ContradictionsInput, call: Call): Promise<ContradictionsAnswer> {
      const moment = toMoment({ as_known_at: input.as_known_at }, clock.now());
      await awaitCommits(deps, moment, call);
      return storage.read(call, (db) => listContradictions(db, deps, cursors, input, moment.asKnownAt));
    },
    /** Those of the entities about which sources disagree now; of very many contradictions only the newest count. */
    disputed: (entityIds: readonly string[], call: Call): Promise<ReadonlySet<string>> =>
      storage.read(call, function* (db) {
        const members = yield* listGroupsOf(db, entityIds);
        const rootOf = new Map(members.map(({ entity_id, root_id }) => [entity_id, root_id]));
        const open = yield* listOpenOfEntities(db, [...rootOf.keys()], disputedCount);
        return new Set(open.flatMap(({ entity_id }) => rootOf.get(entity_id) ?? []));
      }),
    /** Counts up to `limit`. */
    countOpen: async (limit: number, call: Call): Promise<number> =>
      (await storage.read(call, (db) => countOpen(db, limit)))?.count ?? 0,
    accept: (input: AcceptInput, call: Call): Promise<AcceptAnswer> =>
      storage.write(call, (db) => accept(db, input, call.actor)),
  };
}
