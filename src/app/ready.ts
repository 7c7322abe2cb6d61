import { localTenant } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';

export interface Readiness {
  readonly ok: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/** Whether the store answers. Says nothing about paths or addresses: anybody may ask. */
export async function checkReady(storage: Storage): Promise<Readiness> {
  try {
    await storage.version(localTenant, undefined);
    return { ok: true, checks: { store: 'ok' } };
  } catch {
    return { ok: false, checks: { store: 'not available' } };
  }
}
