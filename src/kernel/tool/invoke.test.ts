import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Scope, toTenantId } from '../call.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { limits } from '../limits.ts';
import type { Outcome } from './invoke.ts';
import { admin, openDoor, told } from './planted-door.ts';
import type { ToolCall } from './tool.ts';

const callerWith = (...scopes: Scope[]) => ({ ...admin, scopes: new Set(scopes) });
const faultOf = (outcome: Outcome): Fault => {
  if (outcome.ok) throw new Error(`it answered ${outcome.text}`);
  return outcome.fault;
};

describe('names', () => {
  const door = openDoor([{ name: 'catalog/governanceHash', aliases: ['catalog/hash'] }]);

  it.each([
    'catalog/governanceHash',
    'catalog_governanceHash',
    'catalog_governance_hash',
    'catalog/hash',
    'catalog_hash',
  ])('a tool is called by %s', async (name) => {
    const outcome = await door.call(name);
    expect([told(outcome), outcome.card?.name]).toEqual([{ ok: true }, 'catalog/governanceHash']);
  });

  it.each(['catalog', 'catalog/governancehash', 'Catalog/hash', 'toString', '__proto__', ''])(
    'nothing is called by %j',
    async (name) => {
      const outcome = await door.call(name);
      expect([told(outcome), outcome.card]).toEqual(['UNKNOWN_TOOL', undefined]);
    },
  );

  it('an unknown name is repeated, but not a megabyte of it', async () => {
    expect(faultOf(await door.call('no/such')).message).toBe('Unknown tool: no/such');
    expect(faultOf(await door.call('x'.repeat(1_000_000))).message.length).toBeLessThan(300);
  });
});

describe('input', () => {
  const run = vi.fn<(input: unknown) => object>((input) => ({ got: input }));
  const door = openDoor([
    { name: 'take', input: z.strictObject({ id: z.string(), limit: z.int().max(9).default(5) }), run },
    {
      name: 'named',
      input: z.strictObject({
        id: z.string().superRefine((_id, context) => {
          context.addIssue({ code: 'custom', params: { fault: faults.NOT_FOUND({ what: 'pad' }) } });
        }),
      }),
    },
    { name: 'open', run },
  ]);

  it('is parsed before the tool sees it', async () => {
    expect(told(await door.call('take', { id: 'a' }))).toEqual({ got: { id: 'a', limit: 5 } });
  });

  it('that is absent is an empty object', async () => {
    for (const args of [undefined, null]) expect(told(await door.call('open', args))).toEqual({ got: {} });
  });

  it('that does not fit is refused with the places, in the shape of Ajv, and the tool does not run', async () => {
    run.mockClear();
    const fault = faultOf(await door.call('take', { id: 5, limit: 10, more: true }));
    expect([fault.code, fault.message]).toEqual(['INVALID_PARAMS', 'Invalid params: /id must be string']);
    expect(fault.details).toMatchObject({
      method: 'take',
      errors: [
        { instancePath: '/id', keyword: 'type', schemaPath: '#/properties/id/type' },
        { instancePath: '/limit', keyword: 'maximum', schemaPath: '#/properties/limit/maximum' },
        { instancePath: '', keyword: 'additionalProperties', schemaPath: '#/additionalProperties' },
      ],
    });
    expect(run).not.toHaveBeenCalled();
  });

  it('may break a rule that names a fault of its own', async () => {
    expect(faultOf(await door.call('named', { id: 'a' })).code).toBe('NOT_FOUND');
  });

  it('may hold _meta, which is never an argument', async () => {
    expect(told(await door.call('take', { id: 'a', _meta: { progressToken: 1 } }))).toEqual({
      got: { id: 'a', limit: 5 },
    });
    expect(told(await door.call('open', { _meta: 1, deep: { _meta: 2 } }))).toEqual({ got: { deep: { _meta: 2 } } });
  });

  it.each([
    [{ id: 'a\0b' }, '/id'],
    [{ id: '\ud800' }, '/id'],
    [{ list: ['fine', { 'a/b': '\udc00x' }] }, '/list/1/a~1b'],
    [{ deep: { 'bad\0key': 1 } }, '/deep'],
    [{ '\ud800': 1 }, ''],
  ])('with text that no store keeps is refused: %j', async (args, at) => {
    run.mockClear();
    const fault = faultOf(await door.call('open', args));
    expect(fault.code).toBe('INVALID_PARAMS');
    expect(fault.details['errors']).toMatchObject([{ instancePath: at, keyword: 'format' }]);
    expect(run).not.toHaveBeenCalled();
  });

  it.each(['', 'x'.repeat(201), 'two words', 'ümlaut', 'new\nline', '\0'])(
    'refuses the idempotency key %j',
    async (idempotencyKey) => {
      expect(told(await door.call('open', {}, { idempotencyKey }))).toBe('INVALID_PARAMS');
    },
  );
});

