import type { Audit } from '#kernel/audit/audit.ts';
import { type AuditRow, genesisMac, rowMac } from '#kernel/audit/chain.ts';
import type { Checkpoint, Checkpoints } from '#kernel/audit/checkpoints.ts';
import type { Call, TenantId } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { limits } from '#kernel/limits.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { type DoctorCheck, fail, ok, warn } from './doctor-check.ts';

interface TailResult {
  readonly checked: number;
  /** The problem and its row; undefined if there is none. */
  readonly flaw: string | undefined;
}

const findFlaw = (key: Uint8Array, row: AuditRow, before: AuditRow): string | undefined => {
  if (before.seq !== row.seq - 1) return `row ${row.seq - 1} is missing`;
  return rowMac(key, before.mac, row) === row.mac ? undefined : `row ${row.seq} was edited`;
};

function findFlawAtStart(key: Uint8Array, row: AuditRow): string | undefined {
  if (row.seq !== 1) return `row ${row.seq - 1} is missing`;
  return rowMac(key, genesisMac, row) === row.mac ? undefined : 'row 1 was edited';
}

function findFlawAtEnd(row: AuditRow | undefined, checkpoint: Checkpoint | undefined): string | undefined {
  if (checkpoint === undefined) return undefined;
  if (row === undefined) return 'every row is gone';
  return checkpoint.seq > row.seq ? `rows after ${row.seq} were cut off` : undefined;
}

/** Verifies only the last rows of a chain, newest first; a full verification of a long chain takes too long. */
async function verifyTail(
  audit: Audit,
  call: Call,
  key: Uint8Array,
  checkpoints: Checkpoints,
  count: number,
): Promise<TailResult> {
  const { checkpoints: known, forgedCount } = await checkpoints.listFor(call.tenant);
  const checkpoint = known.toSorted((a, b) => b.seq - a.seq)[0];
  if (forgedCount > 0) return { checked: 0, flaw: `${forgedCount} checkpoints are forged` };
  let checked = 0;
  let newer: AuditRow | undefined;
  while (checked < count) {
    const { rows } = await audit.list(call, { beforeSeq: newer?.seq, limit: limits.auditPageCount });
    if (newer === undefined) {
      const flaw = findFlawAtEnd(rows[0], checkpoint);
      if (flaw !== undefined) return { checked, flaw };
    }
    for (const row of rows) {
      const isOther = checkpoint?.seq === row.seq && checkpoint.mac !== row.mac;
      const flaw = isOther ? `row ${row.seq} does not match its checkpoint` : newer && findFlaw(key, newer, row);
      if (flaw !== undefined) return { checked, flaw };
      newer = row;
      checked += 1;
    }
    if (rows.length < limits.auditPageCount) return { checked, flaw: newer && findFlawAtStart(key, newer) };
  }
  return { checked, flaw: undefined };
}

const auditCheckLimits = { wholeRowsCount: 20_000, tailRowsCount: 5_000 } as const;

export interface AuditCheckOptions {
  readonly storage: Storage;
  readonly audit: Audit;
  readonly checkpoints: Checkpoints;
  readonly key: Uint8Array;
  readonly tenants: readonly TenantId[];
  readonly isThorough: boolean;
  callFor(tenant: TenantId): Call;
  now(): number;
  /** For tests: longer trails are verified only from their end. */
  readonly limits?: { readonly wholeRowsCount: number; readonly tailRowsCount: number };
}

const name = 'audit';
const fix =
  'Compare the store with a backup: it was changed without this program. fourfold audit verify shows details.';

const lateFix =
  'Checkpoints may have been deleted together with rows, or a process was killed. Compare the store with a backup; the next start of the server writes new checkpoints.';

async function checkTenant(options: AuditCheckOptions, tenant: TenantId): Promise<DoctorCheck> {
  const { storage, audit, key, checkpoints, isThorough, limits: rowLimits = auditCheckLimits } = options;
  const count = await storage.version(tenant, undefined);
  const call = options.callFor(tenant);
  if (count > rowLimits.wholeRowsCount && !isThorough) {
    const { checked, flaw } = await verifyTail(audit, call, key, checkpoints, rowLimits.tailRowsCount);
    if (flaw !== undefined) return fail(name, `the audit trail of ${tenant} is broken: ${flaw}`, fix);
    return ok(name, `${tenant}: the last ${checked} of ${count} rows verified`);
  }
  const { issues, checked, rowsWithoutCheckpoint, withoutCheckpointSince: since } = await audit.verify(call);
  const [first] = issues;
  if (first === undefined && since !== undefined && since < options.now() - limits.checkpointLateMs) {
    const detail = `${tenant}: ${rowsWithoutCheckpoint} of ${count} rows, since ${toIso(since)}, have no checkpoint`;
    return warn(name, detail, lateFix);
  }
  if (first === undefined) return ok(name, `${tenant}: ${checked} of ${count} rows verified`);
  return fail(name, `the audit trail of ${tenant} is broken: ${first.problem} at row ${first.seq}`, fix);
}

export async function checkAudit(options: AuditCheckOptions): Promise<readonly DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  for (const tenant of options.tenants) checks.push(await checkTenant(options, tenant));
  return checks;
}
