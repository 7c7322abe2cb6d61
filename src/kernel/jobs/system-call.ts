import { type Call, localTenant, type TenantId } from '../call.ts';

export interface SystemCallOptions {
  readonly tenant?: TenantId;
  readonly signal?: AbortSignal;
  /** How long it may wait for the write lock of another process. */
  readonly deadlineAt?: number;
}

const never = new AbortController().signal;

/** A call that nobody made: the program's own work on the store. It leaves no audit row, because it changes no item. */
export const systemCall = (tool: string, options: SystemCallOptions = {}): Call => ({
  tenant: options.tenant ?? localTenant,
  actor: 'system',
  scopes: new Set(['admin']),
  tool,
  audit: 'none',
  durability: 'soon',
  signal: options.signal ?? never,
  deadlineAt: options.deadlineAt ?? Number.POSITIVE_INFINITY,
  progress() {},
});
