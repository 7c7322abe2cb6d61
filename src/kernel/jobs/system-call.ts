import { type Call, localTenant, type TenantId } from '../call.ts';

export interface SystemCallOptions {
  readonly tenant?: TenantId | undefined;
  /** Default: the program itself. */
  readonly actor?: string | undefined;
  /** `row` if the work changes items. */
  readonly audit?: Call['audit'];
  /** `now` if the work must survive a power cut as soon as it is done. */
  readonly durability?: 'now' | 'soon';
  readonly signal?: AbortSignal | undefined;
  /** The latest end of each trip to the store, including the wait for other processes. */
  readonly deadlineAt?: number;
}

const never = new AbortController().signal;

/** A call that comes from no client: the program's own work, or that of the operator on the command line. */
export function systemCall(tool: string, options: SystemCallOptions = {}): Call {
  const { tenant = localTenant, actor = 'system', audit = 'none', durability = 'soon', signal = never } = options;
  return {
    tenant,
    actor,
    scopes: new Set(['admin']),
    tool,
    audit,
    ...(durability === 'soon' && { durability }),
    signal,
    deadlineAt: options.deadlineAt ?? Number.POSITIVE_INFINITY,
    progress() {},
  };
}
