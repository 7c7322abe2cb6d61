import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '#kernel/call.ts';
import { createManualClock, systemClock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { createLogFixture, silentLog } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Card } from '#kernel/tool/card.ts';
import type { Outcome } from '#kernel/tool/invoke.ts';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import type { Engine, TestStore } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { createUsageHours } from './usage-hours.ts';

const hourMs = 3_600_000;
/** The store compares deadlines with its own clock. */
const start = () => systemClock.now() + hourMs;
const cardOf = (toolset: string, effect: string) => ({ toolset, effect }) as Card;
const done = (toolset: string, effect = 'read'): Outcome => ({
  ok: true,
  card: cardOf(toolset, effect),
  value: {},
  text: '{}',
});

describe.each<Engine>([sqliteEngine(false), postgresEngine(false)])('calls per hour on $name', (engine) => {
  let testStore: TestStore;
  let storage: Storage;
  beforeAll(async () => {
    testStore = await engine.create();
    storage = await testStore.open();
  });
  afterAll(async () => {
    await storage?.close();
    await testStore?.remove();
  });

  function open(part: object = {}) {
    const clock = createManualClock(start());
    const tenant = newTenant();
    const caller: Caller = { tenant, actor: 'ada', scopes: new Set(['admin']) };
    const usage = createUsageHours({ storage, clock, log: silentLog, isOn: true, ...part });
    const call = (outcome: Outcome) => usage.track(async () => outcome)({ name: 'x', args: {}, caller });
    return { clock, tenant, usage, call, list: async () => (await usage.list(createCall(tenant))).hours };
  }

  test('counts what a person in a browser changes, not what the pages read', async () => {
    const { tenant, usage, list } = open();
    const caller: Caller = { tenant, actor: 'key:1', scopes: new Set(['admin']), isSignedIn: true };
    for (const outcome of [done('truth'), done('truth', 'update'), done('notebooks')])
      await usage.track(async () => outcome)({ name: 'x', args: {}, caller });
    expect(await list()).toMatchObject([{ memory: 'truth', calls: 1, writes: 1 }]);
  });

  test('adds up calls, writes and failures per memory, across processes and hours', async () => {
    const { clock, tenant, usage, call, list } = open();
    await call(done('truth'));
    await call(done('truth', 'create'));
    await call({ ok: false, card: cardOf('truth', 'create'), fault: faults.READ_ONLY({ tool: 'x' }) });
    await call(done('notebooks', 'delete'));
    await call({ ok: false, card: undefined, fault: faults.READ_ONLY({ tool: 'x' }) });
    await usage.flush();
    const other = createUsageHours({ storage, clock, log: silentLog, isOn: true });
    const caller: Caller = { tenant, actor: 'bob', scopes: new Set(['read']) };
    await other.track(async () => done('truth'))({ name: 'x', args: {}, caller });
    await other.flush();
    const at = new Date(Math.floor(clock.now() / hourMs) * hourMs).toISOString();
    expect(await list()).toEqual([
      { at, memory: 'notebooks', calls: 1, writes: 1, errors: 0 },
      { at, memory: 'truth', calls: 4, writes: 1, errors: 1 },
    ]);
    clock.advance(hourMs);
    await call(done('truth'));
    expect(await list()).toHaveLength(3);
    clock.advance(23 * hourMs);
    expect((await list()).map(({ memory, calls }) => [memory, calls])).toEqual([['truth', 1]]);
  });

  test('deletes what is older than a week with the next write', async () => {
    const { clock, tenant, call, list } = open();
    await call(done('truth'));
    await list();
    clock.advance(8 * 24 * hourMs);
    await call(done('truth'));
    await list();
    const earlier = createManualClock(clock.now() - 8 * 24 * hourMs);
    const seen = createUsageHours({ storage, clock: earlier, log: silentLog, isOn: true });
    expect((await seen.list(createCall(tenant))).hours).toHaveLength(1);
  });

  test('counts nothing on a server that only reads', async () => {
    const { call, list } = open({ isOn: false });
    await call(done('truth'));
    expect(await list()).toEqual([]);
  });

  test('reports a store that fails, and the calls do not', async () => {
    const log = createLogFixture();
    const broken = { ...storage, read: storage.read.bind(storage), write: () => Promise.reject(new Error('full')) };
    const { call, list } = open({ log, storage: broken });
    expect(await call(done('truth'))).toMatchObject({ ok: true });
    expect(await list()).toEqual([]);
    expect(log.lines.map(({ message }) => message)).toEqual(['could not store how often tools were called']);
  });
});
