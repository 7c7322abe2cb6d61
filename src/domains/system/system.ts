import type { Audit, AuditFilter, AuditReport } from '#kernel/audit/audit.ts';
import type { AuditRow } from '#kernel/audit/chain.ts';
import type { Call, Caller } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { FeatureSnapshot, Features } from '#kernel/features/features.ts';
import { fitPage } from '#kernel/text/budget.ts';
import type { Card } from '#kernel/tool/card.ts';
import { findAccessFault, type Permits } from '#kernel/tool/gate.ts';
import type { MethodStats, ToolMeter } from '#kernel/tool/meter.ts';
import { describeRegistry, type RegistryDescription } from './rules/describe-registry.ts';
import { type CardMatch, findCards } from './rules/find-cards.ts';

export interface SystemDeps {
  readonly version: string;
  readonly cards: readonly Card[];
  readonly permits: Permits;
  readonly meter: ToolMeter;
  readonly features: Features;
  /** Created at first use: health/check must work even if the data folder cannot be used. */
  readonly audit: () => Audit;
  readonly cursors: () => Cursors;
  readonly clock: Clock;
  /** Why writes fail now; undefined if they work, or if the store was not opened yet. */
  storeProblem(): Promise<string | undefined>;
}

export interface AuditPage {
  readonly rows: readonly (Omit<AuditRow, 'tenant' | 'at'> & { readonly at: string })[];
  readonly nextCursor?: string;
}

export interface MetricsSnapshot {
  readonly generatedAt: string;
  readonly methods: readonly MethodStats[];
  readonly features: FeatureSnapshot;
}

interface Health {
  readonly status: 'ok' | 'degraded';
  readonly timestamp: string;
  readonly version: string;
  readonly reasons?: readonly string[];
}

export interface System {
  health(): Promise<Health>;
  describe(): RegistryDescription;
  find(query: string, limit: number, caller: Caller): readonly CardMatch[];
  featureStatus(): FeatureSnapshot;
  metrics(): MetricsSnapshot;
  listAudit(filter: Omit<AuditFilter, 'beforeSeq'> & { cursor?: string | undefined }, call: Call): Promise<AuditPage>;
  verifyAudit(call: Call): Promise<AuditReport>;
}

const auditListTool = 'audit/list';

/** The cursor contains the number of the last row shown. */
function toSeq(state: unknown): number {
  if (typeof state !== 'number')
    throw faults.INVALID_PARAMS({ why: 'the cursor is from another version; start again without it' });
  return state;
}

export function createSystem(deps: SystemDeps): System {
  const { version, cards, permits, meter, features, audit, cursors, clock, storeProblem } = deps;
  const isEnabledFor = (caller: Caller) => (card: Card) => findAccessFault(card, caller, permits) === undefined;

  return {
    async health() {
      const problem = await storeProblem();
      const about = { timestamp: toIso(clock.now()), version };
      if (problem === undefined) return { status: 'ok', ...about };
      return { status: 'degraded', ...about, reasons: [`The store does not accept writes: ${problem}`] };
    },
    describe: () =>
      describeRegistry(cards, {
        generatedAt: toIso(clock.now()),
        mutation: permits.mutation,
        readOnly: permits.readOnly,
      }),
    find: (query, limit, caller) => fitPage(findCards(cards.filter(isEnabledFor(caller)), query, limit)).items,
    featureStatus: () => features.snapshot(),
    metrics: () => ({ generatedAt: toIso(clock.now()), methods: meter.snapshot(), features: features.snapshot() }),
    async listAudit({ cursor, limit, ...filter }, call) {
      const beforeSeq = cursor === undefined ? undefined : toSeq(cursors().open(auditListTool, call.tenant, cursor));
      const found = await audit().list(call, { ...filter, beforeSeq, limit: limit + 1 });
      const shown = found.slice(0, limit).map(({ tenant: _tenant, at, ...row }) => ({ ...row, at: toIso(at) }));
      const { items: rows } = fitPage(shown);
      const last = rows.at(-1);
      if (rows.length === found.length || last === undefined) return { rows };
      return { rows, nextCursor: cursors().seal(auditListTool, call.tenant, last.seq) };
    },
    verifyAudit: async (call) => audit().verify(call),
  };
}
