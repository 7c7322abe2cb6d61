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
import { findRenameTo, listOrigins, type OriginRow } from './origin-store.ts';
import { countVersions, findVersion, findVersionOfChange, listVersions, type VersionRow } from './version-store.ts';

export interface HistoryDeps {
  readonly storage: Pick<Storage, 'read'>;
  readonly catalog: Catalog;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
  readonly canonicalOff: boolean;
  onMutation?(call: Call, mutation: Mutation): void;
}

const step = 'rolled-back';

/** Renames that are followed back. */
const renamesMax = 20;

const unknownVersion = (id: string, number: number, former: string | null | undefined) => {
  const fix = former ? `; ${id} was ${former} before: pass of: "${former}" for its versions` : '';
  return faults.NOT_FOUND(
    { what: `version ${number} of ${id}; instructions/history lists the versions${fix}` },
    {
      id,
      number,
      ...(former && { renamedFrom: former }),
      fix: `instructions/history {"id": "${id}"} lists the versions${fix}.`,
    },
  );
};

export type History = ReturnType<typeof createHistory>;

export function createHistory(deps: HistoryDeps) {
  const { storage, catalog, idempotency, canonicalOff, clock } = deps;

  const parse = ({ id, document, at }: VersionRow): InstructionEntry | undefined =>
    document === null ? undefined : parseArchived(document, id, at, canonicalOff);

  function show(row: VersionRow, origin?: OriginRow): ShownVersion {
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
      ...(origin?.git_author && { gitAuthor: origin.git_author }),
      ...(origin?.renamed_from && { renamedFrom: origin.renamed_from }),
      ...(origin?.renamed_to && { renamedTo: origin.renamed_to }),
      ...(entry !== undefined && {
        title: entry.title,
        version: entry.version,
        status: entry.status,
        sourceHash: entry.sourceHash,
      }),
    };
  }

  async function list({ id, limit, before }: HistoryInput, call: Call): Promise<HistoryAnswer> {
    const { rows, origins, count } = await storage.read(call, function* (db) {
      const found = yield* listVersions(db, id, before ?? Number.MAX_SAFE_INTEGER, limit);
      const numbers = found.map(({ number }) => number);
      return {
        rows: found,
        origins: numbers.length === 0 ? [] : yield* listOrigins(db, id, numbers),
        count: (yield* countVersions(db, id))?.count ?? 0,
      };
    });
    const originOf = new Map(origins.map((origin) => [origin.number, origin]));
    const last = rows.at(-1)?.number ?? 1;
    const isThere = (await catalog.lookUp(call, id)).found !== undefined;
    return {
      id,
      count,
      versions: rows.map((row) => show(row, originOf.get(row.number))),
      ...(last > 1 && { nextBefore: last }),
      ...(count === 0 && {
        hint: isThere ? 'Nothing has changed since versions are recorded.' : 'No instruction has or had this id.',
      }),
    };
  }

  async function load(id: string, number: number, call: Call): Promise<VersionRow> {
    const row = await storage.read(call, (db) => findVersion(db, id, number));
    if (row !== undefined) return row;
    const rename = await storage.read(call, (db) => findRenameTo(db, id));
    throw unknownVersion(id, number, rename?.renamed_from);
  }

  /** The ids that the entry had before, newest first. */
  async function formerIdsOf(id: string, call: Call): Promise<readonly string[]> {
    return storage.read(call, function* (db) {
      const former: string[] = [];
      for (let at: string | null | undefined = id; at && former.length < renamesMax; ) {
        at = (yield* findRenameTo(db, at))?.renamed_from;
        if (at) former.push(at);
      }
      return former;
    });
  }

  async function checkFormerId(id: string, of: string, call: Call): Promise<void> {
    const former = await formerIdsOf(id, call);
    if (of === id || former.includes(of)) return;
    const why = former.length === 0 ? 'it was never renamed' : `its former ids are ${former.join(', ')}`;
    const fix = `Leave out of for the versions of ${id} itself; instructions/history {"id": "${id}"} shows its former ids.`;
    throw faults.VALIDATION_ERROR({ why: `${of} is not a former id of ${id}: ${why}` }, { id, of, fix });
  }

  /** Restoring an entry that lives on under another id would make two of it. */
  async function checkNotRenamed(id: string, to: number, call: Call): Promise<void> {
    const { count } = (await storage.read(call, (db) => countVersions(db, id))) ?? { count: 0 };
    const [newest] = await storage.read(call, (db) => listOrigins(db, id, [count]));
    const now = newest?.renamed_to;
    if (!now || (await catalog.lookUp(call, now)).found === undefined) return;
    throw faults.VALIDATION_ERROR(
      { why: `${id} was renamed to ${now}; roll that back instead, with id: "${now}", of: "${id}", to: ${to}` },
      { id, renamedTo: now },
    );
  }

  /** Without `to`, the present. */
  async function compare({ id, of = id, from, to, texts }: CompareInput, call: Call): Promise<CompareAnswer> {
    if (of !== id) await checkFormerId(id, of, call);
    const before = await load(of, from, call);
    const after = to === undefined ? undefined : await load(id, to, call);
    const [a, b] = [parse(before), after === undefined ? (await catalog.lookUp(call, id)).found?.entry : parse(after)];
    return {
      id,
      ...(of !== id && { of }),
      from: show(before),
      ...(after !== undefined && { to: show(after) }),
      ...compareEntries(a, b),
      ...(texts && { texts: { before: a?.body ?? null, after: b?.body ?? null } }),
    };
  }

  /** What one change did, and the version that it made; undefined if no version of it is kept. */
  async function changeOf(made: Pick<VersionRow, 'id' | 'etag' | 'at'>, call: Call) {
    const [row, before] = await storage.read(call, function* (db) {
      const number = (yield* findVersionOfChange(db, made))?.number ?? 0;
      return [yield* findVersion(db, made.id, number), yield* findVersion(db, made.id, number - 1)] as const;
    });
    return row && { number: row.number, ...compareEntries(before && parse(before), parse(row)) };
  }

  async function restoreVersion({ id, of = id, to, reason }: RollbackInput, call: Call): Promise<RollbackAnswer> {
    await checkFormerId(id, of, call);
    const row = await load(of, to, call);
    const wanted = parse(row);
    if (wanted === undefined) {
      const why = row.document === null ? 'the instruction was deleted in that version' : 'that version cannot be read';
      throw faults.VALIDATION_ERROR({ why: `${why}; choose another one from instructions/history` }, { id, to });
    }
    const { found } = await catalog.lookUp(call, id);
    const present = found?.entry;
    if (present === undefined) await checkNotRenamed(id, to, call);
    const now = toIso(clock.now());
    const version = present === undefined ? wanted.version : bumpVersion(present.version, 'patch');
    const name = of === id ? `version ${to}` : `version ${to} of ${of}`;
    const summary = `rolled back to ${name}${reason === undefined ? '' : `: ${reason}`}`;
    const changeLog = [...(present ?? wanted).changeLog, { version, changedAt: now, summary }];
    const { createdAt } = present ?? wanted;
    const draft = { ...wanted, id, version, changeLog, createdAt, updatedAt: now };
    const entry = completeEntry(draft, { now, canonicalOff });
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
    changeOf,
    rollback: (input: RollbackInput, call: Call): Promise<RollbackAnswer> =>
      idempotency.answerOnce(call, () => restoreVersion(input, call)),
  };
}
