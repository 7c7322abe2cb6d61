import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { toTenantId } from '../call.ts';
import { Fault } from '../fault/fault.ts';
import { admin, callerWith, faultOf, openDoor, told } from './door.fixture.ts';
import type { ToolCall } from './tool.ts';

describe('the gate', () => {
  const tools = [
    { name: 'look' },
    { name: 'make', effect: 'create' },
    { name: 'govern', effect: 'update', gated: true },
    { name: 'keys', scope: 'admin' },
  ] as const;
  const outcomes = async (door: ReturnType<typeof openDoor>, caller = admin) =>
    Promise.all(tools.map(async ({ name }) => told(await door.call(name, {}, { caller }))));
  const ok = { ok: true };

  it('asks for the scope of the tool; the stronger holds the weaker', async () => {
    const door = openDoor(tools);
    const no = 'PERMISSION_DENIED';
    expect(await outcomes(door, callerWith())).toEqual([no, no, no, no]);
    expect(await outcomes(door, callerWith('read'))).toEqual([ok, no, no, no]);
    expect(await outcomes(door, callerWith('write'))).toEqual([ok, ok, ok, no]);
    expect(await outcomes(door, callerWith('admin'))).toEqual([ok, ok, ok, ok]);
  });

  it('lets nobody write to a read-only server', async () => {
    expect(await outcomes(openDoor(tools, { readOnly: true }))).toEqual([ok, 'READ_ONLY', 'READ_ONLY', ok]);
  });

  it('lets nobody change what is governed while mutation is disabled', async () => {
    expect(await outcomes(openDoor(tools, { mutation: false }))).toEqual([ok, ok, 'MUTATION_DISABLED', ok]);
  });

  it('comes after validation and before the rate limit', async () => {
    const door = openDoor(
      [{ name: 'make', effect: 'create', input: z.strictObject({}), rate: { limit: 1, windowMs: 60_000 } }],
      { limited: true },
    );
    const reader = { caller: callerWith('read') };
    expect(told(await door.call('make', { x: 1 }, reader))).toBe('INVALID_PARAMS');
    for (let i = 0; i < 3; i += 1) expect(told(await door.call('make', {}, reader))).toBe('PERMISSION_DENIED');
    expect(told(await door.call('make'))).toEqual(ok);
    expect(told(await door.call('make'))).toBe('RATE_LIMIT_EXCEEDED');
  });
});

describe('the rate limit', () => {
  const rate = { limit: 3, windowMs: 60_000 };

  it('admits exactly as many as it says, until the window ends, and says how long that is', async () => {
    const door = openDoor([{ name: 'sync', rate }], { limited: true });
    door.clock.advance(12_345);
    for (let i = 0; i < 3; i += 1) expect((await door.call('sync')).ok).toBe(true);
    const fault = faultOf(await door.call('sync'));
    expect([fault.code, fault.details]).toEqual(['RATE_LIMIT_EXCEEDED', { retry_after_seconds: 48 }]);
    door.clock.advance(60_000 - 12_345 - 1);
    expect((await door.call('sync')).ok).toBe(false);
    door.clock.advance(1);
    expect((await door.call('sync')).ok).toBe(true);
  });

  it('counts each user, tenant and tool for itself', async () => {
    const door = openDoor(
      [
        { name: 'sync', rate: { ...rate, limit: 1 } },
        { name: 'other', rate: { ...rate, limit: 1 } },
      ],
      {
        limited: true,
      },
    );
    const callers = [admin, { ...admin, actor: 'bob' }, { ...admin, tenant: toTenantId('elsewhere') }];
    for (const caller of callers) {
      for (const name of ['sync', 'other']) expect((await door.call(name, {}, { caller })).ok).toBe(true);
      expect(told(await door.call('sync', {}, { caller }))).toBe('RATE_LIMIT_EXCEEDED');
    }
  });

  it('can be switched off', async () => {
    const door = openDoor([{ name: 'sync', rate }]);
    for (let i = 0; i < 10; i += 1) expect((await door.call('sync')).ok).toBe(true);
  });
});

describe('time', () => {
  /** A tool that works until it is told to stop, and tells what it was told. */
  const stubborn = (deadlineMs?: number) => {
    const heard: unknown[] = [];
    const run = async (_input: unknown, { signal }: ToolCall) => {
      await once(signal, 'abort');
      heard.push(signal.reason instanceof Fault ? signal.reason.code : signal.reason);
      return {};
    };
    return { heard, tool: { name: 'slow', run, ...(deadlineMs === undefined ? {} : { deadlineMs }) } };
  };

  it('is up at the deadline: of the tool, of the program', async () => {
    for (const [own, general] of [
      [20, 60_000],
      [undefined, 20],
    ] as const) {
      const { heard, tool } = stubborn(own);
      const fault = faultOf(await openDoor([tool], { deadlineMs: general }).call('slow'));
      expect([fault.code, fault.message]).toEqual(['TIMEOUT', 'The call took longer than 20 ms and was stopped']);
      expect(heard).toEqual(['TIMEOUT']);
    }
  });

  it('is up when the caller cancels, and the caller does not wait for a tool that goes on', async () => {
    const caller = new AbortController();
    const { heard, tool } = stubborn();
    const door = openDoor([tool, { name: 'deaf', run: () => new Promise(() => {}) }]);
    const [slow, deaf] = ['slow', 'deaf'].map((name) => door.call(name, {}, { signal: caller.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    caller.abort();
    expect([told(await slow!), told(await deaf!), heard]).toEqual(['CANCELLED', 'CANCELLED', ['CANCELLED']]);
  });

  it('is not spent on a call that was cancelled before', async () => {
    const run = vi.fn<() => object>(() => ({}));
    expect(told(await openDoor([{ name: 'look', run }]).call('look', {}, { signal: AbortSignal.abort() }))).toBe(
      'CANCELLED',
    );
    expect(run).not.toHaveBeenCalled();
  });

  it('leaves no listener and no timer behind, however the call ends', async () => {
    const caller = new AbortController();
    const add = vi.spyOn(caller.signal, 'addEventListener');
    const remove = vi.spyOn(caller.signal, 'removeEventListener');
    const { tool } = stubborn(10);
    const door = openDoor([
      tool,
      { name: 'fine', run: async () => ({}) },
      { name: 'wrong', run: async () => Promise.reject(new Error('planted')) },
      { name: 'deaf', deadlineMs: 10, run: () => new Promise(() => {}) },
    ]);
    for (const name of ['slow', 'fine', 'wrong', 'deaf']) await door.call(name, {}, { signal: caller.signal });
    const listenersOf = (spy: typeof add | typeof remove) => new Set(spy.mock.calls.map(([, listener]) => listener));
    expect(listenersOf(remove)).toEqual(listenersOf(add));
    expect(listenersOf(add).size).toBe(4);
  });
});
