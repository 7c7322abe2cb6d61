import type { Caller } from '#kernel/call.ts';
import { limits } from '#kernel/limits.ts';
import type { Front } from './front.ts';
import { type McpDeps, type McpOptions, mcpLimits } from './mcp-deps.ts';
import type { Sdk } from './sdk.ts';
import { createSession, type Session } from './session.ts';

export interface Sessions {
  readonly count: number;
  /** Undefined: there is none, or it is another caller's; both look the same from outside. */
  find(id: string, caller: Caller): Session | undefined;
  /** A session that is kept when the `initialize` it serves first goes well. */
  open(sdk: Sdk, caller: Caller): Promise<Session>;
  close(): Promise<void>;
}

const isSameCaller = (a: Caller, b: Caller): boolean => a.tenant === b.tenant && a.actor === b.actor;

/** In memory, bounded, and forgotten when idle. */
export function createSessions(deps: McpDeps, options: McpOptions, front: Front): Sessions {
  const { clock, ids, log } = deps;
  const kept = new Map<string, Session>();
  const sweep = setInterval(expire, mcpLimits.sessionSweepMs).unref();

  const isIdle = (session: Session): boolean =>
    !session.isInUse && clock.now() - session.usedAt > limits.httpSessionIdleMs;

  function drop(id: string): void {
    const session = kept.get(id);
    kept.delete(id);
    if (session !== undefined) log.debug({ count: kept.size }, 'a session ends');
    session?.end().catch((error: unknown) => log.debug({ err: error }, 'a session did not end cleanly'));
  }

  function expire(): void {
    for (const [id, session] of kept) if (isIdle(session)) drop(id);
  }

  /** Who has sessions already loses his own oldest one, not another's. */
  function makeRoom(caller: Caller): void {
    if (kept.size < limits.httpSessionsCount) return;
    const own = [...kept].filter(([, session]) => isSameCaller(session.caller, caller));
    const candidates = own.length > 0 ? own : [...kept];
    const [oldestId] = candidates.reduce((a, b) => (b[1].usedAt < a[1].usedAt ? b : a));
    drop(oldestId);
  }

  return {
    get count() {
      return kept.size;
    },
    find(id, caller) {
      const session = kept.get(id);
      if (session === undefined || !isSameCaller(session.caller, caller)) return undefined;
      if (isIdle(session)) {
        drop(id);
        return undefined;
      }
      session.usedAt = clock.now();
      return session;
    },
    open(sdk, caller) {
      const id = ids.uuid();
      const began = (session: Session) => {
        makeRoom(caller);
        kept.set(id, session);
        log.debug({ actor: caller.actor, count: kept.size }, 'a session begins');
      };
      return createSession({ sdk, deps, options, front, id, began, ended: () => drop(id) }, caller);
    },
    async close() {
      clearInterval(sweep);
      const sessions = [...kept.values()];
      kept.clear();
      await Promise.all(sessions.map((session) => session.end()));
    },
  };
}
