import { Fault } from '#kernel/fault/fault.ts';

/** One thing that was looked at. */
export interface DoctorCheck {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do about it; missing when nothing is to be done. */
  readonly fix?: string;
}

export const ok = (name: string, detail: string): DoctorCheck => ({ name, status: 'ok', detail });
export const warn = (name: string, detail: string, fix: string): DoctorCheck => ({ name, status: 'warn', detail, fix });
export const fail = (name: string, detail: string, fix: string): DoctorCheck => ({ name, status: 'fail', detail, fix });

/** An address in a message may carry a name and a password before the host. */
const withoutCredentials = (text: string): string => text.replace(/:\/\/[^\s/@]*@/g, '://***@');

/** Whatever was thrown, as a check that failed. */
export function toFailure(name: string, error: unknown): DoctorCheck {
  if (error instanceof Fault) {
    // Its usual fix is to ask the doctor.
    const fix =
      error.code === 'STORE_UNAVAILABLE'
        ? 'Do what it says; fourfold restore puts a backup in its place.'
        : error.kind.fix;
    return fail(name, withoutCredentials(error.message), fix);
  }
  const told = error instanceof Error ? error.message : String(error);
  return fail(name, withoutCredentials(told), 'Report it with this line; everything else was still looked at.');
}

export type Look = () => Promise<readonly DoctorCheck[]> | readonly DoctorCheck[];

/** Looks, and never throws: the doctor is called when things are broken. */
export async function looking(name: string, look: Look): Promise<readonly DoctorCheck[]> {
  try {
    return await look();
  } catch (error) {
    return [toFailure(name, error)];
  }
}
