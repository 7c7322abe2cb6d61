import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CatalogProgram, callForms, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { type Entry, entryFiles, hexHash, isoTime, sha256 } from './entries.fixture.ts';

const gate = (id: string, more: object): object => ({
  id,
  type: 'count',
  op: '>=',
  value: 1,
  severity: 'error',
  ...more,
});

describe.each(callForms)('review, gates and integrity, by %s', (form) => {
  let program: CatalogProgram;
  const evaluate = <T>(): Promise<T> => program.value<T>(form, 'gates/evaluate');

  beforeAll(async () => {
    program = await openCatalog(mutationOn, entryFiles);
  });
  afterAll(() => program?.close());
  beforeEach(() => program.replaceFiles(entryFiles));

  it('prompt/review finds a secret and suggests a fix', async () => {
    const review = await program.value<{ issues: Readonly<Record<string, string>>[] }>(form, 'prompt/review', {
      prompt: 'Use the key AKIAIOSFODNN7EXAMPLE for the upload.',
    });
    const issue = review.issues.find(({ ruleId }) => ruleId === 'no-secrets');
    expect(issue).toMatchObject({
      severity: 'critical',
      description: expect.any(String),
      match: expect.stringContaining('AKIA'),
      category: expect.any(String),
      remediation: expect.any(String),
    });
    expect(review).toMatchObject({ summary: { counts: { critical: 1 }, highestSeverity: 'critical' } });
  });

  it('[IN36] prompt/review takes Azure keys and passwords in URLs for secrets, but not placeholders', async () => {
    const ruleIdsOf = async (prompt: string) =>
      (
        await program.value<{ issues: { ruleId: string; match: string }[] }>(form, 'prompt/review', { prompt })
      ).issues.map(({ ruleId, match }) => `${ruleId} ${match}`);
    // Assembled here, so that secret scanners do not report this file.
    const azureKey = ['Account', 'Key=', 'aB3+'.repeat(21), 'ab=='].join('');
    expect(await ruleIdsOf(`DefaultEndpointsProtocol=https;${azureKey};`)).toEqual(['no-secrets Acco...']);
    expect(await ruleIdsOf(['Use postgres://app:', 'hunter2@db/app'].join(''))).toEqual(['no-secrets post...']);
    for (const password of ['$PASSWORD', '<password>', '***']) {
      expect(await ruleIdsOf(`Use postgres://app:${password}@db/app`), password).toEqual([]);
    }
  });

  it('prompt/review reports no critical issue for a clean prompt', async () => {
    const { issues } = await program.value<{ issues: { severity: string }[] }>(form, 'prompt/review', {
      prompt: 'Summarise the attached report in three sentences for the team.',
    });
    expect(issues.some(({ severity }) => severity === 'critical')).toBe(false);
  });

  it('prompt/review accepts 10,000 characters without NULs, and no more', async () => {
    const fits = `${'\u0000'.repeat(50)}${'word '.repeat(2_000)}`;
    const { error } = await program.call(form, 'prompt/review', { prompt: fits });
    expect(error).toBeUndefined();
    expect((await program.error(form, 'prompt/review', { prompt: 'x'.repeat(10_001) })).code).toBe(-32001);
  });

  it('gates/evaluate answers notConfigured without a file', async () => {
    expect(await evaluate()).toEqual({
      generatedAt: expect.stringMatching(isoTime),
      results: [],
      summary: { errors: 0, warnings: 0, total: 0 },
      notConfigured: true,
    });
  });

  it('gates count the entries that their condition selects', async () => {
    program.writeFile('gates.json', {
      gates: [
        gate('min-alpha', {}),
        gate('git-many', { where: { category: 'git' }, op: '>', value: 5 }),
        gate('p1-few', { where: { tier: 'P1' }, op: '<=', value: 0, severity: 'warn' }),
        gate('mandatory', { where: { requirement: 'mandatory' }, op: '==', value: 1 }),
        gate('urgent', { where: { priorityLt: 20 }, op: '!=', value: 3 }),
        gate('owned', {
          where: { owner: 'platform', status: 'approved', classification: 'internal' },
          op: '<',
          value: 2,
        }),
      ],
    });
    const report = await evaluate<{ results: { id: string; passed: boolean; count: number }[] }>();
    expect(report).toMatchObject({
      generatedAt: expect.stringMatching(isoTime),
      summary: { errors: 1, warnings: 1, total: 6 },
    });
    expect(report.results[0]).toMatchObject({
      id: 'min-alpha',
      passed: true,
      count: 3,
      op: '>=',
      value: 1,
      severity: 'error',
    });
    expect(report.results.map(({ id, passed, count }) => [id, passed, count])).toEqual([
      ['min-alpha', true, 3],
      ['git-many', false, 2],
      ['p1-few', false, 1],
      ['mandatory', true, 1],
      ['urgent', true, 1],
      ['owned', true, 1],
    ]);
  });

  it('gates combine conditions with all, any and not', async () => {
    const many = { where: { category: 'git' }, op: '>=', value: 2 };
    const none = { where: { category: 'unknown' }, op: '>=', value: 1 };
    program.writeFile('gates.json', {
      gates: [
        { id: 'both', severity: 'error', all: [many, { not: none }] },
        { id: 'one', severity: 'error', any: [none, many] },
        { id: 'never', severity: 'warn', not: many },
      ],
    });
    const { results } = await evaluate<{ results: { id: string; passed: boolean }[] }>();
    expect(results.map(({ id, passed }) => [id, passed])).toEqual([
      ['both', true],
      ['one', true],
      ['never', false],
    ]);
  });

  it('an invalid gates file is an error with its position, and the catalog is served', async () => {
    program.writeFile('gates.json', '{"gates":[');
    const { error } = await program.call(form, 'gates/evaluate');
    expect(error?.code).toBe(-32002);
    expect(error?.message).toContain('gates');
    expect(await program.value(form, 'instructions/list')).toMatchObject({ count: 3 });
  });

  it('integrity/verify finds a body that does not match its hash', async () => {
    await program.value(form, 'instructions/enrich');
    const clean = await program.value(form, 'integrity/verify');
    expect(clean).toEqual({ hash: expect.stringMatching(hexHash), count: 3, issues: [], issueCount: 0 });
    const { item } = await program.value<{ item: Entry }>(form, 'instructions/get', { id: 'beta' });
    program.writeFile('beta.json', { ...item, body: 'Tampered.' });
    await program.value(form, 'instructions/reload');
    expect(await program.value(form, 'integrity/verify')).toMatchObject({
      issueCount: 1,
      issues: [{ id: 'beta', expected: item.sourceHash, actual: sha256('Tampered.') }],
    });
    await program.value(form, 'instructions/repair');
    expect(await program.value(form, 'integrity/verify')).toMatchObject({ issueCount: 0 });
  });

  it('integrity/manifest reports a missing manifest', async () => {
    expect(await program.value(form, 'integrity/manifest')).toMatchObject({ manifest: 'missing' });
  });
});

