import { Fault } from '#kernel/fault/fault.ts';

export interface DoctorCheck {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly fix?: string;
}

export const ok = (name: string, detail: string): DoctorCheck => ({ name, status: 'ok', detail });
export const warn = (name: string, detail: string, fix: string): DoctorCheck => ({ name, status: 'warn', detail, fix });
export const fail = (name: string, detail: string, fix: string): DoctorCheck => ({ name, status: 'fail', detail, fix });

/** A URL in a message may contain a user name and a password. */
const withoutCredentials = (text: string): string => text.replace(/:\/\/[^\s/@]*@/g, '://***@');

export function toFailure(name: string, error: unknown): DoctorCheck {
  if (error instanceof Fault) {
    // The fix of this fault says to run the doctor.
    const fix =
      error.code === 'STORE_UNAVAILABLE' ? 'Follow the message, or restore a backup with fourfold restore.' : error.fix;
    return fail(name, withoutCredentials(error.message), fix);
  }
  const message = error instanceof Error ? error.message : String(error);
  return fail(name, withoutCredentials(message), 'Report this line as a bug; all other checks still ran.');
}

export type Check = () => Promise<readonly DoctorCheck[]> | readonly DoctorCheck[];

/** Never throws: people run the doctor when something is broken. */
export async function runCheck(name: string, check: Check): Promise<readonly DoctorCheck[]> {
  try {
    return await check();
  } catch (error) {
    return [toFailure(name, error)];
  }
}
