import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from '#kernel/access/access.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { credentialOf } from './authenticate.ts';

/** Rechecks the credential of an open stream regularly: it can be revoked after the stream was opened. */
export interface CredentialWatch {
  add(req: IncomingMessage, res: ServerResponse): void;
  close(): void;
}

export const noCredentialWatch: CredentialWatch = { add() {}, close() {} };

export function createCredentialWatch(access: Access, checkMs: number): CredentialWatch {
  const streams = new Map<string, Set<ServerResponse>>();
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;

  /** Only an invalid credential ends a stream; a store that is briefly unavailable does not. */
  async function check(bearer: string, open: ReadonlySet<ServerResponse>): Promise<void> {
    const answer = await access.verify(bearer);
    if (answer instanceof Fault && answer.kind.http < 500) for (const res of open) res.destroy();
  }

  async function checkAll(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    await Promise.allSettled([...streams].map(([bearer, open]) => check(bearer, open)));
    isChecking = false;
  }

  function forget(bearer: string, res: ServerResponse): void {
    const open = streams.get(bearer);
    open?.delete(res);
    if (open?.size === 0) streams.delete(bearer);
    if (streams.size === 0) close();
  }

  function close(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    close,
    add(req, res) {
      const bearer = credentialOf(req);
      if (bearer === undefined) return;
      const open = streams.get(bearer) ?? new Set();
      streams.set(bearer, open.add(res));
      res.once('close', () => forget(bearer, res));
      timer ??= setInterval(() => void checkAll(), checkMs).unref();
    },
  };
}
