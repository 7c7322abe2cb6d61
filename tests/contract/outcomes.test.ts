import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { createInvokeFixture } from '#kernel/tool/invoke.fixture.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import type { TestStore } from './storage/engine.ts';
import { postgresEngine } from './storage/postgres-engine.ts';
import { sqliteEngine } from './storage/sqlite-engine.ts';
import { putItem } from './storage/tables.ts';

/** What follows a write: the ways in which a tool can fail although its write was stored. */
const failures: Readonly<Record<string, () => unknown>> = {
  unavailable: () => Promise.reject(faults.STORE_UNAVAILABLE({ why: 'the connection was lost' })),
  busy: () => Promise.reject(faults.STORE_BUSY()),
  bug: () => Promise.reject(new TypeError('a bug of this test')),
  slow: () => new Promise(() => {}),
};

describe.each([sqliteEngine(false), postgresEngine(false)])('the answer of a call that fails on $name', (engine) => {
  let testStore: TestStore;
  let storage: Storage;
  let count = 0;

  beforeAll(async () => {
    testStore = await engine.create();
    storage = await testStore.open();
  });

  afterAll(async () => {
    await storage.close();
    await testStore.remove();
  });

  const write = (call: ToolCall) => {
    count += 1;
    const id = `item-${count}`;
    return storage.write({ ...call, deadlineAt: Date.now() + 30_000 }, function* (db) {
      yield* putItem(db, { id });
      yield* db.changed('item', id, 'create', 'h');
      return { id };
    });
  };

  const fixture = createInvokeFixture([
    ...Object.entries(failures).map(([name, fail]) => ({
      name: `after_${name}`,
      effect: 'create' as const,
      // Only the tool that never answers reaches it.
      deadlineMs: name === 'slow' ? 3_000 : 60_000,
      run: async (_input: never, call: ToolCall) => {
        await write(call);
        return fail();
      },
    })),
    {
      name: 'before',
      effect: 'create',
      run: () => Promise.reject(faults.STORE_UNAVAILABLE({ why: 'the connection was lost' })),
    },
    {
      name: 'rule',
      effect: 'create',
      async run(_input: never, call: ToolCall) {
        await write(call);
        throw faults.CONFLICT({ why: 'another writer was faster' });
      },
    },
    {
      name: 'rolled_back',
      effect: 'create',
      run: (_input: never, call: ToolCall) =>
        // biome-ignore lint/correctness/useYield: fails before its first statement.
        storage.write({ ...call, deadlineAt: Date.now() + 30_000 }, function* () {
          throw faults.STORE_UNAVAILABLE({ why: 'the disk is full' });
        }),
    },
    {
      name: 'outer',
      effect: 'create',
      async run(_input: never, call: ToolCall) {
        const { outcome } = await call.forward('rule', {});
        expect(outcome.ok).toBe(false);
        throw faults.STORE_UNAVAILABLE({ why: 'the connection was lost' });
      },
    },
  ]);
  const codeOf = async (name: string) => {
    const outcome = await fixture.call(name);
    return outcome.ok ? 'ok' : outcome.fault.code;
  };

  test.each(Object.keys(failures))('is OUTCOME_UNKNOWN after a stored write (%s)', async (name) => {
    expect(await codeOf(`after_${name}`)).toBe('OUTCOME_UNKNOWN');
  });

  test('is OUTCOME_UNKNOWN if a call that it made on behalf of the client was stored', async () => {
    expect(await codeOf('outer')).toBe('OUTCOME_UNKNOWN');
  });

  test('stays a plain failure if nothing was stored', async () => {
    expect(await codeOf('before')).toBe('STORE_UNAVAILABLE');
    expect(await codeOf('rolled_back')).toBe('STORE_UNAVAILABLE');
  });

  test('stays the fault of a rule, which is about the request and not about the server', async () => {
    expect(await codeOf('rule')).toBe('CONFLICT');
  });
});
