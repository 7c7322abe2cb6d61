import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { faults } from '../fault/kernel-faults.ts';
import { limits } from '../limits.ts';
import { createInvokeFixture, faultOf, outcomeOf } from './invoke.fixture.ts';
import type { ToolCall } from './tool.ts';

describe('names', () => {
  const fixture = createInvokeFixture([{ name: 'catalog/governanceHash', aliases: ['catalog/hash'] }]);

  it.each([
    'catalog/governanceHash',
    'catalog_governanceHash',
    'catalog_governance_hash',
    'catalog/hash',
    'catalog_hash',
  ])('calls a tool by %s', async (name) => {
    const outcome = await fixture.call(name);
    expect([outcomeOf(outcome), outcome.card?.name]).toEqual([{ ok: true }, 'catalog/governanceHash']);
  });

  it.each(['catalog', 'catalog/governancehash', 'Catalog/hash', 'toString', '__proto__', ''])(
    'finds no tool by %j',
    async (name) => {
      const outcome = await fixture.call(name);
      expect([outcomeOf(outcome), outcome.card]).toEqual(['UNKNOWN_TOOL', undefined]);
    },
  );

  it('repeats an unknown name, but not a megabyte of it', async () => {
    expect(faultOf(await fixture.call('no/such')).message).toBe('Unknown tool: no/such');
    expect(faultOf(await fixture.call('x'.repeat(1_000_000))).message.length).toBeLessThan(300);
  });
});

describe('input', () => {
  const run = vi.fn<(input: unknown) => object>((input) => ({ got: input }));
  const fixture = createInvokeFixture([
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
    { name: 'clean', stripsNul: true, run },
    {
      name: 'correct',
      input: z.strictObject({
        entity_id: z.string(),
        fields: z.custom<object>((value) => typeof value === 'object'),
        reason: z.string().optional(),
      }),
    },
  ]);

  it.each([
    ['another word for a missing argument', { entity_id: 'a', corrections: {} }, 'fields'],
    ['another word while two are missing', { field_values: {} }, 'fields'],
    ['a misspelled optional argument', { entity_id: 'a', fields: {}, raeson: 'x' }, 'reason'],
    ['a misspelled optional argument while another is missing', { entity_id: 'a', reasons: 'x' }, 'reason'],
  ])('names the argument that was meant by %s', async (_what, args, meant) => {
    expect(faultOf(await fixture.call('correct', args)).fix).toContain(`did you mean "${meant}"?`);
  });

  it('is parsed before the tool runs', async () => {
    expect(outcomeOf(await fixture.call('take', { id: 'a' }))).toEqual({ got: { id: 'a', limit: 5 } });
  });

  it('defaults to an empty object', async () => {
    for (const args of [undefined, null]) expect(outcomeOf(await fixture.call('open', args))).toEqual({ got: {} });
  });

  it('is rejected with the places in the format of Ajv, and the tool does not run', async () => {
    run.mockClear();
    const fault = faultOf(await fixture.call('take', { id: 5, limit: 10, more: true }));
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

  it('is rejected with at most 20 places and the number of those that were found', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 1]));
    const { message, details } = faultOf(await fixture.call('take', { id: 'a', ...many }));
    expect(details['errors']).toHaveLength(20);
    expect(details['errors_total']).toBe(5_000);
    expect(message).toBe(
      "Invalid params: arguments must NOT have additional properties ('k0') (and at least 4999 more errors)",
    );
  });

  it('is quoted only in part when it is rejected', async () => {
    const key = 'k'.repeat(1_000_000);
    const { details } = faultOf(await fixture.call('take', { id: 'a', [key]: 1 }));
    expect(details['errors']).toMatchObject([{ params: { additionalProperty: `${key.slice(0, 99)}…` } }]);
    expect(JSON.stringify(details).length).toBeLessThan(1_000);
  });

  it('may violate a rule with its own fault', async () => {
    expect(faultOf(await fixture.call('named', { id: 'a' })).code).toBe('NOT_FOUND');
  });

  it('may contain _meta, which is never an argument', async () => {
    expect(outcomeOf(await fixture.call('take', { id: 'a', _meta: { progressToken: 1 } }))).toEqual({
      got: { id: 'a', limit: 5 },
    });
    expect(outcomeOf(await fixture.call('open', { _meta: 1, deep: { _meta: 2 } }))).toEqual({
      got: { deep: { _meta: 2 } },
    });
  });

  it.each([
    [{ id: 'a\0b' }, '/id'],
    [{ id: '\ud800' }, '/id'],
    [{ list: ['fine', { 'a/b': '\udc00x' }] }, '/list/1/a~1b'],
    [{ deep: { 'bad\0key': 1 } }, '/deep'],
    [{ '\ud800': 1 }, ''],
  ])('is rejected with text that a store cannot keep: %j', async (args, at) => {
    run.mockClear();
    const fault = faultOf(await fixture.call('open', args));
    expect(fault.code).toBe('INVALID_PARAMS');
    expect(fault.details['errors']).toMatchObject([{ instancePath: at, keyword: 'format' }]);
    expect(run).not.toHaveBeenCalled();
  });

  it('loses NULs where the tool allows it, and is rejected for other invalid text', async () => {
    expect(outcomeOf(await fixture.call('clean', { query: '\0a\0b', list: ['\0'], n: 1 }))).toEqual({
      got: { query: 'ab', list: [''], n: 1 },
    });
    run.mockClear();
    expect(outcomeOf(await fixture.call('clean', { query: '\0\ud800' }))).toBe('INVALID_PARAMS');
    expect(run).not.toHaveBeenCalled();
  });

  it.each(['', 'x'.repeat(201), 'two words', 'ümlaut', 'new\nline', '\0'])(
    'rejects the idempotency key %j',
    async (idempotencyKey) => {
      expect(outcomeOf(await fixture.call('open', {}, { idempotencyKey }))).toBe('INVALID_PARAMS');
    },
  );
});

