import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import { versionQuery } from '../storage/change-feed.ts';
import type { Reader, Storage } from '../storage/port.ts';
import { sql } from '../storage/sql.ts';
import { type AuditRow, genesisMac, rowMac } from './chain.ts';
import type { Checkpoint, Checkpoints } from './checkpoints.ts';
import { createRedactionCheck, forgettingTopic, isRedacted } from './redact.ts';
import { type AuditFilter, type AuditPage, findRow, searchAudit, selectRows } from './search-audit.ts';

/** `redacted`: a row has lost its content, and no row of a forgetting lists it. */
export const auditProblems = [
  'edited',
  'missing',
  'redacted',
  'head-mismatch',
  'truncated',
  'checkpoint-mismatch',
  'checkpoint-forged',
] as const;

export interface AuditIssue {
  readonly seq: number;
  readonly problem: (typeof auditProblems)[number];
}

export interface AuditReport {
  readonly ok: boolean;
  readonly checked: number;
  readonly headSeq: number;
  readonly checkpointSeq: number;
  /** Rows after the newest checkpoint: if they were cut off now, nothing would reveal it. */
  readonly rowsWithoutCheckpoint: number;
  /** The time of the first of them. */
  readonly withoutCheckpointSince?: number;
  /** The first few. A broken link invalidates every row after it, so only its position is reported. */
  readonly issues: readonly AuditIssue[];
}

export interface Audit {
  /** Newest first. */
  list(call: Call, filter: AuditFilter): Promise<AuditPage>;
  find(call: Call, seq: number): Promise<AuditRow | undefined>;
  verify(call: Call): Promise<AuditReport>;
  /** Saves the current heads of the callers' tenants outside the database. */
  checkpoint(...calls: readonly Call[]): Promise<void>;
}

export interface AuditDeps {
  readonly storage: Storage;
  readonly key: Uint8Array;
  readonly checkpoints: Checkpoints;
  now(): number;
}

interface Head {
  readonly seq: number;
  readonly mac: string;
}

const findHead = (db: Reader) => db.get(sql<Head>`select seq, mac from audit_heads where tenant = ${db.tenant}`);

const pageAfter = (db: Reader, seq: number, upTo: number) =>
  db.all(selectRows(sql`tenant = ${db.tenant} and seq > ${seq} and seq <= ${upTo}`, 'asc', limits.auditPageCount));

const reportedIssuesCount = 20;

/** A tenant may have several checkpoints at one row, of which at most one can be right. */
function groupBySeq(checkpoints: readonly Checkpoint[]): ReadonlyMap<number, readonly string[]> {
  const macs = new Map<number, string[]>();
  for (const { seq, mac } of checkpoints) macs.set(seq, [...(macs.get(seq) ?? []), mac]);
  return macs;
}

export function createAudit({ storage, key, checkpoints, now }: AuditDeps): Audit {
  const readHead = (call: Call) =>
    storage.read(call, function* (db) {
      return (yield* findHead(db)) ?? { seq: 0, mac: genesisMac };
    });

  /** In one snapshot, so that the last row belongs to the head. */
  const readEnd = (call: Call) =>
    storage.read(call, function* (db) {
      const head = (yield* findHead(db)) ?? { seq: 0, mac: genesisMac };
      return { head, newestSeq: (yield* db.get(versionQuery(db.tenant, undefined)))?.seq ?? 0 };
    });

  async function verify(call: Call): Promise<AuditReport> {
    // Read before the head: a checkpoint written in between would be ahead of it.
    const { checkpoints: known, forgedCount } = await checkpoints.listFor(call.tenant);
    const { head, newestSeq } = await readEnd(call);
    const checkpointSeq = known.reduce((newest, { seq }) => Math.max(newest, seq), 0);
    const expectedMacs = groupBySeq(known);
    const issues: AuditIssue[] = forgedCount > 0 ? [{ seq: 0, problem: 'checkpoint-forged' }] : [];
    let seq = 0;
    let mac = genesisMac;
    let isWhole = true;
    const redactions = createRedactionCheck();
    let since: number | undefined;
    while (seq < head.seq && isWhole) {
      call.signal.throwIfAborted();
      const from = seq;
      const rows = await storage.read(call, (db) => pageAfter(db, from, head.seq));
      for (const row of rows) {
        const isNext = row.seq === seq + 1;
        // Its content is gone. The next row proves its mac, and the row of the forgetting proves the rest.
        if (isNext && isRedacted(row)) redactions.note(row);
        else if (!isNext || rowMac(key, mac, row) !== row.mac) {
          issues.push({ seq: isNext ? row.seq : seq + 1, problem: isNext ? 'edited' : 'missing' });
          isWhole = false;
          break;
        }
        if (row.topic === forgettingTopic) redactions.cover(row);
        ({ seq, mac } = row);
        if (seq === checkpointSeq + 1) since = row.at;
        if (expectedMacs.get(seq)?.some((expected) => expected !== mac))
          issues.push({ seq, problem: 'checkpoint-mismatch' });
      }
      if (isWhole && rows.length === 0) {
        issues.push({ seq: seq + 1, problem: 'missing' });
        isWhole = false;
      }
      call.progress(seq, head.seq);
    }
    if (isWhole) for (const uncovered of redactions.uncovered()) issues.push({ seq: uncovered, problem: 'redacted' });
    if (isWhole && (mac !== head.mac || newestSeq > head.seq)) issues.push({ seq: head.seq, problem: 'head-mismatch' });
    if (checkpointSeq > head.seq) issues.push({ seq: head.seq, problem: 'truncated' });
    return {
      ok: issues.length === 0,
      checked: seq,
      headSeq: head.seq,
      checkpointSeq,
      rowsWithoutCheckpoint: Math.max(0, head.seq - checkpointSeq),
      ...(since !== undefined && { withoutCheckpointSince: since }),
      issues: issues.slice(0, reportedIssuesCount),
    };
  }

  return {
    verify,
    list: (call, filter) => storage.read(call, (db) => searchAudit(db, filter)),
    find: (call, seq) => storage.read(call, (db) => findRow(db, seq)),
    async checkpoint(...calls) {
      const heads: Checkpoint[] = [];
      for (const call of calls) heads.push({ tenant: call.tenant, ...(await readHead(call)), at: now() });
      await checkpoints.write(heads);
    },
  };
}
