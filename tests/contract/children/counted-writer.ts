/**
 * Waits for a line on stdin, makes a number of writes one after the other, and prints the longest stall of its event
 * loop.
 */
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { toTenantId } from '#kernel/call.ts';
import { createCall } from '../storage/call.ts';
import { putItem } from '../storage/tables.ts';
import { openStore } from './open-store.ts';

const [at = '', tenant = '', name = '', count = ''] = process.argv.slice(2);
const storage = await openStore(at);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
for (let n = 0; n < Number(count); n += 1) {
  const call = createCall(toTenantId(tenant), { actor: name, deadlineAt: Date.now() + 300_000 });
  await storage.write(call, function* (db) {
    yield* putItem(db, { id: `${name}-${n}` });
    yield* db.changed('item', `${name}-${n}`, 'create', 'h');
  });
}
delay.disable();
process.stdout.write(`${Math.round(delay.max / 1e6)}\n`);
await storage.close();
