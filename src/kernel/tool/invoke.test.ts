import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Scope, toTenantId } from '../call.ts';
import { Fault } from '../fault/fault.ts';
import { admin, callerWith, createInvokeFixture, faultOf, outcomeOf, type ToolFixture } from './invoke.fixture.ts';
import type { ToolCall } from './tool.ts';

describe('the gate', () => {
  const tools = [
    { name: 'look' },
    { name: 'make', effect: 'create' },
    { name: 'govern', effect: 'update', gated: true },
    { name: 'keys', scope: 'admin' },
  ] as const;
  const outcomes = async (fixture: ReturnType<typeof createInvokeFixture>, caller = admin) =>
    Promise.all(tools.map(async ({ name }) => outcomeOf(await fixture.call(name, {}, { caller }))));
  const ok = { ok: true };

  it('requires the scope of the tool; a stronger scope includes the weaker', async () => {
    const fixture = createInvokeFixture(tools);
    const no = 'PERMISSION_DENIED';
    expect(await outcomes(fixture, callerWith())).toEqual([no, no, no, no]);
    expect(await outcomes(fixture, callerWith('read'))).toEqual([ok, no, no, no]);
    expect(await outcomes(fixture, callerWith('write'))).toEqual([ok, ok, ok, no]);
    expect(await outcomes(fixture, callerWith('admin'))).toEqual([ok, ok, ok, ok]);
  });

  it('rejects writes on a read-only server', async () => {
    expect(await outcomes(createInvokeFixture(tools, { readOnly: true }))).toEqual([ok, 'READ_ONLY', 'READ_ONLY', ok]);
  });

  it('rejects gated changes while mutation is disabled', async () => {
    expect(await outcomes(createInvokeFixture(tools, { mutation: false }))).toEqual([ok, ok, 'MUTATION_DISABLED', ok]);
  });

  it('comes after validation and before the rate limit', async () => {
    const fixture = createInvokeFixture(
      [{ name: 'make', effect: 'create', input: z.strictObject({}), rate: { limit: 1, windowMs: 60_000 } }],
      { limited: true },
    );
    const reader = { caller: callerWith('read') };
    expect(outcomeOf(await fixture.call('make', { x: 1 }, reader))).toBe('INVALID_PARAMS');
    for (let i = 0; i < 3; i += 1) expect(outcomeOf(await fixture.call('make', {}, reader))).toBe('PERMISSION_DENIED');
    expect(outcomeOf(await fixture.call('make'))).toEqual(ok);
    expect(outcomeOf(await fixture.call('make'))).toBe('RATE_LIMIT_EXCEEDED');
  });
});

describe('the rate limit', () => {
  const rate = { limit: 3, windowMs: 60_000 };

  it('admits exactly the limit per window, and reports the remaining time', async () => {
    const fixture = createInvokeFixture([{ name: 'sync', rate }], { limited: true });
    fixture.clock.advance(12_345);
    for (let i = 0; i < 3; i += 1) expect((await fixture.call('sync')).ok).toBe(true);
    const fault = faultOf(await fixture.call('sync'));
    expect([fault.code, fault.details]).toEqual(['RATE_LIMIT_EXCEEDED', { retry_after_seconds: 48 }]);
    fixture.clock.advance(60_000 - 12_345 - 1);
    expect((await fixture.call('sync')).ok).toBe(false);
    fixture.clock.advance(1);
    expect((await fixture.call('sync')).ok).toBe(true);
  });

  it('counts each user, tenant and tool separately', async () => {
    const fixture = createInvokeFixture(
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
      for (const name of ['sync', 'other']) expect((await fixture.call(name, {}, { caller })).ok).toBe(true);
      expect(outcomeOf(await fixture.call('sync', {}, { caller }))).toBe('RATE_LIMIT_EXCEEDED');
    }
  });

  it('does not count calls with arguments that the tool exempts', async () => {
    const input = z.strictObject({ run: z.string().optional() });
    const unlimitedWhen = ({ run }: { readonly run?: string }) => run !== undefined;
    const tool = { name: 'sync', rate: { ...rate, limit: 1 }, input, unlimitedWhen };
    const fixture = createInvokeFixture([tool], { limited: true });
    for (const args of [{ run: 'a' }, {}, { run: 'a' }]) expect((await fixture.call('sync', args)).ok).toBe(true);
    expect(outcomeOf(await fixture.call('sync'))).toBe('RATE_LIMIT_EXCEEDED');
  });

  it('can be switched off', async () => {
    const fixture = createInvokeFixture([{ name: 'sync', rate }]);
    for (let i = 0; i < 10; i += 1) expect((await fixture.call('sync')).ok).toBe(true);
  });
});

