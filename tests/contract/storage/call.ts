import { randomUUID } from 'node:crypto';
import { type Call, type TenantId, toTenantId } from '#kernel/call.ts';

/** Tests of one store share it and never meet: each works in a tenant of its own. */
export const newTenant = (): TenantId => toTenantId(`tenant-${randomUUID()}`);

export const createCall = (tenant: TenantId, part: Partial<Call> = {}): Call => ({
  tenant,
  actor: 'tester',
  scopes: new Set(['read', 'write']),
  tool: 'contract/test',
  audit: 'row',
  signal: new AbortController().signal,
  deadlineAt: Date.now() + 30_000,
  progress() {},
  ...part,
});
