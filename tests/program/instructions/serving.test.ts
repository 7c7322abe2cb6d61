import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '#tests/support/program.ts';
import { type CatalogProgram, type Json, mutationOn } from './catalog-program.fixture.ts';
import { engines, openOn } from './engines.fixture.ts';
import { entryInput } from './entries.fixture.ts';

interface Served {
  readonly appliesCount: number;
  readonly to: readonly Json[];
}

interface UsageFacts {
  readonly data: {
    readonly raw: {
      readonly signals: Json;
      readonly comments: readonly Json[];
      readonly served: (Served & Json) | null;
    };
  };
}

const rules = {
  'deploy-style.json': entryInput('deploy-style', {
    body: 'Deploy with the script deploy-v1.',
    owner: 'platform',
    appliesTo: { tasks: ['deploy'] },
  }),
  'commit-style.json': entryInput('commit-style', { owner: 'platform', appliesTo: { tasks: ['commit'] } }),
  'old-rule.json': entryInput('old-rule', { owner: 'platform', nextReviewDue: '2020-01-01T00:00:00.000Z' }),
};

const gates = {
  gates: [
    {
      id: 'no-outdated-rules',
      where: { signal: ['outdated', 'not-relevant'], status: 'approved' },
      op: '==',
      value: 0,
      severity: 'error',
    },
    { id: 'reviews-on-time', where: { reviewOverdue: true }, op: '==', value: 0, severity: 'warn' },
    { id: 'nothing-unused', where: { unusedDays: 90 }, op: '==', value: 0, severity: 'warn' },
  ],
};

/** A command of another process on the same data. */
const runOn = ({ env }: CatalogProgram, ...words: readonly string[]) => runProgram(words, env);

async function factsOf(program: CatalogProgram, ...words: readonly string[]): Promise<UsageFacts['data']['raw']> {
  const { stdout } = await runOn(program, 'instructions', 'inspect', '--scope', 'usage', '--json', ...words);
  return (JSON.parse(stdout) as UsageFacts).data.raw;
}

