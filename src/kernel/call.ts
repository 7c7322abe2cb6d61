export type TenantId = string & { readonly __brand: 'TenantId' };
export const toTenantId = (text: string): TenantId => text as TenantId;
export const localTenant = toTenantId('local');

export type Scope = 'read' | 'write' | 'admin';

/** The authenticated sender. Comes from the verified credential only, never from arguments. */
export interface Caller {
  readonly tenant: TenantId;
  readonly actor: string;
  readonly scopes: ReadonlySet<Scope>;
  /** A person signed in with a browser. */
  readonly isSignedIn?: true;
  /** Asks the client for the folder that it works in. Missing if the client cannot say; undefined if it does not. */
  readonly root?: (() => Promise<string | undefined>) | undefined;
}

/**
 * The commits of one call so far. A call can fail after its write was stored, and its answer must not say that nothing
 * was written. Copies of a call share it.
 */
export interface CallEffect {
  /** True if something was stored, or if a commit is in progress or ended with an unknown outcome. */
  mayBeStored(): boolean;
  commitStarts(): void;
  /** Not called for a commit with an unknown outcome. */
  commitEnds(isStored: boolean): void;
  /** A stored commit was completely undone. */
  commitUndone(): void;
}

/** `outer`: the effect of the call on whose behalf this one is made. */
export function createCallEffect(outer?: CallEffect): CallEffect {
  let inDoubtCount = 0;
  let storedCount = 0;
  return {
    mayBeStored: () => storedCount > 0 || inDoubtCount > 0,
    commitStarts() {
      inDoubtCount += 1;
      outer?.commitStarts();
    },
    commitEnds(isStored) {
      inDoubtCount -= 1;
      if (isStored) storedCount += 1;
      outer?.commitEnds(isStored);
    },
    commitUndone() {
      storedCount -= 1;
      outer?.commitUndone();
    },
  };
}

/** Made by `toAlongside`; only storage looks into it. */
export interface Alongside {
  readonly __brand: 'Alongside';
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
  /**
   * Runs in the transaction of each write of this call that changes something, with the result of that write: for rows
   * that must be stored with it or not at all. A fault that it throws undoes the write.
   */
  readonly alongside?: Alongside | undefined;
  /** Missing in calls that answer to no client, such as those of jobs. */
  readonly effect?: CallEffect | undefined;
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

/** The same call for writes that no reader sees before a later write of the call, and that may stay unfinished. */
export const forStaging = (call: Call): Call => ({ ...withoutKey(call), audit: 'none', effect: undefined });

/** The user who starts the process on this machine owns its data folder. */
export const localOwner: Caller = { tenant: localTenant, actor: 'local', scopes: new Set(['admin'] as const) };
