import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localTenant, toTenantId } from '../call.ts';
import { Fault } from '../fault/fault.ts';
import { poolEntry } from './pool-entry.ts';
import { createRegexRunner, type RegexRunner, regexLimits } from './regex-runner.ts';
import { createWorkers, type Workers } from './workers.ts';

describe('the regex runner', () => {
  let workers: Workers;
  let regex: RegexRunner;
  beforeAll(() => {
    workers = createWorkers({ entry: poolEntry, threadsCount: 2 });
    const runner = createRegexRunner(workers);
    // Generous, because the machine may be busy; a test of the deadline sets its own.
    const wallMs = 600_000;
    regex = {
      test: (query) => runner.test({ wallMs, ...query }),
      findAll: (query) => runner.findAll({ wallMs, ...query }),
    };
  });
  afterAll(() => workers.close());

  const tenant = localTenant;
  /** `^(a+)+$` tries all ways to divide it. */
  const exploding = [`${'a'.repeat(60)}!`];
  const faultOf = async (promise: Promise<unknown>): Promise<Fault> => {
    const caught = await promise.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (caught instanceof Fault) return caught;
    throw new Error(`no fault: ${String(caught)}`);
  };

  it('reports which texts match', async () => {
    const query = { source: '^b.d$', flags: 'im', texts: ['a', 'abd', 'a\nBAD', ''], tenant };
    expect(await regex.test(query)).toEqual([false, false, true, false]);
  });

  it('reports where each text matches, and whether the list was cut', async () => {
    const found = await regex.findAll({ source: 'a+|$', texts: ['aabaa', 'b', ''], tenant });
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
    const cut = await regex.findAll({ source: 'a', texts: ['aaaa', 'a'], tenant, matchesPerTextCount: 2 });
    expect([cut.texts.map((ranges) => ranges.length), cut.cut]).toEqual([[2, 1], true]);
  });

  it('matches whole characters with the flag u, and surrogate halves without it', async () => {
    expect((await regex.findAll({ source: '^.$', flags: 'u', texts: ['\u{1f600}'], tenant })).texts[0]).toHaveLength(1);
    expect((await regex.findAll({ source: '^.$', texts: ['\u{1f600}'], tenant })).texts[0]).toHaveLength(0);
  });

  it.each([
    ['(a', '', 'Unterminated group'],
    ['x[z-a]', '', 'Range out of order in character class'],
    ['a|*b', '', 'Nothing to repeat'],
    ['\\y', 'u', 'Invalid escape'],
    ['(?<a>x)(?<a>y)', '', 'Duplicate capture group name'],
  ])('rejects the invalid pattern %s with the reason of the engine', async (source, flags, reason) => {
    const fault = await faultOf(regex.test({ source, flags, texts: ['a'], tenant }));
    expect([fault.code, fault.details]).toEqual(['VALIDATION_ERROR', { reason }]);
    expect(fault.message).toBe(`The pattern is not valid: ${reason}`);
  });

  it.each(['g', 'y', 'ii', 'uv', 'x', 'i\n'])('rejects the flags %j', async (flags) => {
    expect((await faultOf(regex.test({ source: 'a', flags, texts: [], tenant }))).code).toBe('VALIDATION_ERROR');
  });

  it('rejects patterns and texts over the limit before they reach a thread', async () => {
    const long = 'a'.repeat(regexLimits.patternChars);
    expect(await regex.test({ source: long, texts: [long], tenant })).toEqual([true]);
    expect((await faultOf(regex.test({ source: `${long}a`, texts: [], tenant }))).code).toBe('RESOURCE_LIMIT');
    const longTexts = ['a'.repeat(regexLimits.patternTextChars), 'b'];
    expect((await faultOf(regex.test({ source: 'a', texts: longTexts, tenant }))).code).toBe('RESOURCE_LIMIT');
  });

  it('stops a pattern at its deadline', async () => {
    const fault = await faultOf(regex.test({ source: '^(a+)+$', texts: exploding, tenant, wallMs: 200 }));
    expect([fault.code, fault.message]).toEqual(['JOB_TIMEOUT', 'The pattern took longer than 200 ms and was stopped']);
  });

  it('answers the patterns of other tenants while one explodes', async () => {
    const caller = new AbortController();
    let isOver = false;
    const running = regex
      .test({ source: '^(a+)+$', texts: exploding, tenant, signal: caller.signal })
      .catch((error: unknown) => error)
      .finally(() => {
        isOver = true;
      });
    const other = { source: 'b', texts: ['abc'], tenant: toTenantId('other') };
    for (let i = 0; i < 20; i += 1) expect(await regex.test(other)).toEqual([true]);
    expect(isOver).toBe(false);
    caller.abort('enough');
    expect(await running).toBe('enough');
  });

  it('stops when the caller cancels', async () => {
    const caller = new AbortController();
    const query = { source: '^(a+)+$', texts: exploding, tenant, signal: caller.signal };
    const running = regex.test(query).catch((error: unknown) => error);
    caller.abort('gone');
    expect(await running).toBe('gone');
  });
});
