import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { faults } from '../fault/kernel-faults.ts';
import { limits } from '../limits.ts';
import { callerWith, createInvokeFixture, faultOf, outcomeOf } from './invoke.fixture.ts';
import type { ToolCall } from './tool.ts';

describe('the answer', () => {
  const wrong = { output: z.object({ id: z.string() }), run: () => ({ id: 5, more: true }) };

  it('is the object of the tool, and its JSON', async () => {
    const outcome = await createInvokeFixture([{ name: 'look', run: async () => ({ b: 1, a: 'ä' }) }]).call('look');
    expect(outcome).toMatchObject({ ok: true, value: { b: 1, a: 'ä' }, text: '{"b":1,"a":"ä"}' });
  });

  it('is serialised once per object where the tool reuses its answers', async () => {
    let serialisedCount = 0;
    const toJSON = () => {
      serialisedCount += 1;
      return { n: serialisedCount };
    };
    const answer = { toJSON };
    const fixture = createInvokeFixture([
      { name: 'reuse', reusesAnswers: true, run: () => answer },
      { name: 'look', run: () => answer },
    ]);
    const texts = async (name: string) =>
      [await fixture.call(name), await fixture.call(name)].map((outcome) => outcome.ok && outcome.text);
    expect(await texts('reuse')).toEqual(['{"n":1}', '{"n":1}']);
    expect(await texts('look')).toEqual(['{"n":2}', '{"n":3}']);
  });

  it('of the wrong shape is an internal error on a read', async () => {
    const fixture = createInvokeFixture([{ name: 'look', ...wrong }]);
    const fault = faultOf(await fixture.call('look'));
    expect([fault.code, fault.details['id']]).toEqual(['INTERNAL', 'id1']);
    expect(fixture.bugs).toMatchObject([{ id: 'id1', tool: 'look' }]);
    expect(String(fixture.bugs[0]?.error)).toMatch(/^Error: look answered in the wrong shape/);
  });

  it.each(['create', 'update', 'delete'] as const)(
    'of the wrong shape is still sent after a committed %s',
    async (effect) => {
      const fixture = createInvokeFixture([{ name: 'make', effect, ...wrong }]);
      expect(outcomeOf(await fixture.call('make'))).toEqual({ id: 5, more: true });
      expect(fixture.bugs).toMatchObject([{ tool: 'make' }]);
    },
  );

  it('of a committed write is sent, whatever the tool returned', async () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const value of [undefined, null, 'text', cycle, { big: 1n }]) {
      const fixture = createInvokeFixture([{ name: 'make', effect: 'create', run: () => value }]);
      expect(await fixture.call('make')).toMatchObject({ ok: true, value: {}, text: '{}' });
      expect(fixture.bugs).toHaveLength(1);
    }
  });

  it('of the maximum size is sent, one byte more is not', async () => {
    const around = '{"a":""}'.length;
    const fixture = createInvokeFixture([
      {
        name: 'look',
        input: z.object({ bytes: z.int() }),
        run: ({ bytes }: { bytes: number }) => ({ a: 'x'.repeat(bytes - around) }),
      },
      { name: 'wide', run: () => ({ a: 'ä'.repeat(limits.answerBytes / 2) }) },
    ]);
    expect((await fixture.call('look', { bytes: limits.answerBytes })).ok).toBe(true);
    const fault = faultOf(await fixture.call('look', { bytes: limits.answerBytes + 1 }));
    expect([fault.code, fault.message]).toEqual([
      'ANSWER_TOO_LARGE',
      `The answer has ${limits.answerBytes + 1} bytes; the limit is ${limits.answerBytes}`,
    ]);
    expect(outcomeOf(await fixture.call('wide'))).toBe('ANSWER_TOO_LARGE');
  });

  it('of a committed write is sent even if it is too large', async () => {
    const fixture = createInvokeFixture([
      { name: 'make', effect: 'create', run: () => ({ a: 'x'.repeat(limits.answerBytes) }) },
    ]);
    expect((await fixture.call('make')).ok).toBe(true);
  });
});

