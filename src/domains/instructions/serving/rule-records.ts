import type { Call } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { type ActivityNeeds, dayMs, type RuleActivity, usageSignals } from '../rules/activity-filter.ts';
import { findNewestComments, findRemarks, findSignals, type RemarkRow } from '../usage/remark-store.ts';
import { findSignalTotals, usedSince } from '../usage/usage-store.ts';
import type { Serving } from './serving.ts';
import { findReceivers, findServedRule, findServedRules, findServedSince, type ServedRule } from './serving-store.ts';

export interface RuleComment {
  /** Missing if unknown. */
  readonly by?: string;
  readonly at: string;
  readonly signal?: string;
  readonly comment: string;
}

export interface RuleRemarks {
  /** Open signals by kind. */
  readonly signals: Readonly<Record<string, number>>;
  /** The newest first. */
  readonly comments: readonly RuleComment[];
}

export interface ServedCount {
  readonly appliesCount: number;
  readonly mayApplyCount: number;
  readonly lastServedAt: string;
}

export interface ServedRuleCount extends ServedCount {
  readonly id: string;
  readonly firstServedAt: string;
}

const noRecords: Omit<RuleActivity, 'now'> = { lastActiveAt: () => undefined, openSignalsCount: () => 0 };

export type RuleRecords = ReturnType<typeof createRuleRecords>;

/** A signal is about the body that the agent saw: a new body or a later review closes it. */
const isOpen = ({ at, source_hash }: RemarkRow, { sourceHash, lastReviewedAt }: InstructionEntry): boolean =>
  (source_hash === null || source_hash === sourceHash) &&
  (lastReviewedAt === undefined || Date.parse(lastReviewedAt) <= at);

const toComment = ({ actor, at, signal, comment }: RemarkRow): RuleComment => ({
  ...(actor === '' ? {} : { by: actor }),
  at: toIso(at),
  ...(signal === null ? {} : { signal }),
  comment: comment ?? '',
});

const toCount = (row: Pick<ServedRule, 'applies_count' | 'may_apply_count' | 'last_at'>): ServedCount => ({
  appliesCount: row.applies_count,
  mayApplyCount: row.may_apply_count,
  lastServedAt: toIso(row.last_at),
});

const toRuleCount = (row: ServedRule): ServedRuleCount => ({
  id: row.id,
  ...toCount(row),
  firstServedAt: toIso(row.first_at),
});

function toRemarks(entry: InstructionEntry, rows: readonly RemarkRow[], commentsMax: number): RuleRemarks {
  const signals: Record<string, number> = {};
  for (const row of rows) {
    if (row.signal !== null && isOpen(row, entry)) signals[row.signal] = (signals[row.signal] ?? 0) + 1;
  }
  const comments = rows.filter(({ comment }) => comment !== null).slice(0, commentsMax);
  return { signals, comments: comments.map(toComment) };
}

/** What was recorded about rules besides their counts of uses: who got them, and what agents said about them. */
export function createRuleRecords(deps: {
  readonly storage: Pick<Storage, 'read'>;
  readonly clock: Clock;
  readonly serving: Pick<Serving, 'flush' | 'isOn'>;
}) {
  const { storage, clock, serving } = deps;

  return {
    isServingRecorded: () => serving.isOn(),

    /** Reads only what the filters need. */
    async activity(call: Call, { days, signals }: ActivityNeeds): Promise<RuleActivity> {
      const now = clock.now();
      if (days === undefined && signals.length === 0) return { now, ...noRecords };
      if (days !== undefined) await serving.flush();
      const { active, remarks } = await storage.read(call, function* (db) {
        const since = days === undefined ? undefined : now - days * dayMs;
        return {
          active: since === undefined ? [] : [...(yield* usedSince(db, since)), ...(yield* findServedSince(db, since))],
          remarks: signals.length === 0 ? [] : yield* findSignals(db, signals),
        };
      });
      const lastActiveAt = new Map<string, number>();
      for (const { id, last_at } of active) lastActiveAt.set(id, Math.max(lastActiveAt.get(id) ?? 0, last_at));
      const byRule = Map.groupBy(remarks, ({ id }) => id);
      return {
        now,
        lastActiveAt: (id) => lastActiveAt.get(id),
        openSignalsCount: (entry, signal) =>
          (byRule.get(entry.id) ?? []).filter((row) => row.signal === signal && isOpen(row, entry)).length,
      };
    },

    /** Omits rules without open signals and comments. */
    async remarksOf(
      call: Call,
      entries: readonly InstructionEntry[],
      commentsMax: number = instructionLimits.shownCommentsCount,
    ): Promise<ReadonlyMap<string, RuleRemarks>> {
      if (entries.length === 0) return new Map();
      const ids = entries.map(({ id }) => id);
      const byRule = Map.groupBy(await storage.read(call, (db) => findRemarks(db, ids)), ({ id }) => id);
      return new Map(
        entries.flatMap((entry) => {
          const remarks = toRemarks(entry, byRule.get(entry.id) ?? [], commentsMax);
          const isEmpty = remarks.comments.length === 0 && Object.keys(remarks.signals).length === 0;
          return isEmpty ? [] : [[entry.id, remarks] as const];
        }),
      );
    },

    /** Rules with open signals, those with the most first; and the newest comments. */
    async newestRemarks(call: Call, find: (id: string) => InstructionEntry | undefined) {
      const { signals, comments } = await storage.read(call, function* (db) {
        return {
          signals: yield* findSignals(db, usageSignals),
          comments: yield* findNewestComments(db, instructionLimits.keptRemarksCount),
        };
      });
      const open = [...Map.groupBy(signals, ({ id }) => id)].flatMap(([id, rows]) => {
        const entry = find(id);
        const kinds = entry === undefined ? {} : toRemarks(entry, rows, 0).signals;
        const count = Object.values(kinds).reduce((sum, one) => sum + one, 0);
        return count === 0 ? [] : [{ id, count, signals: kinds }];
      });
      open.sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
      return {
        open: open.slice(0, instructionLimits.reportItemsCount).map(({ id, signals: kinds }) => ({ id, ...kinds })),
        comments: comments.map((row) => ({ id: row.id, ...toComment(row) })),
      };
    },

    /** All signals of a rule, closed ones included. */
    signalTotals: (call: Call, id: string) => storage.read(call, (db) => findSignalTotals(db, id)),

    /** The most served first. */
    async servedRules(call: Call): Promise<readonly ServedRuleCount[]> {
      await serving.flush();
      const rows = await storage.read(call, (db) => findServedRules(db));
      return rows
        .toSorted(
          (a, b) =>
            b.applies_count - a.applies_count || b.may_apply_count - a.may_apply_count || (a.id < b.id ? -1 : 1),
        )
        .map(toRuleCount);
    },

    /** Undefined if it was never served. */
    async servedTo(call: Call, id: string) {
      await serving.flush();
      const { rule, receivers } = await storage.read(call, function* (db) {
        return {
          rule: yield* findServedRule(db, id),
          receivers: yield* findReceivers(db, id, instructionLimits.servedCallersCount),
        };
      });
      if (rule === undefined) return undefined;
      const { id: _id, ...counts } = toRuleCount(rule);
      const to = receivers.map(({ actor, workspace, ...row }) => ({
        actor,
        ...(workspace === '' ? {} : { workspace }),
        ...toCount(row),
      }));
      return { ...counts, to };
    },
  };
}