describe('the call', () => {
  const seen: ToolCall[] = [];
  const keep = (_input: unknown, call: ToolCall) => {
    seen.push(call);
    return {};
  };
  const fixture = createInvokeFixture([
    { name: 'look', run: keep },
    { name: 'make', effect: 'create', input: z.strictObject({ a: z.int(), b: z.int().default(2) }), run: keep },
    { name: 'count', effect: 'create', audit: 'none', run: keep, deadlineMs: 500 },
  ]);
  const callOf = async (name: string, args?: unknown, idempotencyKey?: string) => {
    await fixture.call(name, args, idempotencyKey === undefined ? {} : { idempotencyKey });
    return seen.at(-1)!;
  };

  it('carries caller, tool, deadline and audit mode', async () => {
    expect(await callOf('look')).toMatchObject({
      tenant: 'local',
      actor: 'ada',
      tool: 'look',
      audit: 'none',
      deadlineAt: fixture.clock.now() + limits.callDeadlineMs,
    });
    expect(await callOf('make', { a: 1 })).toMatchObject({ audit: 'row' });
    expect(await callOf('count')).toMatchObject({ audit: 'none', deadlineAt: fixture.clock.now() + 500 });
  });

  it('carries the idempotency key of a write, with a hash of the request', async () => {
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

  it('carries no key for a read, or without one in the request', async () => {
    expect(await callOf('look', {}, 'key')).not.toHaveProperty('idempotencyKey');
    expect(await callOf('make', { a: 1 })).not.toHaveProperty('requestHash');
  });

  it('passes progress on', async () => {
    const progress = vi.fn<ToolCall['progress']>();
    const run = (_input: unknown, call: ToolCall) => {
      call.progress(1, 2, 'half');
      return {};
    };
    const report = createInvokeFixture([{ name: 'long', run }]);
    await report.call('long', {}, { progress });
    expect(progress.mock.calls).toEqual([[1, 2, 'half']]);
    expect(outcomeOf(await report.call('long'))).toEqual({});
  });
});
