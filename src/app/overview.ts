import type { Instructions } from '#domains/instructions/instructions.ts';
import type { Integrations } from '#domains/integrations/integrations.ts';
import type { OperationPorts } from '#domains/system/operations.ts';
import type { OverviewPorts } from '#domains/system/overview.ts';
import type { RecentCalls } from '#domains/system/recent-calls.ts';
import type { UsageHours } from '#domains/system/usage-hours.ts';
import type { Truth } from '#domains/truth/truth.ts';
import type { Call } from '#kernel/call.ts';
import type { Search } from './search.ts';

export interface OverviewParts extends Pick<OperationPorts, 'jobs' | 'scrub'> {
  readonly instructions: () => Promise<Pick<Instructions, 'reads' | 'gates' | 'proposals'>>;
  readonly truth: () => Promise<Pick<Truth, 'contradictions' | 'merges'>>;
  readonly integrations: () => Promise<Pick<Integrations, 'connectors'>>;
  readonly search: () => Promise<Pick<Search, 'waiting' | 'semantic'>>;
  readonly usage: UsageHours;
  readonly recentCalls: RecentCalls;
  storeProblem(): Promise<string | undefined>;
}

const attentionLimits = { countedCount: 1_000, countedDuplicatesCount: 50 } as const;

const upTo = (counted: number, limit: number) => ({ count: Math.min(counted, limit), isMore: counted > limit });

/** What each memory has to say on the first page. Every count has an upper limit. */
export function createOverviewPorts(parts: OverviewParts): OverviewPorts {
  const { instructions, truth, integrations, search, usage } = parts;
  const { countedCount, countedDuplicatesCount } = attentionLimits;
  const due = async (call: Call) => (await instructions()).reads.due(call);
  return {
    usage,
    recentCalls: parts.recentCalls,
    servedRules: async (call) => (await instructions()).reads.served(call),
    ruleTitles: async (ids, call) => (await instructions()).reads.titles(ids, call),
    attention: {
      async store() {
        const reason = await parts.storeProblem();
        return { count: reason === undefined ? 0 : 1, reason };
      },
      damage: async () => ({ count: parts.scrub().damagedCount }),
      jobs: async () => ({ count: parts.jobs().filter(({ error }) => error !== undefined).length }),
      files: async (call) => ({ count: (await due(call)).problemsCount }),
      reviews: async (call) => ({ count: (await due(call)).overdueCount }),
      async gates(call) {
        const { summary } = await (await instructions()).gates.evaluate(call);
        return { count: summary.errors + summary.warnings };
      },
      proposals: async (call) =>
        upTo(await (await instructions()).proposals.countPending(countedCount + 1, call), countedCount),
      contradictions: async (call) =>
        upTo(await (await truth()).contradictions.countOpen(countedCount + 1, call), countedCount),
      async duplicates(call) {
        const { duplicates, next_cursor } = await (await truth()).merges.duplicates(
          { limit: countedDuplicatesCount },
          call,
        );
        return { count: duplicates.length, isMore: next_cursor !== undefined };
      },
      async connectors(call) {
        const found = await (await integrations()).connectors.list(call);
        // A cancelled run needs no attention.
        const isBroken = ({ last_run: run }: (typeof found)[number]) =>
          run?.status === 'failed' && run.error?.code !== 'CANCELLED';
        return { count: found.filter(isBroken).length };
      },
      embedding: async (call) => (await search()).waiting(call),
    },
  };
}