describe('the call', () => {
  const seen: ToolCall[] = [];
  const keep = (_input: unknown, call: ToolCall) => {
    seen.push(call);
    return {};
  };
  const door = openDoor([
    { name: 'look', run: keep },
    { name: 'make', effect: 'create', input: z.strictObject({ a: z.int(), b: z.int().default(2) }), run: keep },
    { name: 'count', effect: 'create', audit: 'none', run: keep, deadlineMs: 500 },
  ]);
  const callOf = async (name: string, args?: unknown, idempotencyKey?: string) => {
    await door.call(name, args, idempotencyKey === undefined ? {} : { idempotencyKey });
    return seen.at(-1)!;
  };

  it('carries who asks, what for, until when and whether it leaves a trace', async () => {
    expect(await callOf('look')).toMatchObject({
      tenant: 'local',
      actor: 'ada',
      tool: 'look',
      audit: 'none',
      deadlineAt: door.clock.now() + limits.callDeadlineMs,
    });
    expect(await callOf('make', { a: 1 })).toMatchObject({ audit: 'row' });
    expect(await callOf('count')).toMatchObject({ audit: 'none', deadlineAt: door.clock.now() + 500 });
  });

  it('carries the idempotency key of a write, with a hash of what was asked', async () => {
    const [first, same, other] = [
      await callOf('make', { a: 1 }, '!key~'),
      await callOf('make', { b: 2, a: 1, _meta: {} }, '!key~'),
      await callOf('make', { a: 2 }, '!key~'),
    ];
    expect(first.idempotencyKey).toBe('!key~');
    expect(first.requestHash).toMatch(/^[0-9a-f]{64}$/);
    expect(same.requestHash).toBe(first.requestHash);
    expect(other.requestHash).not.toBe(first.requestHash);
    expect((await callOf('count', { a: 1, b: 2 }, '!key~')).requestHash).not.toBe(first.requestHash);
    expect((await callOf('make', { a: 1 }, 'x'.repeat(200))).idempotencyKey).toHaveLength(200);
  });

  it('carries none for a read, and none when none was given', async () => {
    expect(await callOf('look', {}, 'key')).not.toHaveProperty('idempotencyKey');
    expect(await callOf('make', { a: 1 })).not.toHaveProperty('requestHash');
  });

  it('passes progress on', async () => {
    const progress = vi.fn<ToolCall['progress']>();
    const run = (_input: unknown, call: ToolCall) => {
      call.progress(1, 2, 'half');
      return {};
    };
    const report = openDoor([{ name: 'long', run }]);
    await report.call('long', {}, { progress });
    expect(progress.mock.calls).toEqual([[1, 2, 'half']]);
    expect(told(await report.call('long'))).toEqual({});
  });
});

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

describe('the answer', () => {
  const wrong = { output: z.object({ id: z.string() }), run: () => ({ id: 5, more: true }) };

  it('is the object that the tool gave, and its JSON', async () => {
    const outcome = await openDoor([{ name: 'look', run: async () => ({ b: 1, a: 'ä' }) }]).call('look');
    expect(outcome).toMatchObject({ ok: true, value: { b: 1, a: 'ä' }, text: '{"b":1,"a":"ä"}' });
  });

  it('of the wrong shape is an internal error on a read', async () => {
    const door = openDoor([{ name: 'look', ...wrong }]);
    const fault = faultOf(await door.call('look'));
    expect([fault.code, fault.details['id']]).toEqual(['INTERNAL', 'id1']);
    expect(door.bugs).toMatchObject([{ id: 'id1', tool: 'look' }]);
    expect(String(door.bugs[0]?.error)).toMatch(/^Error: look answered in the wrong shape/);
  });

  it.each(['create', 'update', 'delete'] as const)(
    'of the wrong shape still goes out when it is that of a committed %s',
    async (effect) => {
      const door = openDoor([{ name: 'make', effect, ...wrong }]);
      expect(told(await door.call('make'))).toEqual({ id: 5, more: true });
      expect(door.bugs).toMatchObject([{ tool: 'make' }]);
    },
  );

  it('of a committed write goes out whatever the tool made of it', async () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const value of [undefined, null, 'text', cycle, { big: 1n }]) {
      const door = openDoor([{ name: 'make', effect: 'create', run: () => value }]);
      expect(await door.call('make')).toMatchObject({ ok: true, value: {}, text: '{}' });
      expect(door.bugs).toHaveLength(1);
    }
  });

  it('of the largest size goes out, one byte more does not', async () => {
    const around = '{"a":""}'.length;
    const door = openDoor([
      {
        name: 'look',
        input: z.object({ bytes: z.int() }),
        run: ({ bytes }: { bytes: number }) => ({ a: 'x'.repeat(bytes - around) }),
      },
      { name: 'wide', run: () => ({ a: 'ä'.repeat(limits.answerBytes / 2) }) },
    ]);
    expect((await door.call('look', { bytes: limits.answerBytes })).ok).toBe(true);
    const fault = faultOf(await door.call('look', { bytes: limits.answerBytes + 1 }));
    expect([fault.code, fault.message]).toEqual([
      'ANSWER_TOO_LARGE',
      `The answer has ${limits.answerBytes + 1} bytes; at most ${limits.answerBytes} fit`,
    ]);
    expect(told(await door.call('wide'))).toBe('ANSWER_TOO_LARGE');
  });

  it('of a committed write goes out also when it is too large', async () => {
    const door = openDoor([{ name: 'make', effect: 'create', run: () => ({ a: 'x'.repeat(limits.answerBytes) }) }]);
    expect((await door.call('make')).ok).toBe(true);
  });
});

