import { existsSync, readFileSync, readlinkSync } from 'node:fs';

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

const isShown = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** `/proc` may hide the processes of other users, and then also the first process of all. */
const isKnownToBeGone = (pid: number): boolean => !isShown(pid) && isShown(1);

/** True only if the named process ran in the same place and has ended. A process id that was used again counts as alive. */
export function hasEnded(name: string): boolean {
  const place = findPlace();
  if (place === undefined || !name.startsWith(`${place}/`)) return false;
  const pid = Number(name.slice(place.length + 1).split('/', 1)[0]);
  return Number.isSafeInteger(pid) && pid > 0 && isKnownToBeGone(pid);
}