describe('failures', () => {
  const fixture = createInvokeFixture([
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

  it('are sent unchanged if they were expected', async () => {
    const fault = faultOf(await fixture.call('refuse'));
    expect([fault.code, fault.message, fault.details]).toEqual(['CONFLICT', 'It moved', { at: 7 }]);
    expect(fixture.bugs).toEqual([]);
  });

  it('are otherwise reported in full under an id, and only the id is sent', async () => {
    for (const [name, error] of [
      ['bug', 'TypeError: the password is hunter2'],
      ['odd', 'a text'],
    ] as const) {
      const fault = faultOf(await fixture.call(name));
      const report = fixture.bugs.at(-1);
      expect([report?.tool, String(report?.error)]).toEqual([name, error]);
      expect([fault.code, fault.details['id']]).toEqual(['INTERNAL', report?.id]);
      expect(JSON.stringify([fault.message, fault.details])).not.toMatch(/hunter2|a text/);
    }
  });
});

describe('forwarding', () => {
  const fixture = createInvokeFixture([
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
    const outcome = await fixture.call('call', { name: 'look', args: { a: 1 } });
    expect([outcomeOf(outcome), outcome.card?.name]).toEqual([{ a: 1 }, 'look']);
    expect(outcomeOf(await fixture.call('call', { name: 'make' }, { idempotencyKey: 'k' }))).toEqual({
      tool: 'make',
      audit: 'row',
      idempotencyKey: 'k',
    });
  });

  it("passes the other tool's validation and gate", async () => {
    expect(outcomeOf(await fixture.call('call', { name: 'look', args: { a: 'x' } }))).toBe('INVALID_PARAMS');
    expect(outcomeOf(await fixture.call('call', { name: 'make' }, { caller: callerWith('read') }))).toBe(
      'PERMISSION_DENIED',
    );
    expect(outcomeOf(await fixture.call('call', { name: 'nothing' }))).toBe('UNKNOWN_TOOL');
  });

  it('rejects a call of itself', async () => {
    expect(outcomeOf(await fixture.call('call', { name: 'call', args: { name: 'call' } }))).toBe('INVALID_PARAMS');
  });
});

describe('metrics', () => {
  it('count every call of a known tool under its own name, with its fault', async () => {
    const fixture = createInvokeFixture([
      { name: 'a/look', aliases: ['old'] },
      { name: 'make', effect: 'create' },
      { name: 'call', forwards: true, run: (_input, call) => call.forward('make', {}) },
    ]);
    for (const name of ['a/look', 'a_look', 'old', 'nothing']) await fixture.call(name);
    await fixture.call('make', {}, { caller: callerWith('read') });
    await fixture.call('call', {}, { caller: callerWith('read') });
    expect(fixture.meter.snapshot().map(({ method, count, errors }) => [method, count, errors])).toEqual([
      ['a/look', 3, 0],
      ['call', 1, 0],
      ['make', 2, 2],
    ]);
    expect([...fixture.meter.faultCounts()]).toEqual([['PERMISSION_DENIED', 2]]);
  });
});

/** A tool that writes, and one that calls it several times. */
function openTwice(suffixes: readonly (string | undefined)[]) {
  const seen: (string | undefined)[] = [];
  const fixture = createInvokeFixture([
    {
      name: 'make',
      effect: 'create',
      run(_input: never, call: ToolCall) {
        seen.push(call.idempotencyKey);
        return { ok: true };
      },
    },
    {
      name: 'many',
      effect: 'update',
      forwards: true,
      async run(_input: never, call: ToolCall) {
        for (const suffix of suffixes) await call.forward('make', {}, { keySuffix: suffix });
        return { ok: true };
      },
    },
  ]);
  return { fixture, seen };
}

describe('the idempotency key of an inner call', () => {
  it("is the caller's for a single inner call", async () => {
    const { fixture, seen } = openTwice([undefined]);
    await fixture.call('many', {}, { idempotencyKey: 'k' });
    expect(seen).toEqual(['k']);
  });

  it('is different for each of several', async () => {
    const { fixture, seen } = openTwice(['/0', '/1', '/2']);
    await fixture.call('many', {}, { idempotencyKey: 'k' });
    expect(seen).toEqual(['k/0', 'k/1', 'k/2']);
  });

  it('is absent if the caller gave none', async () => {
    const { fixture, seen } = openTwice(['/0']);
    await fixture.call('many');
    expect(seen).toEqual([undefined]);
  });

  it('is the same at every repetition, also with a key of maximum length', async () => {
    const key = 'k'.repeat(limits.idempotencyKeyChars);
    const { fixture, seen } = openTwice(['/0', '/1']);
    expect(outcomeOf(await fixture.call('many', {}, { idempotencyKey: key }))).toEqual({ ok: true });
    await fixture.call('many', {}, { idempotencyKey: key });
    expect(seen[0]).not.toBe(seen[1]);
    expect(seen.slice(0, 2)).toEqual(seen.slice(2));
    expect(seen.every((inner) => inner !== undefined && inner.length <= limits.idempotencyKeyChars)).toBe(true);
  });
});
