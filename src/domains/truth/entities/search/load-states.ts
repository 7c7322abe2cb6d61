import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import type { Fields } from '../../observations/observation.ts';
import { toStateView } from '../../reducer/entity-state.ts';
import { truthFaults } from '../../truth-faults.ts';
import { type EntityRow, findEntities } from '../entity-store.ts';
import { currentMoment, type EntitiesDeps, membersOf, stateAt } from '../load-entity.ts';
import { rawFragmentsOf, rawFragmentsOfEach } from '../raw-fragments.ts';
import { currentSnapshots } from './load-indexed-entities.ts';

export interface StateThen {
  readonly row: EntityRow;
  readonly snapshot: Fields;
  readonly schemaVersion: string;
  /** Values that no schema field accepts; undefined if they were not read. */
  readonly raw?: Fields | undefined;
  /** The snapshot, and the raw values if they were read. */
  readonly fields: Fields;
}

/** Undefined for an entity that did not exist then. */
const missing = (error: unknown): undefined => {
  if (error instanceof Fault && error.code === truthFaults.ENTITY_NOT_FOUND.kind.code) return undefined;
  throw error;
};

function* loadRoots(db: Reader, ids: readonly string[]): Work<readonly EntityRow[]> {
  const rows = new Map((yield* findEntities(db, ids)).map((row) => [row.entity_id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []).filter(({ merged_into }) => merged_into === '');
}

/** The states of entities now, or at a moment, in the order of their ids. */
export function createStateLoader(deps: EntitiesDeps) {
  const { storage } = deps;

  /** `names`: fields whose values the caller needs, whether a schema accepts them or not. */
  function* statesNow(db: Reader, ids: readonly string[], names: readonly string[]): Work<readonly StateThen[]> {
    const rows = yield* loadRoots(db, ids);
    const snapshots = yield* currentSnapshots(db, deps, rows);
    const states: StateThen[] = [];
    for (const row of rows) {
      const { snapshot, schemaVersion } = snapshots.get(row.entity_id)!;
      let raw: Fields | undefined;
      if (!names.every((name) => Object.hasOwn(snapshot, name))) {
        const members = yield* membersOf(db, row.entity_id);
        raw = yield* rawFragmentsOf(
          db,
          members,
          yield* deps.schemas.active(db, row.entity_type),
          currentMoment(db, row),
        );
      }
      states.push({ row, snapshot, schemaVersion, raw, fields: { ...raw, ...snapshot } });
    }
    return states;
  }

  function* stateThen(db: Reader, row: EntityRow, at: number): Work<StateThen> {
    const past = yield* stateAt(db, deps, row.entity_id, { at });
    const { snapshot } = toStateView(past.state, past.schema);
    const raw = yield* rawFragmentsOf(db, past.members, past.schema, past.moment);
    return { row, snapshot, schemaVersion: past.schema.version, raw, fields: { ...raw, ...snapshot } };
  }

  return {
    now: (ids: readonly string[], names: readonly string[], call: Call): Promise<readonly StateThen[]> =>
      ids.length === 0 ? Promise.resolve([]) : storage.read(call, (db) => statesNow(db, ids, names)),
    /** Reads the raw values of those that are without them. */
    async withRaw(found: readonly StateThen[], call: Call): Promise<readonly StateThen[]> {
      const rows = found.flatMap(({ raw, row }) => (raw === undefined ? [row] : []));
      if (rows.length === 0) return found;
      const rawOf = await storage.read(call, (db) => rawFragmentsOfEach(db, deps, rows));
      return found.map((state) => {
        const raw = state.raw ?? rawOf.get(state.row.entity_id) ?? {};
        return { ...state, raw, fields: { ...raw, ...state.fields } };
      });
    },
    /** Leaves out those that did not exist then. A transaction each: an entity may have any number of observations. */
    async at(ids: readonly string[], at: number, call: Call): Promise<readonly StateThen[]> {
      const rows = ids.length === 0 ? [] : await storage.read(call, (db) => loadRoots(db, ids));
      const states: StateThen[] = [];
      for (const row of rows) {
        const state = await storage.read(call, (db) => stateThen(db, row, at)).catch(missing);
        if (state !== undefined) states.push(state);
      }
      return states;
    },
  };
}
