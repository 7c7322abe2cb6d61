import { randomUUID } from 'node:crypto';
import { type Call, type TenantId, toTenantId } from '#kernel/call.ts';

/** Tests share a store, and each has its own tenant. */
export const newTenant = (): TenantId => toTenantId(`tenant-${randomUUID()}`);

export const createCall = (tenant: TenantId, part: Partial<Call> = {}): Call => ({
  tenant,
  actor: 'tester',
  scopes: new Set(['read', 'write']),
  tool: 'contract/test',
  audit: 'row',
  signal: new AbortController().signal,
  deadlineAt: Date.now() + 300_000,
  progress() {},
  ...part,
});