describe('time', () => {
  /** A tool that runs until it is aborted and records the reason. */
  const stubborn = (deadlineMs?: number) => {
    const heard: unknown[] = [];
    const run = async (_input: unknown, { signal }: ToolCall) => {
      await once(signal, 'abort');
      heard.push(signal.reason instanceof Fault ? signal.reason.code : signal.reason);
      return {};
    };
    return { heard, tool: { name: 'slow', run, ...(deadlineMs === undefined ? {} : { deadlineMs }) } };
  };

  it('ends at the deadline of the tool or of the program', async () => {
    for (const [own, general] of [
      [20, 60_000],
      [undefined, 20],
    ] as const) {
      const { heard, tool } = stubborn(own);
      const fault = faultOf(await createInvokeFixture([tool], { deadlineMs: general }).call('slow'));
      expect([fault.code, fault.message]).toEqual(['TIMEOUT', 'The call took longer than 20 ms and was stopped']);
      expect(heard).toEqual(['TIMEOUT']);
    }
  });

  it('ends when the caller cancels, without waiting for a tool that continues', async () => {
    const caller = new AbortController();
    const { heard, tool } = stubborn();
    const fixture = createInvokeFixture([tool, { name: 'deaf', run: () => new Promise(() => {}) }]);
    const [slow, deaf] = ['slow', 'deaf'].map((name) => fixture.call(name, {}, { signal: caller.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    caller.abort();
    expect([outcomeOf(await slow!), outcomeOf(await deaf!), heard]).toEqual(['CANCELLED', 'CANCELLED', ['CANCELLED']]);
  });

  it('is not spent on a call that is already cancelled', async () => {
    const run = vi.fn<() => object>(() => ({}));
    expect(
      outcomeOf(await createInvokeFixture([{ name: 'look', run }]).call('look', {}, { signal: AbortSignal.abort() })),
    ).toBe('CANCELLED');
    expect(run).not.toHaveBeenCalled();
  });

  it('leaves no listener and no timer behind, however the call ends', async () => {
    const caller = new AbortController();
    const add = vi.spyOn(caller.signal, 'addEventListener');
    const remove = vi.spyOn(caller.signal, 'removeEventListener');
    const { tool } = stubborn(10);
    const fixture = createInvokeFixture([
      tool,
      { name: 'fine', run: async () => ({}) },
      { name: 'wrong', run: async () => Promise.reject(new Error('expected')) },
      { name: 'deaf', deadlineMs: 10, run: () => new Promise(() => {}) },
    ]);
    for (const name of ['slow', 'fine', 'wrong', 'deaf']) await fixture.call(name, {}, { signal: caller.signal });
    const listenersOf = (spy: typeof add | typeof remove) => new Set(spy.mock.calls.map(([, listener]) => listener));
    expect(listenersOf(remove)).toEqual(listenersOf(add));
    expect(listenersOf(add).size).toBe(4);
  });
});

it('checks a dry run of a writing tool as a read', async () => {
  const tidy: ToolFixture = {
    name: 'tidy',
    effect: 'update',
    gated: true,
    input: z.strictObject({ dryRun: z.boolean().default(false) }),
    readsWhen: ({ dryRun }: { readonly dryRun: boolean }) => dryRun,
  };
  const codeOf = async (dryRun: boolean, mutation: boolean, readOnly: boolean, ...scopes: readonly Scope[]) => {
    const outcome = await createInvokeFixture([tidy], { mutation, readOnly }).call(
      'tidy',
      { dryRun },
      { caller: callerWith(...scopes) },
    );
    return outcome.ok ? 'ok' : outcome.fault.code;
  };
  expect(await codeOf(true, false, false, 'admin')).toBe('ok');
  expect(await codeOf(true, false, true, 'admin')).toBe('ok');
  expect(await codeOf(true, true, false, 'read')).toBe('ok');
  expect(await codeOf(false, false, false, 'admin')).toBe('MUTATION_DISABLED');
  expect(await codeOf(false, true, true, 'admin')).toBe('READ_ONLY');
  expect(await codeOf(false, true, false, 'read')).toBe('PERMISSION_DENIED');
  expect(await codeOf(false, true, false, 'admin')).toBe('ok');
});
