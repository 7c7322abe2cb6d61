import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import { newestTrash, putInTrash } from '#kernel/storage/trash.ts';
import { fitPage } from '#kernel/text/budget.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { FeedbackHealth } from '../tools/feedback-health.ts';
import type { FeedbackPage } from '../tools/feedback-list.ts';
import type { FeedbackStats } from '../tools/feedback-stats.ts';
import {
  type FeedbackListInput,
  type FeedbackLookup,
  type FeedbackSubmitInput,
  type FeedbackUpdateInput,
  feedbackBytes,
  feedbackEntry,
  formatBytes,
  toFeedbackEntry,
} from './feedback-entry.ts';
import {
  addToTotals,
  countEntries,
  countGroups,
  deleteEntries,
  deleteTags,
  type FeedbackFilter,
  type FeedbackRow,
  findEntry,
  findTotals,
  insertEntry,
  insertTag,
  listEntries,
  oldestEntries,
  updateEntry,
} from './feedback-store.ts';

const feedbackTopic = 'feedback';

export type Feedback = ReturnType<typeof createFeedback>;

export interface FeedbackDeps {
  readonly storage: Storage;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly log: Log;
  /** FEEDBACK_MAX_ENTRIES, per tenant. */
  readonly maxEntries: number;
  /** The name of FEEDBACK_DIR, the folder to which an export writes `feedback-entries.json`; never an absolute path. */
  readonly feedbackDir: string;
}

const hashOf = (row: FeedbackRow): string => sha256Hex(JSON.stringify(toFeedbackEntry(row)));
const toTime = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

function toContextText(context: FeedbackSubmitInput['context']): string | null {
  if (context === undefined) return null;
  const text = JSON.stringify(context);
  if (Buffer.byteLength(text) > instructionLimits.contextBytes) {
    throw faults.RESOURCE_LIMIT({ what: 'The context', limit: instructionLimits.contextBytes, unit: 'bytes' });
  }
  return text;
}

/** Oldest first. Returns how many entries are left. */
function* rotate(db: Writer, excess: number, actor: string): Work<number> {
  const old = yield* oldestEntries(db, Math.min(excess, instructionLimits.rotateCount));
  const ids = old.map(({ id }) => id);
  for (const row of old) {
    yield* putInTrash(db, feedbackTopic, row.id, JSON.stringify(toFeedbackEntry(row)), actor);
    yield* db.changed(feedbackTopic, row.id, 'delete', hashOf(row));
  }
  yield* deleteTags(db, ids);
  yield* deleteEntries(db, ids);
  const bytes = old.reduce((sum, row) => sum + feedbackBytes(row), 0);
  const totals = yield* addToTotals(db, -old.length, -bytes);
  return old.length === 0 ? 0 : (totals?.entries_count ?? 0);
}

type FeedbackGroup = Pick<FeedbackRow, 'type' | 'severity' | 'status'> & { readonly n: number };

function tally(groups: readonly FeedbackGroup[], by: 'type' | 'severity' | 'status'): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const group of groups) counts[group[by]] = (counts[group[by]] ?? 0) + group.n;
  return counts;
}

