import type { Access } from '#kernel/access/access.ts';
import type { Call } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { Log } from '#kernel/log/log.ts';
import type { createAuditTrail } from './audit-trail.ts';
import type { RecentCalls } from './recent-calls.ts';
import {
  type AttentionCount,
  type AttentionKind,
  attentionKinds,
  attentionText,
  attentionTexts,
} from './rules/attention.ts';
import { groupChanges } from './rules/group-changes.ts';
import { nameActors } from './rules/name-actors.ts';
import type { OverviewAnswer } from './tools/overview.ts';
import type { UsageHours } from './usage-hours.ts';

const overviewLimits = { changesCount: 200, groupsCount: 30, rulesCount: 10 } as const;

interface ServedSummary {
  readonly servedCount: number;
  readonly most: readonly { readonly id: string; readonly appliesCount: number; readonly lastServedAt: string }[];
  readonly neverCount: number;
  readonly never: readonly string[];
}

/** Each part asks one memory, which may fail without the others. */
export interface OverviewPorts {
  readonly attention: Readonly<Record<AttentionKind, (call: Call) => Promise<AttentionCount>>>;
  servedRules(call: Call): Promise<ServedSummary>;
  ruleTitles(ids: readonly string[], call: Call): Promise<ReadonlyMap<string, string>>;
  readonly usage: Pick<UsageHours, 'list'>;
  readonly recentCalls: Pick<RecentCalls, 'list'>;
}

export interface OverviewDeps {
  readonly overview: OverviewPorts;
  readonly access: () => Access;
  readonly clock: Clock;
  readonly log: Log;
}

interface Unavailable {
  readonly part: string;
  readonly why: string;
}

/** Everything that a person should see first, in one answer. A part that fails is named and left out. */
export function createOverview(
  { overview, access, clock, log }: OverviewDeps,
  audit: Pick<ReturnType<typeof createAuditTrail>, 'newest'>,
) {
  async function attempt<T>(part: string, work: () => Promise<T>, failed: Unavailable[]): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Fault)) log.error({ part, err: error }, 'a part of the overview failed');
      failed.push({ part, why: error instanceof Fault ? error.message : 'an unexpected error, which was logged' });
      return undefined;
    }
  }

  async function findAttention(call: Call, failed: Unavailable[]) {
    const asked = attentionKinds.filter((kind) => attentionTexts[kind].isFor?.(call) ?? true);
    const counts = await Promise.all(asked.map((kind) => attempt(kind, () => overview.attention[kind](call), failed)));
    const found = asked.map((kind, i) => ({ kind, counted: counts[i] }));
    return {
      attention: found.flatMap(({ kind, counted }) => {
        if (counted === undefined || counted.count === 0) return [];
        const { memory, severity, tool } = attentionTexts[kind];
        const { count, isMore = false } = counted;
        return [{ kind, memory, severity, count, isMore, text: attentionText(kind, counted), tool }];
      }),
      clear: found.flatMap(({ kind, counted }) => (counted?.count === 0 ? [kind] : [])),
    };
  }

  async function listServed(call: Call) {
    const { most, never, ...counts } = await overview.servedRules(call);
    const { rulesCount } = overviewLimits;
    const [shownMost, shownNever] = [most.slice(0, rulesCount), never.slice(0, rulesCount)];
    const titles = await overview.ruleTitles([...shownMost.map(({ id }) => id), ...shownNever], call);
    return {
      ...counts,
      most: shownMost.map(({ id, appliesCount, lastServedAt }) => ({ id, count: appliesCount, lastServedAt })),
      never: shownNever,
      titles: Object.fromEntries(titles),
    };
  }

  async function listCalls(call: Call) {
    const calls = overview.recentCalls.list(call.tenant);
    const nameOf = await nameActors(
      access(),
      call.tenant,
      calls.map(({ actor }) => actor),
    );
    return calls.map((line) => ({ ...line, actorName: nameOf(line.actor) }));
  }

  const listChanges = async (call: Call) =>
    groupChanges(await audit.newest(overviewLimits.changesCount, call), overviewLimits.groupsCount);

  return async function show(call: Call): Promise<OverviewAnswer> {
    const failed: Unavailable[] = [];
    const isAdmin = call.scopes.has('admin');
    const [needs, changes, calls, usage, served] = await Promise.all([
      findAttention(call, failed),
      isAdmin ? attempt('changes', () => listChanges(call), failed) : undefined,
      isAdmin ? attempt('calls', () => listCalls(call), failed) : undefined,
      attempt('usage', () => overview.usage.list(call), failed),
      attempt('rules', () => listServed(call), failed),
    ]);
    return {
      generatedAt: toIso(clock.now()),
      ...needs,
      ...(changes !== undefined && { changes }),
      ...(calls !== undefined && { calls }),
      ...(usage !== undefined && { usage }),
      ...(served !== undefined && { rules: served }),
      unavailable: failed,
    };
  };
}
