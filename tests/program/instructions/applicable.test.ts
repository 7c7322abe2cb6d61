import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findModelFiles } from '#kernel/embed/minilm/open-minilm.ts';
import { type CatalogProgram, type Json, mutationOn, untilEmbedded } from './catalog-program.fixture.ts';
import { engines, openOn } from './engines.fixture.ts';
import { type Applicable, importJudgedRules } from './judged-rules.fixture.ts';

const modelOff = { FOURFOLD_SEMANTIC_SEARCH: '0' } as const;

/** Rules as a team writes them: some with conditions, some with nothing but a text. */
const teamRules: readonly Json[] = [
  { id: 'no-secrets', title: 'Secrets', body: 'Never commit credentials.', appliesTo: { always: true } },
  { id: 'ts-style', body: 'No any.', appliesTo: { files: ['**/*.ts'] } },
  { id: 'deployment', title: 'Deployment', description: 'Deploying services to production', body: 'Ship by canary.' },
  { id: 'canary-numbers', body: 'A canary release goes to 5 percent of the users first.' },
  { id: 'plants', body: 'Water the plants in the kitchen on Mondays.' },
  { id: 'python-release', body: 'A release of the package goes to PyPI.', appliesTo: { folders: ['py'] } },
  ...Array.from({ length: 30 }, (_, i) => ({ id: `topic-${i}`, body: `Notes about subject number ${i}.` })),
];

const filesOf = (rules: readonly Json[]) =>
  Object.fromEntries(rules.map((rule) => [`${String(rule['id'])}.json`, rule]));

function asking(program: () => CatalogProgram) {
  const call = <T = Json>(action: string, args: Json) =>
    program().value<T>('tools/call', `instructions/${action}`, args);
  return {
    call,
    rulesFor: (args: Json) => call<Applicable>('applicable', args),
    add: (entry: Json, more: Json = {}) =>
      call<{ created: boolean; appears: string }>('add', { entry, lax: true, ...more }),
  };
}

const idsOf = ({ items }: Applicable) => items.map(({ id }) => id);
const mayIdsOf = ({ may_apply = [] }: Applicable) => may_apply.map(({ id }) => id);

describe.each(engines)('[IN50] an agent asks for the rules of its task, with %s', (engine) => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openOn(engine, { ...mutationOn, ...modelOff }, filesOf(teamRules));
  });
  afterAll(() => program?.close());
  const { rulesFor } = asking(() => program);

  it('without a task it gets what always applies', async () => {
    const answer = await rulesFor({});
    expect(idsOf(answer)).toEqual(['no-secrets']);
    expect(answer).toMatchObject({
      items: [{ reasons: ['always'] }],
      hint: expect.stringContaining('instructions_search'),
    });
    expect(answer).not.toHaveProperty('may_apply');
  });

  it('gets the rules for its files first, and those whose text fits as a second list with reasons', async () => {
    const answer = await rulesFor({ task: 'roll out v2.3 to prod', files: ['src/server.ts'] });
    expect(idsOf(answer).sort()).toEqual(['no-secrets', 'ts-style']);
    expect(mayIdsOf(answer)).toContain('deployment');
    expect(answer.may_apply?.[0]).toMatchObject({
      reason: expect.stringMatching(/^about deployment/),
      body: expect.any(String),
    });
    expect(mayIdsOf(answer)).not.toContain('plants');
  });

  it('finds a rule with nothing but an id and a body by its text, unless it is for other files', async () => {
    const task = 'how many users get the canary release first';
    expect(mayIdsOf(await rulesFor({ task }))).toContain('canary-numbers');
    const release = 'prepare the PyPI release of the package';
    expect(mayIdsOf(await rulesFor({ task: release }))).toContain('python-release');
    expect(mayIdsOf(await rulesFor({ task: release, files: ['web/app.ts'] }))).not.toContain('python-release');
    expect(idsOf(await rulesFor({ task: release, files: ['py/setup.cfg'] }))).toContain('python-release');
  });

  it('gets nothing by text for a task that no rule is about', async () => {
    const answer = await rulesFor({ task: 'implement a quaternion' });
    expect(mayIdsOf(answer)).toEqual([]);
    expect(answer.hint).toContain('instructions_search');
  });
});

describe.each(engines)("[IN50] a team's imported rule files, with %s", (engine) => {
  it('reach an agent as their authors meant them', async () => {
    const program = await openOn(engine, { ...mutationOn, ...modelOff }, {});
    onTestFinished(() => program.close());
    await importJudgedRules(program);
    const { rulesFor } = asking(() => program);
    const always = idsOf(await rulesFor({}));
    expect(always).toEqual(expect.arrayContaining(['secrets', 'commit-style', 'ask-early', 'answer-style']));
    const specific = async (args: Json) => idsOf(await rulesFor(args)).filter((id) => !always.includes(id));
    expect(await specific({ files: ['web/src/Button.tsx'] })).toEqual(['react-components']);
    expect(await specific({ files: ['tools/test_parse.py'] })).toEqual(['python', 'unit-tests']);
    expect(await specific({ files: ['data/models/sales.sql'] })).toEqual(expect.arrayContaining(['sql', 'query-cost']));
    expect(mayIdsOf(await rulesFor({ task: 'deploying a service to production' }))[0]).toBe('deployment');
    expect(mayIdsOf(await rulesFor({ task: 'write the postmortem of the outage' }))[0]).toBe('postmortem');
  });
});

