import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { faults } from '../fault/kernel-faults.ts';
import { limits } from '../limits.ts';
import { callerWith, faultOf, openDoor, told } from './door.fixture.ts';

describe('the answer', () => {
  const wrong = { output: z.object({ id: z.string() }), run: () => ({ id: 5, more: true }) };

  it('is the object that the tool gave, and its JSON', async () => {
    const outcome = await openDoor([{ name: 'look', run: async () => ({ b: 1, a: 'ä' }) }]).call('look');
    expect(outcome).toMatchObject({ ok: true, value: { b: 1, a: 'ä' }, text: '{"b":1,"a":"ä"}' });
  });

  it('is serialised once per object where the tool reuses its answers', async () => {
    let serialisedCount = 0;
    const toJSON = () => {
      serialisedCount += 1;
      return { n: serialisedCount };
    };
    const answer = { toJSON };
    const door = openDoor([
      { name: 'reuse', reusesAnswers: true, run: () => answer },
      { name: 'look', run: () => answer },
    ]);
    const texts = async (name: string) =>
      [await door.call(name), await door.call(name)].map((outcome) => outcome.ok && outcome.text);
    expect(await texts('reuse')).toEqual(['{"n":1}', '{"n":1}']);
    expect(await texts('look')).toEqual(['{"n":2}', '{"n":3}']);
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
