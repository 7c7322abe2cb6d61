import { randomBytes, randomFillSync } from 'node:crypto';
import type { Clock } from '../clock/clock.ts';

export interface Ids {
  /** UUIDv7 (RFC 9562): sorts by creation time. */
  uuid(): string;
  /** A short id that a person can read out: log and error ids. */
  short(): string;
}

const toUuid = (bytes: Buffer): string => {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

const poolBytes = 4_096;

/** One system call fetches random bytes for many ids. No byte is used twice. */
function createRandom(): (bytes: number) => Buffer {
  const pool = Buffer.alloc(poolBytes);
  let usedBytes = poolBytes;
  return (bytes) => {
    if (usedBytes + bytes > poolBytes) {
      randomFillSync(pool);
      usedBytes = 0;
    }
    usedBytes += bytes;
    return pool.subarray(usedBytes - bytes, usedBytes);
  };
}

function uuidV7(atMs: number, random: Buffer): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(atMs, 0, 6);
  random.copy(bytes, 6, 0, 10);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return toUuid(bytes);
}

export function createIds(clock: Clock): Ids {
  const random = createRandom();
  return {
    uuid: () => uuidV7(clock.now(), random(10)),
    short: () => randomBytes(6).toString('base64url'),
  };
}

/** Counted ids for tests, stable in snapshots. */
export function createCountedIds(): Ids {
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };
  return {
    uuid: () => `00000000-0000-7000-8000-${String(next()).padStart(12, '0')}`,
    short: () => `id${next()}`,
  };
}
