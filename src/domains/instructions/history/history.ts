import type { Call } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { parseArchived } from '../catalog/entry-json.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { checkGovernance } from '../rules/check-write.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import { findCycle } from '../rules/entry-graph.ts';
import { bumpVersion } from '../rules/version.ts';
import type { CompareAnswer, CompareInput } from '../tools/instructions-compare.ts';
import type { HistoryAnswer, HistoryInput, ShownVersion } from '../tools/instructions-history.ts';
import type { RollbackAnswer, RollbackInput } from '../tools/instructions-rollback.ts';
import { type Idempotency, withStepKey } from '../writes/idempotency.ts';
import { assertReadBack, cycleFault, rejectionFault } from '../writes/prepare-entry.ts';
import type { Mutation } from '../writes/writes-deps.ts';
import { compareEntries } from './compare-entries.ts';
import { countVersions, findVersion, listVersions, type VersionRow } from './version-store.ts';

export interface HistoryDeps {
  readonly storage: Pick<Storage, 'read'>;
  readonly catalog: Catalog;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
  readonly canonicalOff: boolean;
  onMutation?(call: Call, mutation: Mutation): void;
}

const step = 'rolled-back';

const unknownVersion = (id: string, number: number) =>
  faults.NOT_FOUND({ what: `version ${number} of ${id}; instructions/history lists the versions` }, { id, number });

export type History = ReturnType<typeof createHistory>;

export function createHistory(deps: HistoryDeps) {
  const { storage, catalog, idempotency, canonicalOff, clock } = deps;

  const parse = ({ id, document, at }: VersionRow): InstructionEntry | undefined =>
    document === null ? undefined : parseArchived(document, id, at, canonicalOff);

  function show(row: VersionRow): ShownVersion {
    const entry = parse(row);
    return {
      number: row.number,
      what: row.what,
      at: toIso(row.at),
      ...(row.author !== '' && { by: row.author }),
      ...(row.tool !== '' && { tool: row.tool }),
      ...(row.reason !== null && { reason: row.reason }),
      ...(row.approved_by !== null && { approvedBy: row.approved_by }),
      ...(row.proposal_id !== null && { proposal_id: row.proposal_id }),
      ...(entry !== undefined && {
        title: entry.title,
        version: entry.version,
        status: entry.status,
        sourceHash: entry.sourceHash,
      }),
    };
  }

  async function list({ id, limit, before }: HistoryInput, call: Call): Promise<HistoryAnswer> {
    const { rows, count } = await storage.read(call, function* (db) {
      const found = yield* listVersions(db, id, before ?? Number.MAX_SAFE_INTEGER, limit);
      return { rows: found, count: (yield* countVersions(db, id))?.count ?? 0 };
    });
    const last = rows.at(-1)?.number ?? 1;
    const isThere = (await catalog.lookUp(call, id)).found !== undefined;
    return {
      id,
      count,
      versions: rows.map(show),
      ...(last > 1 && { nextBefore: last }),
      ...(count === 0 && {
        hint: isThere ? 'Nothing has changed since versions are recorded.' : 'No instruction has or had this id.',
      }),
    };
  }

  async function load(id: string, number: number, call: Call): Promise<VersionRow> {
    const row = await storage.read(call, (db) => findVersion(db, id, number));
    if (row === undefined) throw unknownVersion(id, number);
    return row;
  }

  /** Without `to`, the present. */
  async function compare({ id, from, to }: CompareInput, call: Call): Promise<CompareAnswer> {
    const before = await load(id, from, call);
    const after = to === undefined ? undefined : await load(id, to, call);
    const [a, b] = [parse(before), after === undefined ? (await catalog.lookUp(call, id)).found?.entry : parse(after)];
    return {
      id,
      from: show(before),
      ...(after !== undefined && { to: show(after) }),
      ...compareEntries(a, b),
    };
  }

  async function restoreVersion({ id, to, reason }: RollbackInput, call: Call): Promise<RollbackAnswer> {
    const row = await load(id, to, call);
    const wanted = parse(row);
    if (wanted === undefined) {
      const why = row.document === null ? 'the instruction was deleted in that version' : 'that version cannot be read';
      throw faults.VALIDATION_ERROR({ why: `${why}; choose another one from instructions/history` }, { id, to });
    }
    const { found } = await catalog.lookUp(call, id);
    const present = found?.entry;
    const now = toIso(clock.now());
    const version = present === undefined ? wanted.version : bumpVersion(present.version, 'patch');
    const summary = `rolled back to version ${to}${reason === undefined ? '' : `: ${reason}`}`;
    const changeLog = [...(present ?? wanted).changeLog, { version, changedAt: now, summary }];
    const { createdAt } = present ?? wanted;
    const draft = { ...wanted, version, changeLog, createdAt, updatedAt: now };
    const entry = completeEntry(draft, { now, canonicalOff, isTrusted: true });
    const rejection = checkGovernance(entry);
    if (rejection !== undefined) throw rejectionFault(rejection);
    const state = await catalog.state(call);
    const cycle = findCycle(entry, (other) => state.find(other)?.entry);
    if (cycle !== undefined) throw cycleFault(cycle);
    const keyed = withStepKey(call, step);
    const after = await catalog.commit(keyed, [{ id, before: found?.etag ?? null, after: entry }]);
    assertReadBack(after, entry);
    deps.onMutation?.(call, { action: 'rollback', ids: [id] });
    return { id, rolledBackTo: to, version, sourceHash: entry.sourceHash, hash: after.hash };
  }

  return {
    list,
    compare,
    rollback: (input: RollbackInput, call: Call): Promise<RollbackAnswer> =>
      idempotency.answerOnce(call, () => restoreVersion(input, call)),
  };
}
