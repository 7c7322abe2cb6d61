import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { newestTrash, putInTrash } from '#kernel/storage/trash.ts';

/** Tools that only benchmarks and tests call: a no-op, and reads and writes of the store without a domain. */
export interface Probe {
  put(id: string, text: string, call: Call): Promise<{ id: string; hash: string }>;
  get(id: string, call: Call): Promise<{ id: string; text: string | null }>;
  /** Writes many rows in several transactions, as every bulk tool does. */
  fill(count: number, call: Call): Promise<{ count: number }>;
  /** The longest time the event loop was blocked since the last call. */
  takeLongestStallMs(): number;
}

const topic = 'probe';
/** Each row takes three statements; a transaction has at most `limits.writeStatementsCount`. */
const fillChunkCount = 100;

export function createProbe(storage: Storage): Probe {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const fillChunk = (from: number, to: number, call: Call) =>
    storage.write(call, function* (db) {
      for (let i = from; i < to; i += 1) {
        yield* putInTrash(db, topic, `fill-${i}`, String(i), call.actor);
        yield* db.changed(topic, `fill-${i}`, 'create', sha256Hex(String(i)));
      }
    });

  return {
    async fill(count, call) {
      for (let from = 0; from < count; from += fillChunkCount) {
        await fillChunk(from, Math.min(count, from + fillChunkCount), call);
        call.progress(from, count);
      }
      return { count };
    },
    takeLongestStallMs() {
      const longestMs = delays.max / 1e6;
      delays.reset();
      return longestMs;
    },
    put: (id, text, call) =>
      storage.write(call, function* (db) {
        const hash = sha256Hex(text);
        yield* putInTrash(db, topic, id, text, call.actor);
        yield* db.changed(topic, id, 'create', hash);
        return { id, hash };
      }),
    get: (id, call) =>
      storage.read(call, function* (db) {
        const found = yield* newestTrash(db, topic, id);
        return { id, text: found?.document ?? null };
      }),
  };
}