describe('failures', () => {
  const door = openDoor([
    { name: 'refuse', run: () => Promise.reject(faults.CONFLICT({ why: 'It moved' }, { at: 7 })) },
    {
      name: 'bug',
      run() {
        throw new TypeError('the password is hunter2');
      },
    },
    {
      name: 'odd',
      run() {
        throw 'a text' as unknown;
      },
    },
  ]);

  it('that were expected go out as they are', async () => {
    const fault = faultOf(await door.call('refuse'));
    expect([fault.code, fault.message, fault.details]).toEqual(['CONFLICT', 'It moved', { at: 7 }]);
    expect(door.bugs).toEqual([]);
  });

  it('that were not are reported in full under an id, and only the id goes out', async () => {
    for (const [name, error] of [
      ['bug', 'TypeError: the password is hunter2'],
      ['odd', 'a text'],
    ] as const) {
      const fault = faultOf(await door.call(name));
      const report = door.bugs.at(-1);
      expect([report?.tool, String(report?.error)]).toEqual([name, error]);
      expect([fault.code, fault.details['id']]).toEqual(['INTERNAL', report?.id]);
      expect(JSON.stringify([fault.message, fault.details])).not.toMatch(/hunter2|a text/);
    }
  });
});

describe('forwarding', () => {
  const door = openDoor([
    {
      name: 'call',
      forwards: true,
      effect: 'read',
      input: z.object({ name: z.string(), args: z.unknown().optional() }),
      output: z.object({ never: z.literal('this') }),
      run: ({ name, args }: { name: string; args: unknown }, call) => call.forward(name, args),
    },
    { name: 'look', input: z.strictObject({ a: z.int() }), output: z.object({ a: z.int() }), run: (input) => input },
    {
      name: 'make',
      effect: 'create',
      audit: 'row',
      run: (_input, { tool, audit, idempotencyKey }) => ({ tool, audit, idempotencyKey }),
    },
  ]);

  it("answers with the other tool's answer and card, under that tool's name", async () => {
    const outcome = await door.call('call', { name: 'look', args: { a: 1 } });
    expect([told(outcome), outcome.card?.name]).toEqual([{ a: 1 }, 'look']);
    expect(told(await door.call('call', { name: 'make' }, { idempotencyKey: 'k' }))).toEqual({
      tool: 'make',
      audit: 'row',
      idempotencyKey: 'k',
    });
  });

  it("passes the other tool's validation and gate", async () => {
    expect(told(await door.call('call', { name: 'look', args: { a: 'x' } }))).toBe('INVALID_PARAMS');
    expect(told(await door.call('call', { name: 'make' }, { caller: callerWith('read') }))).toBe('PERMISSION_DENIED');
    expect(told(await door.call('call', { name: 'nothing' }))).toBe('UNKNOWN_TOOL');
  });

  it('does not go round in a circle', async () => {
    expect(told(await door.call('call', { name: 'call', args: { name: 'call' } }))).toBe('INVALID_PARAMS');
  });
});

describe('metrics', () => {
  it('count every call of a known tool under its own name, with its fault', async () => {
    const door = openDoor([
      { name: 'a/look', aliases: ['old'] },
      { name: 'make', effect: 'create' },
      { name: 'call', forwards: true, run: (_input, call) => call.forward('make', {}) },
    ]);
    for (const name of ['a/look', 'a_look', 'old', 'nothing']) await door.call(name);
    await door.call('make', {}, { caller: callerWith('read') });
    await door.call('call', {}, { caller: callerWith('read') });
    expect(door.meter.snapshot().map(({ method, count, errors }) => [method, count, errors])).toEqual([
      ['a/look', 3, 0],
      ['call', 1, 0],
      ['make', 2, 2],
    ]);
    expect([...door.meter.faultCounts()]).toEqual([['PERMISSION_DENIED', 2]]);
  });
});
