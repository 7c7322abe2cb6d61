export type TenantId = string & { readonly __brand: 'TenantId' };
export const toTenantId = (text: string): TenantId => text as TenantId;
export const localTenant = toTenantId('local');

export type Scope = 'read' | 'write' | 'admin';

/** The authenticated sender. Comes from the verified credential only, never from arguments. */
export interface Caller {
  readonly tenant: TenantId;
  readonly actor: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** One invocation of one tool: everything about it except its arguments. */
export interface Call extends Caller {
  readonly tool: string;
  /** `none`: this tool's writes leave no audit row (counters, caches). */
  readonly audit: 'row' | 'none';
  /**
   * `soon`: writes survive the end of the process immediately, and a power cut after the next flushed write. For data
   * that the program can derive again: leases, derived rows, journal rows of files already on disk.
   */
  readonly durability?: 'soon';
  readonly idempotencyKey?: string;
  /** Hash of tool and arguments; distinguishes a repeated request from another one under the same key. */
  readonly requestHash?: string;
  readonly signal: AbortSignal;
  readonly deadlineAt: number;
  progress(done: number, total?: number, message?: string): void;
}

/**
 * The same call without its idempotency key, for writes that a repeated request decides again. A copy of a call counts its
 * writes from the first, so with the key it would find the answers of the original.
 */
export const withoutKey = ({ idempotencyKey: _key, requestHash: _hash, ...call }: Call): Call => call;

/** The user who starts the process on this machine owns its data folder. */
export const localOwner: Caller = { tenant: localTenant, actor: 'local', scopes: new Set(['admin'] as const) };