describe.each(callForms)('custom criteria, by %s', (form) => {
  const criteriaOf = (rule: object): object => ({
    version: '1',
    categories: [
      {
        id: 'words',
        rules: [{ id: 'mine', severity: 'error', description: 'Not so', remediation: 'But so', ...rule }],
      },
    ],
  });
  const review = async (rule: object, prompt: string) => {
    const program = await openCatalog({}, { 'PROMPT-CRITERIA.json': criteriaOf(rule) });
    const reply = await program.call(form, 'prompt/review', { prompt });
    await program.close();
    return reply;
  };

  it('report a matching pattern and a missing text', async () => {
    const found = { issues: [{ ruleId: 'mine', category: 'words', severity: 'error', remediation: 'But so' }] };
    expect((await review({ pattern: 'foo' }, 'some foo')).value).toMatchObject(found);
    expect((await review({ mustContain: 'please' }, 'do it')).value).toMatchObject(found);
    expect((await review({ mustContain: 'please' }, 'please do it')).value).toMatchObject({ issues: [] });
  });

  it('reject an exponential pattern with the name of its rule, without hanging', async () => {
    const { error } = await review({ pattern: '(a+)+$' }, `${'a'.repeat(5_000)}!`);
    expect(error?.code).toBe(-32002);
    expect(JSON.stringify(error)).toContain('mine');
  });
});
