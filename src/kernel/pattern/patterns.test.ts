import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localTenant, toTenantId } from '../call.ts';
import { Fault } from '../fault/fault.ts';
import { poolEntry } from '../workers/pool-entry.ts';
import { createWorkers, type Workers } from '../workers/workers.ts';
import { createPatterns, type Patterns, patternLimits } from './patterns.ts';

describe("users' patterns", () => {
  let workers: Workers;
  let patterns: Patterns;
  beforeAll(() => {
    workers = createWorkers({ entry: poolEntry, threadsCount: 2 });
    patterns = createPatterns(workers);
  });
  afterAll(() => workers.close());

  const tenant = localTenant;
  const faultOf = async (promise: Promise<unknown>): Promise<Fault> => {
    const caught = await promise.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (caught instanceof Fault) return caught;
    throw new Error(`no fault: ${String(caught)}`);
  };

  it('tell which texts match', async () => {
    const query = { source: '^b.d$', flags: 'im', texts: ['a', 'abd', 'a\nBAD', ''], tenant };
    expect(await patterns.test(query)).toEqual([false, false, true, false]);
  });

  it('tell where each text matches, and whether the list was cut', async () => {
    const found = await patterns.findAll({ source: 'a+|$', texts: ['aabaa', 'b', ''], tenant });
    expect(found.texts).toEqual([
      [
        { start: 0, end: 2 },
        { start: 3, end: 5 },
        { start: 5, end: 5 },
      ],
      [{ start: 1, end: 1 }],
      [{ start: 0, end: 0 }],
    ]);
    expect(found.cut).toBe(false);
    const cut = await patterns.findAll({ source: 'a', texts: ['aaaa', 'a'], tenant, matchesPerTextCount: 2 });
    expect([cut.texts.map((ranges) => ranges.length), cut.cut]).toEqual([[2, 1], true]);
  });

  it('match whole characters under u, halves of them without', async () => {
    expect((await patterns.findAll({ source: '^.$', flags: 'u', texts: ['\u{1f600}'], tenant })).texts[0]).toHaveLength(
      1,
    );
    expect((await patterns.findAll({ source: '^.$', texts: ['\u{1f600}'], tenant })).texts[0]).toHaveLength(0);
  });

  it.each([
    ['(a', '', 0, 'this group is not closed'],
    ['ab[c-', '', 2, 'this class is not closed'],
    ['x[z-a]', '', 2, 'this range is out of order'],
    ['a|*b', '', 2, 'there is nothing to repeat'],
    ['a{2,1}', '', 1, 'these counts are out of order'],
    ['a)', '', 1, 'this bracket closes nothing'],
    ['ab\\', '', 2, 'the pattern ends with a backslash'],
    ['(?~a)', '', 0, 'there is no such kind of group'],
    ['\\y', 'u', 0, '\\y means nothing here'],
    ['a\\k<n>(?<m>b)', '', 1, 'there is no group n'],
  ])('that are not valid are refused at their place: %s', async (source, flags, at, reason) => {
    const fault = await faultOf(patterns.test({ source, flags, texts: ['a'], tenant }));
    expect([fault.code, fault.details]).toEqual(['VALIDATION_ERROR', { at, reason }]);
    expect(fault.message).toBe(`The pattern is not valid at character ${at + 1}: ${reason}`);
  });

  it("that only the engine finds wrong are refused with the engine's reason", async () => {
    const fault = await faultOf(patterns.test({ source: '(?<a>x)(?<a>y)', texts: ['a'], tenant }));
    expect([fault.code, fault.message]).toEqual([
      'VALIDATION_ERROR',
      'The pattern is not valid: Duplicate capture group name',
    ]);
  });

  it.each(['g', 'y', 'ii', 'uv', 'x', 'i\n'])('with the flags %j are refused', async (flags) => {
    expect((await faultOf(patterns.test({ source: 'a', flags, texts: [], tenant }))).code).toBe('VALIDATION_ERROR');
  });

  it('and texts over the limit are refused before any thread sees them', async () => {
    const long = 'a'.repeat(patternLimits.patternChars);
    expect(await patterns.test({ source: long, texts: [long], tenant })).toEqual([true]);
    expect((await faultOf(patterns.test({ source: `${long}a`, texts: [], tenant }))).code).toBe('RESOURCE_LIMIT');
    const texts = ['a'.repeat(patternLimits.patternTextChars), 'b'];
    expect((await faultOf(patterns.test({ source: 'a', texts, tenant }))).code).toBe('RESOURCE_LIMIT');
  });

  it('that explode end at their time, while those of others are answered', async () => {
    const texts = [`${'a'.repeat(60)}!`];
    const order: string[] = [];
    const exploding = faultOf(patterns.test({ source: '^(a+)+$', texts, tenant, wallMs: 1_000 })).finally(() =>
      order.push('exploded'),
    );
    const other = { source: 'b', texts: ['abc'], tenant: toTenantId('other') };
    for (let i = 0; i < 20; i += 1) expect(await patterns.test(other)).toEqual([true]);
    order.push('twenty others');
    const fault = await exploding;
    expect([fault.code, fault.message]).toEqual([
      'JOB_TIMEOUT',
      'The pattern took longer than 1000 ms and was stopped',
    ]);
    expect(order).toEqual(['twenty others', 'exploded']);
  });

  it('end when their caller is gone', async () => {
    const caller = new AbortController();
    const query = { source: '^(a+)+$', texts: [`${'a'.repeat(60)}!`], tenant, signal: caller.signal, wallMs: 30_000 };
    const running = patterns.test(query).catch((error: unknown) => error);
    caller.abort('gone');
    expect(await running).toBe('gone');
  });
});
