import type { Clock } from '../clock/clock.ts';
import type { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { accessLimits } from './access-limits.ts';
import { parseKey } from './api-key.ts';

interface Failures {
  count: number;
  at: number;
}

/** Slows down a client that guesses. A right key is never delayed: only the answer to a wrong one waits. */
export interface WrongKeys {
  /** Waits before a wrong key is answered; returns the fault to answer instead if too many answers wait already. */
  delay(address: string, bearer: string): Promise<Fault | undefined>;
}

const groupsOf = (part: string | undefined): readonly string[] =>
  part === undefined || part === '' ? [] : part.split(':');

/** An attacker owns a whole IPv6 network (its first four groups) as easily as one address of it. */
const networkOf = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head, tail] = plain.split('::').map(groupsOf);
  const zeros = Array<string>(Math.max(0, 8 - (head?.length ?? 0) - (tail?.length ?? 0))).fill('0');
  return [...(head ?? []), ...zeros, ...(tail ?? [])].slice(0, 4).join(':');
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function createWrongKeys(clock: Clock, wait: (ms: number) => Promise<void> = sleep): WrongKeys {
  const { wrongKeysFreeCount, wrongKeyDelayMs, wrongKeyDelayMaxMs, wrongKeysForgetMs } = accessLimits;
  /** The longest unchanged first. */
  const failures = new Map<string, Failures>();
  const waiting = new Map<string, number>();
  let waitingCount = 0;

  function countFailure(name: string, now: number): number {
    const known = failures.get(name);
    const count = known === undefined || now - known.at > wrongKeysForgetMs ? 1 : known.count + 1;
    failures.delete(name);
    if (failures.size >= accessLimits.wrongKeysCount) {
      const [oldest] = failures.keys();
      if (oldest !== undefined) failures.delete(oldest);
    }
    failures.set(name, { count, at: now });
    return count;
  }

  async function hold(network: string, ms: number): Promise<void> {
    waitingCount += 1;
    waiting.set(network, (waiting.get(network) ?? 0) + 1);
    await wait(ms);
    waitingCount -= 1;
    const left = (waiting.get(network) ?? 1) - 1;
    if (left > 0) waiting.set(network, left);
    else waiting.delete(network);
  }

  return {
    async delay(address, bearer) {
      const now = clock.now();
      const network = networkOf(address);
      const key = parseKey(bearer);
      const counts = [
        countFailure(`address ${network}`, now),
        ...(key === undefined ? [] : [countFailure(`key ${key.tenant} ${key.id}`, now)]),
      ];
      const over = Math.max(...counts) - wrongKeysFreeCount;
      if (over <= 0) return undefined;
      const isCrowded =
        waitingCount >= accessLimits.heldAnswersCount ||
        (waiting.get(network) ?? 0) >= accessLimits.heldAnswersPerAddressCount;
      if (isCrowded) {
        const retryAfterS = Math.ceil(wrongKeyDelayMaxMs / 1_000);
        return faults.RATE_LIMIT_EXCEEDED({ retryAfterS }, { retry_after_seconds: retryAfterS });
      }
      await hold(network, Math.min(wrongKeyDelayMaxMs, wrongKeyDelayMs * 2 ** Math.min(over - 1, 10)));
      return undefined;
    },
  };
}