/** Feedback of clients for the operators of the server. Older entries than the configured number go to the trash. */
export function createFeedback({ storage, ids, log, maxEntries, feedbackDir }: FeedbackDeps) {
  const toLookup = (id: string, row: FeedbackRow | undefined): FeedbackLookup =>
    row === undefined ? { notFound: true, id } : { entry: toFeedbackEntry(row) };

  function* insert(db: Writer, input: FeedbackSubmitInput, context: string | null, id: string): Work<FeedbackRow> {
    const { type, severity, title, description, tags } = input;
    const row: FeedbackRow = {
      id,
      type,
      severity,
      status: 'new',
      title,
      description,
      context,
      tags: tags === undefined ? null : JSON.stringify(tags),
      admin_notes: null,
      created_at: db.now,
      updated_at: null,
    };
    yield* insertEntry(db, row);
    for (const tag of new Set(tags)) yield* insertTag(db, id, tag);
    yield* db.changed(feedbackTopic, id, 'create', hashOf(row));
    return row;
  }

  /**
   * After the limit was lowered, many entries have to go; each write removes a few, so that other writes get in
   * between.
   */
  async function rotateRest(call: Call, count: number): Promise<void> {
    for (let left = count; left > maxEntries && !call.signal.aborted; ) {
      left = await storage.write(call, (db) => rotate(db, left - maxEntries, call.actor));
    }
  }

  return {
    async submit(
      input: FeedbackSubmitInput,
      call: Call,
    ): Promise<{ feedbackId: string; status: 'submitted'; timestamp: string }> {
      const context = toContextText(input.context);
      const { id, createdAt, count } = await storage.write(call, function* (db) {
        const row = yield* insert(db, input, context, ids.uuid());
        const totals = yield* addToTotals(db, 1, feedbackBytes(row));
        const excess = (totals?.entries_count ?? 0) - maxEntries;
        const left = excess > 0 ? yield* rotate(db, excess, call.actor) : 0;
        return { id: row.id, createdAt: row.created_at, count: left };
      });
      await rotateRest(call, count).catch((error: unknown) => {
        log.warn({ reason: String(error) }, 'could not remove old feedback; the next submission tries again');
      });
      if (input.type === 'security' || input.severity === 'critical') {
        // Logs only ids: the text may contain secrets.
        log.warn(
          { feedbackId: id, type: input.type, severity: input.severity },
          'received security or critical feedback',
        );
      }
      return { feedbackId: id, status: 'submitted', timestamp: toIso(createdAt) };
    },

    async list({ since, until, limit, offset, ...rest }: FeedbackListInput, call: Call): Promise<FeedbackPage> {
      const filter: FeedbackFilter = { ...rest, sinceAt: toTime(since), untilAt: toTime(until) };
      const { rows, total } = await storage.read(call, function* (db) {
        const counted = yield* countEntries(db, filter);
        return { rows: yield* listEntries(db, filter, limit, offset), total: counted?.n ?? 0 };
      });
      const wanted = rows.map(toFeedbackEntry);
      const entries = fitPage(wanted, instructionLimits.pageBytes).items;
      const nextOffset = offset + entries.length;
      const cut = entries.length < wanted.length ? { truncated: true as const, nextOffset } : {};
      return { entries, total, limit, offset, hasMore: nextOffset < total, ...cut };
    },

    async get(id: string, call: Call): Promise<FeedbackLookup> {
      return storage.read(call, function* (db) {
        const row = yield* findEntry(db, id);
        const rotated = row === undefined ? yield* newestTrash(db, feedbackTopic, id) : undefined;
        if (rotated === undefined) return toLookup(id, row);
        return { entry: feedbackEntry.parse(JSON.parse(rotated.document)), rotated: true };
      });
    },

    async update({ id, status, adminNotes }: FeedbackUpdateInput, call: Call): Promise<FeedbackLookup> {
      const row = await storage.write(call, function* (db) {
        const before = yield* findEntry(db, id);
        if (before === undefined) return undefined;
        const after = yield* updateEntry(db, id, status, adminNotes ?? null);
        if (after === undefined) return undefined;
        yield* addToTotals(db, 0, feedbackBytes(after) - feedbackBytes(before));
        yield* db.changed(feedbackTopic, id, 'update', hashOf(after));
        return after;
      });
      return toLookup(id, row);
    },

    async stats(since: string | undefined, call: Call): Promise<FeedbackStats> {
      const filter = { sinceAt: toTime(since) };
      const { groups, recent } = await storage.read(call, function* (db) {
        const found = yield* countGroups(db, filter);
        return { groups: found, recent: yield* listEntries(db, filter, instructionLimits.recentCount, 0) };
      });
      return {
        stats: {
          total: groups.reduce((sum, { n }) => sum + n, 0),
          byType: tally(groups, 'type'),
          bySeverity: tally(groups, 'severity'),
          byStatus: tally(groups, 'status'),
        },
        recentActivity: recent.map(toFeedbackEntry),
      };
    },

    async health(call: Call): Promise<FeedbackHealth> {
      const totals = await storage.read(call, (db) => findTotals(db));
      return {
        status: 'operational',
        storageInfo: {
          totalEntries: totals?.entries_count ?? 0,
          lastUpdated: totals === undefined ? null : toIso(totals.updated_at),
          diskUsage: formatBytes(totals?.bytes ?? 0),
        },
        config: { maxEntries, feedbackDir },
      };
    },
  };
}
