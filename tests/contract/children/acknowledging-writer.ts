/**
 * Writes without end and prints the id of each row after its commit. With `early` it prints the id before the commit,
 * which is wrong on purpose.
 */
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { toTenantId } from '#kernel/call.ts';
import { createCall } from '../storage/call.ts';
import { putItem } from '../storage/tables.ts';
import { openStore } from './open-store.ts';

const [at = '', tenant = '', round = '', mode = ''] = process.argv.slice(2);
const storage = await openStore(at);
// Synchronous, so that the line has left the process when it is killed.
const acknowledge = (id: string) => writeSync(1, `${id}\n`);

async function writeOne(id: string): Promise<void> {
  if (mode === 'early') {
    acknowledge(id);
    await pause(5);
  }
  await storage.write(createCall(toTenantId(tenant), { deadlineAt: Date.now() + 300_000 }), function* (db) {
    yield* putItem(db, { id, document: 'x'.repeat(100) });
    yield* db.changed('item', id, 'create', 'h');
  });
  if (mode !== 'early') acknowledge(id);
}

async function writeOn(lane: number): Promise<never> {
  for (let n = 0; ; n += 1) await writeOne(`${round}-${lane}-${n}`);
}

await Promise.all(Array.from({ length: 4 }, (_, lane) => writeOn(lane)));