describe.each(engines)('a week in the life of a rule, with %s', (engine) => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openOn(engine, mutationOn, rules);
    program.writeFile('gates.json', gates);
  });
  afterAll(() => program?.close());
  const ask = <T = Json>(name: string, args: Json = {}) => program.value<T>('tools/call', name, args);

  it('[IN62] an agent gets rules, and another process sees to whom', async () => {
    for (let i = 0; i < 2; i += 1) await ask('instructions/applicable', { task: 'deploy', workspaceId: 'web' });
    await ask('instructions/dispatch', { action: 'applicable', task: 'commit' });
    const served = () => factsOf(program, '--id', 'deploy-style').then((facts) => facts.served?.appliesCount);
    await expect.poll(served, { timeout: 60_000 }).toBe(2);
    expect((await factsOf(program, '--id', 'deploy-style')).served?.to).toMatchObject([
      { actor: 'local', workspace: 'web', appliesCount: 2, mayApplyCount: 0 },
    ]);
    expect(await factsOf(program, '--id', 'old-rule')).toMatchObject({ served: null });
    expect((await factsOf(program)).served).toMatchObject({
      servedCount: 2,
      most: [
        { id: 'deploy-style', appliesCount: 2 },
        { id: 'commit-style', appliesCount: 1 },
      ],
      neverCount: 1,
      never: ['old-rule'],
    });
  });

  it('[IN61] the gates pass as long as no agent complains', async () => {
    expect(await runOn(program, 'gates', 'evaluate')).toMatchObject({ code: 0, stderr: '' });
    const strict = await runOn(program, 'gates', 'evaluate', '--fail-on', 'warn');
    expect(strict).toMatchObject({
      code: 1,
      stderr: 'Failed: gates not passed: reviews-on-time (1, must be == 0) (--fail-on warn)\n',
    });
  });

  it('[IN63] an agent reports an outdated rule, and the lead sees it', async () => {
    await ask('usage/track', { id: 'deploy-style', signal: 'outdated', comment: 'deploy-v1 was removed' });
    const comment = { by: 'local', signal: 'outdated', comment: 'deploy-v1 was removed' };
    expect(await ask('usage/hotset')).toMatchObject({
      items: [{ id: 'deploy-style', usageCount: 1, signals: { outdated: 1 }, comments: [comment] }],
    });
    expect(await ask('instructions/query', { signal: ['outdated'] })).toMatchObject({
      total: 1,
      items: [{ id: 'deploy-style' }],
      remarks: [{ id: 'deploy-style', signals: { outdated: 1 }, comments: [comment] }],
    });
    expect(await ask('instructions/query', { filters: { signal: ['outdated'], signalMin: 2 } })).toMatchObject({
      total: 0,
    });
    expect(await factsOf(program)).toMatchObject({
      signals: [{ id: 'deploy-style', outdated: 1 }],
      comments: [{ id: 'deploy-style', ...comment }],
    });
  });

  it('[IN61] the gate fails with one line that says why', async () => {
    const { code, stderr, stdout } = await runOn(program, 'gates', 'evaluate', '--json');
    expect(code).toBe(1);
    expect(stderr).toBe('Failed: gates not passed: no-outdated-rules (1, must be == 0) (--fail-on error)\n');
    expect(JSON.parse(stdout)).toMatchObject({ summary: { errors: 1, warnings: 1, total: 3 } });
    expect((await runOn(program, 'gates', 'evaluate', '--fail-on', 'none')).code).toBe(0);
    expect(await ask('gates/evaluate')).toMatchObject({ summary: { errors: 1 } });
  });

  it('the lead fixes the rule, and the gate passes; the comment stays', async () => {
    const entry = { ...rules['deploy-style.json'], body: 'Deploy with the script deploy-v2.' };
    await ask('instructions/add', { entry, overwrite: true });
    expect((await runOn(program, 'gates', 'evaluate')).code).toBe(0);
    expect(await ask('instructions/query', { signal: ['outdated'] })).toMatchObject({ total: 0 });
    expect(await factsOf(program, '--id', 'deploy-style')).toMatchObject({
      signals: { open: {}, total: { outdated: 1 } },
      comments: [{ comment: 'deploy-v1 was removed' }],
    });
  });

  it('[IN63] overdue reviews and unused rules are found', async () => {
    expect(await ask('instructions/query', { reviewOverdue: true })).toMatchObject({
      total: 1,
      items: [{ id: 'old-rule' }],
      appliedFilters: { reviewOverdue: true },
    });
    expect(await ask('instructions/query', { filters: { reviewOverdue: false } })).toMatchObject({ total: 2 });
    expect(await ask('instructions/health')).toMatchObject({ overdueReviews: 1 });
    expect(await ask('instructions/inspect', { id: 'old-rule' })).toMatchObject({
      data: { metadata: { reviewOverdue: true } },
    });
    const entry = entryInput('ancient', { createdAt: '2020-01-01T00:00:00.000Z' });
    await ask('instructions/add', { entry, lax: true });
    const unused = () => ask('instructions/query', { unusedDays: 30 });
    expect(await unused()).toMatchObject({ items: [{ id: 'ancient' }] });
    await ask('usage/track', { id: 'ancient' });
    expect(await unused()).toMatchObject({ total: 0 });
  });

  it('[IN63] rejects filters that make no sense', async () => {
    for (const args of [
      { signal: ['bad'] },
      { signal: [] },
      { signalMin: 2 },
      { unusedDays: 0 },
      { reviewOverdue: 'yes' },
      { reviewOverdue: true, filters: { reviewOverdue: false } },
    ]) {
      expect(await program.error('tools/call', 'instructions/query', args)).toMatchObject({ code: -32602 });
    }
  });
});

describe.each(engines)('[IN62] what is recorded, with %s', (engine) => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openOn(engine, mutationOn, rules);
  });
  afterAll(() => program?.close());
  const servedCount = async () => (await factsOf(program, '--id', 'deploy-style')).served?.appliesCount ?? 0;
  const apply = (...words: readonly string[]) =>
    runOn(program, 'instructions', 'applicable', '--task', 'deploy', '--json', ...words);

  it('nothing with --read-only, with the setting off or without the feature', async () => {
    for (const words of [['--read-only'], ['--no-record-served'], ['--features', 'other']]) {
      const { code, stdout } = await apply(...words);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ items: [{ id: 'deploy-style' }] });
    }
    expect(await servedCount()).toBe(0);
    const off = await runOn(program, 'instructions', 'inspect', '--scope', 'usage', '--json', '--no-record-served');
    expect(JSON.parse(off.stdout)).toMatchObject({ data: { validation: { isServingRecorded: false } } });
  });

  it('every answer of a process that ends normally, without an audit row', async () => {
    const audit = async () => JSON.parse((await runOn(program, 'audit', 'verify', '--json')).stdout) as Json;
    const before = await audit();
    expect((await apply()).code).toBe(0);
    expect(await servedCount()).toBe(1);
    expect(await audit()).toEqual(before);
  });

  it('every answer of a server that is stopped with a signal', async () => {
    const answer = await program.value('tools/call', 'instructions/applicable', { task: 'deploy' });
    expect(answer).toMatchObject({ items: [{ id: 'deploy-style' }] });
    const ended = new Promise((resolve) => program.child.once('exit', resolve));
    program.child.kill('SIGTERM');
    await ended;
    expect(await servedCount()).toBe(2);
  });
});
