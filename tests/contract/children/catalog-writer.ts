/**
 * Changes a catalog without end, or a given number of times, and prints each change after its commit. With `early` it
 * prints before the commit, which is wrong on purpose. Every entry goes through steps; a batch of five goes through
 * them together.
 */
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { localTenant } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { openCatalog, toEntry } from '../catalog/open-catalog.fixture.ts';
import { createCall } from '../storage/call.ts';
import { openStore } from './open-store.ts';

const [at = '', top = '', name = '', mode = '', count = 'Infinity'] = process.argv.slice(2);
const storage = await openStore(at);
const { catalog, close } = openCatalog(storage, { folder: `${top}/instructions`, tenantsFolder: `${top}/tenants` });
const call = () => createCall(localTenant, { actor: name, deadlineAt: Date.now() + 300_000 });
// Synchronous, so that the line has left the process when it is killed.
const acknowledge = (line: string) => writeSync(1, `${line}\n`);

/** Step 1 creates, 2 and 3 overwrite, 4 removes. */
async function take(ids: readonly string[], step: number): Promise<void> {
  const line = `${ids.join(',')} ${step}`;
  if (mode === 'early') {
    acknowledge(line);
    await pause(5);
  }
  const state = await catalog.state(call());
  const changes = ids.map((id) => ({
    id,
    before: state.find(id)?.etag ?? null,
    after: step === 4 ? null : toEntry({ id, body: `step ${step}` }),
  }));
  await catalog.commit(call(), changes);
  if (mode !== 'early') acknowledge(line);
}

async function goOn(lane: number): Promise<void> {
  for (let n = 0; n < Number(count); n += 1) {
    const ids = lane === 0 ? [0, 1, 2, 3, 4].map((i) => `batch-${name}-${n}-${i}`) : [`one-${name}-${lane}-${n}`];
    for (let step = 1; step <= (n % 3 === 0 ? 4 : 2); step += 1) await take(ids, step);
  }
}

/** All processes increment the same entry, and retry after a conflict. */
async function countUp(): Promise<void> {
  for (let n = 0; n < Number(count); ) {
    const { found } = await catalog.lookUp(call(), 'counter');
    const next = Number(found?.entry.title ?? 0) + 1;
    const after = toEntry({ id: 'counter', title: String(next), body: 'counted' });
    try {
      await catalog.commit(call(), [{ id: 'counter', before: found?.etag ?? null, after }]);
      n += 1;
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'CONFLICT') throw error;
    }
  }
}

if (mode === 'count') {
  await Promise.all([countUp(), goOn(1)]);
  await close();
  await storage.close();
} else await Promise.all([0, 1, 2].map(goOn));
