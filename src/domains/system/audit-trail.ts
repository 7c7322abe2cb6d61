import type { Access } from '#kernel/access/access.ts';
import type { Audit, AuditReport } from '#kernel/audit/audit.ts';
import type { AuditRow } from '#kernel/audit/chain.ts';
import type { Call, TenantId } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Log } from '#kernel/log/log.ts';
import { fitPage } from '#kernel/text/budget.ts';
import { nameActors } from './rules/name-actors.ts';
import { placeOf } from './rules/places.ts';
import type { AuditListInput } from './tools/audit-list.ts';
import type { ShownChange } from './tools/audit-show.ts';

export interface AuditTrailDeps {
  /** Created at first use: health/check must work even if the data folder cannot be used. */
  readonly audit: () => Audit;
  readonly access: () => Access;
  readonly cursors: () => Cursors;
  /** All tenants of the store. */
  readonly tenants: () => Promise<readonly TenantId[]>;
  /** What a change replaced, from the memory that keeps earlier states; undefined if none is kept. */
  changeOf(row: AuditRow, call: Call): Promise<ShownChange | undefined>;
  /** Names of items whose ids say nothing to a person; those without a name are missing. */
  nameItems(topic: string, ids: readonly string[], call: Call): Promise<ReadonlyMap<string, string>>;
  readonly log: Log;
}

type ShownAuditReport = Omit<AuditReport, 'withoutCheckpointSince'> & { readonly withoutCheckpointSince?: string };

const listTool = 'audit/list';

const noState =
  'No earlier state is kept for this kind of item. The trail proves who changed it, when, and its new hash.';

/** The cursor contains the number of the last row shown. */
function toSeq(state: unknown): number {
  if (typeof state !== 'number')
    throw faults.INVALID_PARAMS({ why: 'the cursor is from another version; start again without it' });
  return state;
}

const dayChars = '2026-05-01'.length;
const toMs = (time: string | undefined): number | undefined => (time === undefined ? undefined : Date.parse(time));
/** A day is included whole. */
const toEndMs = (time: string | undefined): number | undefined =>
  time?.length === dayChars ? Date.parse(`${time}T23:59:59.999Z`) : toMs(time);

export function createAuditTrail({ audit, access, cursors, tenants, changeOf, nameItems, log }: AuditTrailDeps) {
  /** The trail is shown without names if a memory cannot give them. */
  async function nameAll(found: readonly AuditRow[], call: Call) {
    const names = new Map<string, ReadonlyMap<string, string>>();
    for (const [topic, rows] of Map.groupBy(found, (row) => row.topic)) {
      try {
        names.set(topic, await nameItems(topic, [...new Set(rows.map(({ id }) => id))], call));
      } catch (error) {
        log.debug({ err: error, topic }, 'could not name the items of the audit trail');
      }
    }
    return ({ topic, id }: AuditRow): string | undefined => names.get(topic)?.get(id);
  }

  async function show(found: readonly AuditRow[], call: Call) {
    const actors = found.map(({ actor }) => actor);
    const nameOf = await nameActors(access(), call.tenant, actors);
    const nameOfItem = await nameAll(found, call);
    return found.map((row) => {
      const { tenant: _tenant, at, ...rest } = row;
      const name = nameOfItem(row);
      return {
        ...rest,
        at: toIso(at),
        actorName: nameOf(row.actor),
        memory: placeOf(row.topic),
        ...(name !== undefined && { name }),
      };
    });
  }

  async function verify(call: Call): Promise<ShownAuditReport> {
    const { withoutCheckpointSince: since, ...report } = await audit().verify(call);
    return { ...report, ...(since !== undefined && { withoutCheckpointSince: toIso(since) }) };
  }

  return {
    verify,
    async list({ cursor, from, to, hashes, ...filter }: AuditListInput, call: Call) {
      const beforeSeq = cursor === undefined ? undefined : toSeq(cursors().open(listTool, call.tenant, cursor));
      const page = await audit().list(call, { ...filter, from: toMs(from), to: toEndMs(to), beforeSeq });
      const shown = await show(page.rows, call);
      const { items: rows } = fitPage(hashes ? shown : shown.map(({ hash: _hash, mac: _mac, ...row }) => row));
      const next = rows.length < page.rows.length ? rows.at(-1)?.seq : page.nextBeforeSeq;
      return { rows, ...(next !== undefined && { nextCursor: cursors().seal(listTool, call.tenant, next) }) };
    },
    /** The newest rows, without the size limit of a page. */
    newest: async (limit: number, call: Call) => show((await audit().list(call, { limit })).rows, call),
    async show(seq: number, call: Call) {
      const found = await audit().find(call, seq);
      if (found === undefined) {
        throw faults.NOT_FOUND({ what: `row ${seq} of the audit trail` }, { fix: 'audit/list shows the rows.' });
      }
      const [row] = await show([found], call);
      const change = await changeOf(found, call);
      return { row: row!, ...(change === undefined ? { notKept: noState } : { change }) };
    },
    async verifyAll(call: Call) {
      const reports = [];
      for (const tenant of await tenants()) reports.push({ tenant, ...(await verify({ ...call, tenant })) });
      return { ok: reports.every(({ ok }) => ok), tenants: reports };
    },
  };
}
