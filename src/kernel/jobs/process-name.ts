import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Where process ids are unique: this start of this machine, in this container. Undefined where the system does not say,
 * as outside Linux.
 */
function findPlace(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** Names this process among all that share a store; ends with `unique`. */
export const nameProcess = (unique: string): string => {
  const place = findPlace();
  return place === undefined ? unique : `${place}/${process.pid}/${unique}`;
};

/** Asks the kernel: `/proc` may hide the processes of other users. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** True only if the named process ran in the same place and has ended. A process id that was used again counts as alive. */
export function hasEnded(name: string): boolean {
  const place = findPlace();
  if (place === undefined || !name.startsWith(`${place}/`)) return false;
  const pid = Number(name.slice(place.length + 1).split('/', 1)[0]);
  return Number.isSafeInteger(pid) && pid > 0 && !isAlive(pid);
}
