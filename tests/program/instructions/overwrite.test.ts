import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptFieldNames, keptFields } from '#domains/instructions/rules/full-entry.fixture.ts';
import { type CatalogProgram, type Json, mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { engines, openOn } from './engines.fixture.ts';
import { type Entry, entryInput } from './entries.fixture.ts';

interface History {
  readonly count: number;
  readonly versions: readonly { readonly reason?: string }[];
}

/** What is left of an entry of which only id and body are given. */
const defaults = {
  title: 'full',
  priority: 50,
  audience: 'all',
  requirement: 'optional',
  categories: [],
  status: 'approved',
  owner: 'unowned',
  classification: 'internal',
};

describe.each(engines)('overwriting an instruction, with %s', (engine) => {
  let program: CatalogProgram;
  beforeAll(async () => {
    program = await openOn(engine, mutationOn, {});
  });
  afterAll(() => program?.close());

  const ask = <T = Json>(action: string, args: Json) => program.value<T>('tools/call', `instructions/${action}`, args);
  const itemOf = async (id: string) => (await ask<{ item: Entry }>('get', { id })).item;
  const historyOf = (id: string) => ask<History>('history', { id });
  const addFull = (id: string) => ask('add', { entry: { id, body: 'old', ...keptFields }, replace: true });

  it('[IN59] keeps every field that is not given and lists what changed', async () => {
    await addFull('full');
    expect(await ask('add', { entry: { id: 'full', body: 'new' }, overwrite: true })).toMatchObject({
      overwritten: true,
      version: '1.0.1',
      changedFields: ['body'],
    });
    expect(await itemOf('full')).toMatchObject({ ...keptFields, body: 'new' });
    for (const field of keptFieldNames) {
      const entry = { id: 'full', body: 'new', [field]: keptFields[field] };
      expect(await ask('add', { entry, overwrite: true }), field).toMatchObject({ changedFields: [] });
    }
    expect(await ask('add', { entry: { id: 'full', body: 'new', tags: [] }, overwrite: true })).toMatchObject({
      changedFields: ['tags'],
    });
  });

  it('[IN16] [IN59] an overwrite that changes nothing writes nothing', async () => {
    await addFull('same');
    const before = await itemOf('same');
    const { count } = await historyOf('same');
    for (const more of [{}, { ...keptFields }]) {
      const answer = await ask('add', { entry: { id: 'same', body: 'old', ...more }, overwrite: true });
      expect(answer).toMatchObject({ overwritten: true, version: '1.0.0', changedFields: [] });
    }
    expect(await itemOf('same')).toEqual(before);
    expect((await historyOf('same')).count).toBe(count);
  });

  it('[IN59] replace drops every field that is not given, and keeps the history', async () => {
    await addFull('full');
    const before = await itemOf('full');
    const incomplete = await ask('add', { entry: { id: 'full', body: 'bare' }, replace: true });
    expect(incomplete).toMatchObject({ created: false, overwritten: false, error: 'missing title' });
    expect(await itemOf('full')).toEqual(before);
    const replaced = await ask<{ changedFields: string[] }>('add', {
      entry: { id: 'full', body: 'bare' },
      replace: true,
      lax: true,
    });
    expect(replaced).toMatchObject({ overwritten: true });
    expect(replaced.changedFields).toEqual(expect.arrayContaining(keptFieldNames));
    const after = await itemOf('full');
    expect(after).toMatchObject({ ...defaults, body: 'bare', createdAt: before.createdAt });
    expect(after.changeLog.slice(0, before.changeLog.length)).toEqual(before.changeLog);
    for (const field of ['rationale', 'tags', 'appliesTo', 'workspaceId', 'deprecatedBy', 'extensions']) {
      expect(after).not.toHaveProperty(field);
    }
  });

  it('[IN59] an import merges or replaces all fields alike', async () => {
    await addFull('full');
    const entries = [{ id: 'full', body: 'imported' }];
    expect(await ask('import', { entries, mode: 'merge' })).toMatchObject({ overwritten: 1, errors: [] });
    expect(await itemOf('full')).toMatchObject({ ...keptFields, body: 'imported' });
    expect(await ask('import', { entries, mode: 'overwrite' })).toMatchObject({ overwritten: 1, errors: [] });
    const after = await itemOf('full');
    expect(after).toMatchObject(defaults);
    expect(after).not.toHaveProperty('tags');
  });

  it('[IN60] governanceUpdate retargets a rule and writes its line in the change log', async () => {
    await ask('add', { entry: entryInput('aimed', { appliesTo: { tasks: ['deploy'] } }) });
    const patch = { appliesTo: { files: ['infra/**'] }, tags: ['ops'] };
    expect(await ask('governanceUpdate', { id: 'aimed', patch })).toMatchObject({
      changed: true,
      changedFields: ['appliesTo', 'tags'],
      previousVersion: '1.0.0',
      newVersion: '1.0.0',
    });
    const { changeLog, ...item } = await itemOf('aimed');
    expect(item).toMatchObject(patch);
    expect(changeLog.map(({ version, summary }) => `${version} ${summary}`)).toEqual([
      '1.0.0 created',
      '1.0.0 governance: appliesTo, tags',
    ]);
    expect((await historyOf('aimed')).versions[0]).toMatchObject({ reason: 'governance: appliesTo, tags' });
    const idsFor = async (situation: Json) => JSON.stringify(await ask('applicable', situation));
    expect(await idsFor({ files: ['infra/main.tf'] })).toContain('"aimed"');
    expect(await idsFor({ files: ['src/main.ts'] })).not.toContain('"aimed"');
    expect(await ask('governanceUpdate', { id: 'aimed', patch })).toMatchObject({ changed: false, changedFields: [] });
    expect((await itemOf('aimed')).changeLog).toHaveLength(2);
  });

  it('[IN60] a lead confirms a mandatory candidate with one call', async () => {
    const extensions = { candidate: 'mandatory' };
    await ask('add', { entry: entryInput('candidate', { categories: [], extensions }) });
    const lacking = { id: 'candidate', patch: { requirement: 'mandatory' } };
    const { message } = await program.error('tools/call', 'instructions/governanceUpdate', lacking);
    expect(message).toContain('owner');
    const patch = { requirement: 'mandatory', owner: 'platform', categories: ['security'] };
    await ask('governanceUpdate', { id: 'candidate', patch });
    expect(await itemOf('candidate')).toMatchObject({ ...patch, priorityTier: 'P1' });
  });
});

describe('strict create', () => {
  it('[IN59] rejects adding an existing entry and overwriting a missing one, and changes nothing', async () => {
    const program = await openCatalog({ ...mutationOn, MCP_INSTRUCTIONS_STRICT_CREATE: '1' });
    const add = (entry: Json, more: Json = {}) => program.value('tools/call', 'instructions/add', { entry, ...more });
    const refused = { created: false, overwritten: false, skipped: false };
    for (const option of ['overwrite', 'replace']) {
      expect(await add(entryInput('new'), { [option]: true })).toMatchObject({
        ...refused,
        error: 'does not exist',
        feedbackHint: expect.stringContaining('leave out overwrite'),
      });
    }
    expect(await program.value('tools/call', 'instructions/get', { id: 'new' })).toMatchObject({ notFound: true });
    expect(await add(entryInput('new'))).toMatchObject({ created: true });
    expect(await add(entryInput('new', { body: 'x' }))).toMatchObject({ ...refused, error: 'already exists' });
    expect(await add(entryInput('new', { body: 'x' }), { overwrite: true })).toMatchObject({ overwritten: true });
    await program.close();
  });
});
