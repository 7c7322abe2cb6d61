import { toScopes } from '#kernel/access/tenants-and-scopes.ts';
import type { Call, Caller } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { Features } from '#kernel/features/features.ts';
import { fitPage } from '#kernel/text/budget.ts';
import { type Card, isCommandOnly } from '#kernel/tool/card.ts';
import { findAccessFault, type Permits } from '#kernel/tool/gate.ts';
import type { ToolMeter } from '#kernel/tool/meter.ts';
import { type AuditTrailDeps, createAuditTrail } from './audit-trail.ts';
import { createKeyAdministration, type KeyAdministrationDeps } from './key-administration.ts';
import { createOperations, type OperationsDeps } from './operations.ts';
import { createOverview, type OverviewDeps } from './overview.ts';
import { describeRegistry } from './rules/describe-registry.ts';
import { createToolFinder } from './rules/find-cards.ts';
import { credentialOf, nameActors } from './rules/name-actors.ts';
import { expectOperator, isOperator } from './rules/operator.ts';

export interface SystemDeps extends AuditTrailDeps, KeyAdministrationDeps, OperationsDeps, OverviewDeps {
  readonly version: string;
  /** Those that MCP and HTTP offer. */
  readonly cards: readonly Card[];
  /** Those of the command line alone: `tools_find` names them. */
  readonly commandCards: readonly Card[];
  readonly permits: Permits;
  readonly meter: ToolMeter;
  readonly features: Features;
  /** Parts of the program that a setting turns on. */
  readonly enabled: { readonly auth: boolean; readonly semanticSearch: boolean; readonly analytics: boolean };
  /** Undefined if the embedder is off or failed, has another model, or does not know the language of the text. */
  vectorOf(call: Call, query: { readonly text: string; readonly model: string }): Promise<Float32Array | undefined>;
  /** Why writes fail now; undefined if they work, or if the store was not opened yet. */
  storeProblem(): Promise<string | undefined>;
  readonly demo: () => Promise<Demo>;
}

/** The example company, in a tenant of its own. */
export interface Demo {
  create(call: Call): Promise<{ readonly tenant: string; readonly calls_count: number; readonly sign_in: string }>;
  remove(call: Call): Promise<{ readonly removed: boolean; readonly tenant?: string; readonly rows_count?: number }>;
}

export type System = ReturnType<typeof createSystem>;

export function createSystem(deps: SystemDeps) {
  const {
    version,
    cards,
    commandCards,
    permits,
    meter,
    features,
    enabled,
    access,
    clock,
    storeProblem,
    demo,
    vectorOf,
  } = deps;
  const findTools = createToolFinder([...cards, ...commandCards]);

  function whyDisabled(card: Card, caller: Caller): string | undefined {
    if (isCommandOnly(card)) {
      return `Only on the command line: fourfold ${card.command ?? card.listedName.replaceAll('_', ' ')}`;
    }
    const fault = findAccessFault(card, caller, permits);
    return fault === undefined ? undefined : `${fault.message}. ${fault.kind.fix}`;
  }

  const audit = createAuditTrail(deps);
  return {
    audit,
    overview: createOverview(deps, audit),
    keys: createKeyAdministration(deps),
    operations: createOperations(deps),
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
    async find(query: string, limit: number, call: Call) {
      const { tools, absent } = await findTools(query, {
        limit,
        whyDisabled: (card) => whyDisabled(card, call),
        signal: call.signal,
        toVector: (text, model) => vectorOf(call, { text, model }),
      });
      return { tools: fitPage(tools).items, absent };
    },
    async nameActors(actors: readonly string[], { tenant }: Call) {
      const nameOf = await nameActors(access(), tenant, actors);
      return { names: Object.fromEntries(actors.map((actor) => [actor, nameOf(actor)])) };
    },
    async showCaller({ tenant, actor, scopes }: Call) {
      const nameOf = await nameActors(access(), tenant, [actor]);
      return {
        tenant,
        actor,
        name: nameOf(actor),
        credential: credentialOf(actor).kind,
        scopes: toScopes(scopes),
        isOperator: isOperator({ tenant, actor, scopes }),
        version,
        server: {
          mutation: permits.mutation,
          readOnly: permits.readOnly,
          ...enabled,
          features: features.snapshot().features,
        },
      };
    },
    featureStatus: () => features.snapshot(),
    metrics: () => ({ generatedAt: toIso(clock.now()), methods: meter.snapshot(), features: features.snapshot() }),
    async createDemo(call: Call) {
      expectOperator(call, 'the example company');
      return (await demo()).create(call);
    },
    async removeDemo(call: Call) {
      expectOperator(call, 'the example company');
      return (await demo()).remove(call);
    },
  };
}
