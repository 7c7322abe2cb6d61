import type { Audit, AuditFilter, AuditReport } from '#kernel/audit/audit.ts';
import type { Call, Caller, TenantId } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Features } from '#kernel/features/features.ts';
import { fitPage } from '#kernel/text/budget.ts';
import type { Card } from '#kernel/tool/card.ts';
import { findAccessFault, type Permits } from '#kernel/tool/gate.ts';
import type { ToolMeter } from '#kernel/tool/meter.ts';
import { describeRegistry } from './rules/describe-registry.ts';
import { findCards } from './rules/find-cards.ts';

export interface SystemDeps {
  readonly version: string;
  readonly cards: readonly Card[];
  readonly permits: Permits;
  readonly meter: ToolMeter;
  readonly features: Features;
  /** Created at first use: health/check must work even if the data folder cannot be used. */
  readonly audit: () => Audit;
  /** All tenants of the store. */
  readonly tenants: () => Promise<readonly TenantId[]>;
  readonly cursors: () => Cursors;
  readonly clock: Clock;
  /** Why writes fail now; undefined if they work, or if the store was not opened yet. */
  storeProblem(): Promise<string | undefined>;
}

type AuditInput = Omit<AuditFilter, 'beforeSeq'> & { readonly cursor?: string | undefined };

type ShownAuditReport = Omit<AuditReport, 'withoutCheckpointSince'> & { readonly withoutCheckpointSince?: string };

export type System = ReturnType<typeof createSystem>;

const auditListTool = 'audit/list';

/** The cursor contains the number of the last row shown. */
function toSeq(state: unknown): number {
  if (typeof state !== 'number')
    throw faults.INVALID_PARAMS({ why: 'the cursor is from another version; start again without it' });
  return state;
}

export function createSystem(deps: SystemDeps) {
  const { version, cards, permits, meter, features, audit, tenants, cursors, clock, storeProblem } = deps;
  const isEnabledFor = (caller: Caller) => (card: Card) => findAccessFault(card, caller, permits) === undefined;

  async function verifyAudit(call: Call): Promise<ShownAuditReport> {
    const { withoutCheckpointSince: since, ...report } = await audit().verify(call);
    return { ...report, ...(since !== undefined && { withoutCheckpointSince: toIso(since) }) };
  }

  return {
    async health() {
      const problem = await storeProblem();
      const about = { timestamp: toIso(clock.now()), version };
      if (problem === undefined) return { status: 'ok' as const, ...about };
      return { status: 'degraded' as const, ...about, reasons: [`The store does not accept writes: ${problem}`] };
    },
    describe: () =>
      describeRegistry(cards, {
        generatedAt: toIso(clock.now()),
        mutation: permits.mutation,
        readOnly: permits.readOnly,
      }),
    find: (query: string, limit: number, caller: Caller) =>
      fitPage(findCards(cards.filter(isEnabledFor(caller)), query, limit)).items,
    featureStatus: () => features.snapshot(),
    metrics: () => ({ generatedAt: toIso(clock.now()), methods: meter.snapshot(), features: features.snapshot() }),
    async listAudit({ cursor, limit, ...filter }: AuditInput, call: Call) {
      const beforeSeq = cursor === undefined ? undefined : toSeq(cursors().open(auditListTool, call.tenant, cursor));
      const found = await audit().list(call, { ...filter, beforeSeq, limit: limit + 1 });
      const shown = found.slice(0, limit).map(({ tenant: _tenant, at, ...row }) => ({ ...row, at: toIso(at) }));
      const { items: rows } = fitPage(shown);
      const last = rows.at(-1);
      if (rows.length === found.length || last === undefined) return { rows };
      return { rows, nextCursor: cursors().seal(auditListTool, call.tenant, last.seq) };
    },
    verifyAudit,
    async verifyAllAudits(call: Call) {
      const reports = [];
      for (const tenant of await tenants()) reports.push({ tenant, ...(await verifyAudit({ ...call, tenant })) });
      return { ok: reports.every(({ ok }) => ok), tenants: reports };
    },
  };
}
