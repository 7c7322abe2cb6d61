import type { Audit } from '#kernel/audit/audit.ts';
import type { Checkpoints } from '#kernel/audit/checkpoints.ts';
import type { Call, TenantId } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { type DoctorCheck, fail, ok } from './doctor-check.ts';
import { verifyTail } from './verify-tail.ts';

const auditCheckLimits = { wholeRowsCount: 20_000, tailRowsCount: 5_000 } as const;

export interface AuditQuestion {
  readonly storage: Storage;
  readonly audit: Audit;
  readonly checkpoints: Checkpoints;
  readonly key: Uint8Array;
  readonly tenants: readonly TenantId[];
  readonly isThorough: boolean;
  callFor(tenant: TenantId): Call;
  /** For tests: from how many rows on only the last are looked at. */
  readonly limits?: { readonly wholeRowsCount: number; readonly tailRowsCount: number };
}

const name = 'audit';
const fix = 'Compare the store with a backup: somebody changed it past this program. fourfold audit verify tells more.';

async function checkTenant(question: AuditQuestion, tenant: TenantId): Promise<DoctorCheck> {
  const { storage, audit, key, checkpoints, isThorough, limits = auditCheckLimits } = question;
  const count = await storage.version(tenant, undefined);
  const call = question.callFor(tenant);
  if (count > limits.wholeRowsCount && !isThorough) {
    const { checked, flaw } = await verifyTail(audit, call, key, checkpoints, limits.tailRowsCount);
    if (flaw !== undefined) return fail(name, `the audit trail of ${tenant} does not hold: ${flaw}`, fix);
    return ok(name, `${tenant}: the last ${checked} of ${count} rows verified`);
  }
  const { issues, checked } = await audit.verify(call);
  const [first] = issues;
  if (first === undefined) return ok(name, `${tenant}: ${checked} of ${count} rows verified`);
  return fail(name, `the audit trail of ${tenant} does not hold: ${first.problem} at row ${first.seq}`, fix);
}

export async function checkAudit(question: AuditQuestion): Promise<readonly DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  for (const tenant of question.tenants) checks.push(await checkTenant(question, tenant));
  return checks;
}