describe.each(engines)('[IN51] where a new rule appears, with %s', (engine) => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openOn(engine, { ...mutationOn, ...modelOff }, filesOf(teamRules));
  });
  afterAll(() => program?.close());
  const { add, rulesFor, call } = asking(() => program);

  it('a quick rule is found by its text, and then always', async () => {
    const entry = { id: 'commit-titles', body: 'Write commit titles in the imperative.' };
    expect((await add(entry)).appears).toMatch(/^in may_apply .*appliesTo \{"always": true\}/);
    expect(mayIdsOf(await rulesFor({ task: 'write the titles of two commits' }))).toEqual(['commit-titles']);
    const always = await add({ ...entry, appliesTo: { always: true } }, { overwrite: true });
    expect(always.appears).toMatch(/^in every answer/);
    expect(idsOf(await rulesFor({}))).toContain('commit-titles');
  });

  it('a quick mandatory rule gets its writer as owner and binds from now on', async () => {
    const answer = await add({ id: 'no-force-push', body: 'Never force-push.', requirement: 'mandatory' });
    expect(answer).toMatchObject({ created: true, appears: expect.stringMatching(/^in every answer/) });
    expect((await rulesFor({})).items[0]).toMatchObject({ id: 'no-force-push', requirement: 'mandatory' });
    expect(await call('get', { id: 'no-force-push' })).toMatchObject({
      item: { owner: 'local', categories: ['general'] },
    });
  });

  it('a draft appears nowhere until it is approved', async () => {
    const entry = { id: 'draft-rule', body: 'Quokkas review every parser.', status: 'draft' };
    expect((await add(entry)).appears).toMatch(/^nowhere until it is approved/);
    const task = 'let quokkas review the parser';
    expect(mayIdsOf(await rulesFor({ task }))).toEqual([]);
    await call('governanceUpdate', { id: 'draft-rule', status: 'approved' });
    expect(mayIdsOf(await rulesFor({ task }))).toEqual(['draft-rule']);
  });
});

describe.each(engines)('[IN50] many and hostile requests, with %s', (engine) => {
  const mandatory = Array.from({ length: 200 }, (_, i) => ({
    id: `must-${String(i).padStart(3, '0')}`,
    title: `Rule ${i}`,
    body: `Rule ${i}: ${'long explanation '.repeat(30)}`,
    requirement: 'mandatory',
    owner: 'platform',
    categories: ['safety'],
  }));
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openOn(engine, modelOff, filesOf(mandatory));
  });
  afterAll(() => program?.close());
  const { rulesFor, call } = asking(() => program);

  it('cuts none of 200 mandatory rules, and the cursor returns every body once', async () => {
    const first = await rulesFor({ task: 'explain the rules', limit: 10 });
    const ids = mandatory.map(({ id }) => id);
    expect(idsOf(first)).toEqual(ids);
    expect(first.leftOut).toMatch(/the bodies of 19\d rules .*nextCursor/);
    expect(first).not.toHaveProperty('may_apply');
    const read = first.items.filter(({ body }) => body !== undefined).map(({ id }) => id);
    for (let cursor = first.nextCursor; cursor !== undefined; ) {
      const page = await rulesFor({ task: 'explain the rules', limit: 10, cursor });
      expect(page.items.every(({ body }) => body !== undefined)).toBe(true);
      read.push(...idsOf(page));
      cursor = page.nextCursor;
    }
    expect(read).toEqual(ids);
  });

  it('rejects bad input with a fix, and answers odd but valid tasks', async () => {
    const { hash } = await call<{ hash: string }>('list', { limit: 1 });
    for (const args of [
      { task: 'x'.repeat(4_001) },
      { task: 5 },
      { files: 'a.ts' },
      { nope: 1 },
      { cursor: 'made-up' },
      { limit: 0 },
    ]) {
      const { code, data } = await program.error('tools/call', 'instructions/applicable', args);
      expect(code, JSON.stringify(args)).toBe(-32602);
      expect(data?.['suggestion'], JSON.stringify(args)).toBeTruthy();
    }
    for (const task of [
      '"',
      '***',
      '🦆'.repeat(900),
      'ÄÖ ü',
      'a'.repeat(4_000),
      `${'word '.repeat(790)}rule`,
      '(?:x+)+$',
    ]) {
      expect(idsOf(await rulesFor({ task })), task.slice(0, 20)).toHaveLength(200);
    }
    expect(await call('list', { limit: 1 })).toMatchObject({ hash });
  });
});

const hasModel = (await findModelFiles()) !== undefined;

describe.skipIf(!hasModel).each(engines)('[IN50] with the bundled model and %s', (engine) => {
  it('finds a rule in other words, answers meanwhile by words, and an example teaches a rule its tasks', async () => {
    const rules = [
      ...teamRules,
      { id: 'rotation', body: 'Replace every password after ninety days.' },
      { id: 'vouchers', body: 'Codes are drawn at random and expire after a year.' },
    ];
    const program = await openOn(engine, mutationOn, filesOf(rules));
    onTestFinished(() => program.close());
    const { rulesFor, add } = asking(() => program);
    const task = 'how often do we have to change our login secrets';
    // The first answer does not wait for the catalog to be embedded.
    expect(idsOf(await rulesFor({ task }))).toEqual(['no-secrets']);
    await untilEmbedded(program);
    const found = await rulesFor({ task });
    expect(found.may_apply).toMatchObject([{ id: 'rotation', reason: expect.stringContaining('similar meaning') }]);
    const campaign = 'the Christmas campaign for the newsletter';
    expect(mayIdsOf(await rulesFor({ task: campaign }))).not.toContain('vouchers');
    await add(
      { id: 'vouchers', body: rules.at(-1)!['body'], examples: ['a marketing campaign at Christmas'] },
      { overwrite: true },
    );
    const taught = async () => mayIdsOf(await rulesFor({ task: campaign }));
    await expect.poll(taught, { timeout: 120_000, interval: 50 }).toContain('vouchers');
  });
});
