import { describe, expect, it } from 'vitest';
import { admin, callerWith, outcomeOf } from '#kernel/tool/invoke.fixture.ts';
import { createCall, createMemoryCatalog } from '../catalog/memory-catalog.fixture.ts';
import { openWrites, type WritesFixtureOptions } from './writes.fixture.ts';

const open = (options?: WritesFixtureOptions) => openWrites(createMemoryCatalog(), options);
const full = {
  id: 'a',
  title: 'A',
  body: 'x',
  priority: 50,
  audience: 'all',
  requirement: 'optional',
  categories: ['c'],
} as const;
const entryOf = async ({ catalog }: ReturnType<typeof open>, id: string) =>
  (await catalog.state(createCall('t'))).find(id)?.entry;

describe('instructions/add', () => {
  it('[IN13] creates an entry, reads it back and returns its hashes', async () => {
    const box = open();
    const answer = await box.add({ id: 'a', body: 'x\r\n' });
    const entry = await entryOf(box, 'a');
    expect(answer).toEqual({
      id: 'a',
      hash: (await box.catalog.state(createCall('t'))).hash,
      created: true,
      overwritten: false,
      skipped: false,
      verified: true,
      sourceHash: entry?.sourceHash,
      governanceHash: entry?.governanceHash,
      version: '1.0.0',
      status: 'approved',
      appears: expect.stringContaining('may_apply'),
    });
    expect(box.mutations).toEqual([{ action: 'add', ids: ['a'] }]);
  });

  it('requires the fields of the model without lax', async () => {
    const box = open();
    expect(await box.call('add', { entry: full })).toMatchObject({ created: true });
    const { title: _title, audience: _audience, ...less } = full;
    expect(await box.call('add', { entry: { ...less, id: 'b' } })).toMatchObject({
      created: false,
      error: 'missing title',
      missing: ['title', 'audience'],
      feedbackHint: expect.stringContaining('lax: true'),
      reproEntry: { id: 'b', bodyPreview: 'x' },
      schema: { type: 'object', required: ['id', 'body'] },
    });
  });

  it.each([
    [{}, 'missing entry'],
    [{ entry: null }, 'missing entry'],
    [{ entry: 'x', lax: true }, 'missing entry'],
    [{ entry: {} }, 'missing id'],
    [{ entry: { id: 'a' } }, 'missing body'],
    [{ entry: { id: '../escape', body: 'x' } }, 'invalid id'],
    [{ entry: { id: 'a', body: 'x', colour: 1 } }, 'unknown field: colour'],
    [{ body: 'x' }, 'missing id'],
  ])('[IN14] answers %j with %s and the schema, and writes nothing', async (args, error) => {
    const box = open();
    expect(await box.call('add', args)).toMatchObject({
      created: false,
      verified: false,
      error,
      schema: { type: 'object' },
    });
    expect(box.catalog.commits).toEqual([]);
  });

  it('[IN15] accepts a flat call with a hint and rejects unknown arguments in it', async () => {
    const box = open();
    const answer = await box.call('add', { id: 'a', body: 'x', lax: true });
    expect(answer).toMatchObject({ created: true, hint: expect.stringContaining('entry') });
    const { call } = { call: () => box.call('add', { id: 'b', body: 'x', lax: true, colour: 'red' }) };
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('answers a governance violation without the schema, with 200 characters of the body', async () => {
    const entry = { ...full, body: 'y'.repeat(300), requirement: 'mandatory' };
    const answer = await open().call('add', { entry });
    expect(answer).toMatchObject({ created: false, error: 'mandatory/critical require owner' });
    expect(answer['reproEntry']).toEqual({ id: full.id, bodyPreview: 'y'.repeat(200) });
    expect(answer['schema']).toBeUndefined();
  });

  it('fills a missing owner from owners.json', async () => {
    const box = open({ deps: { owners: async () => new Map([['sec-1', 'security']]) } });
    const entry = { body: 'x', requirement: 'critical', categories: ['c'] } as const;
    expect(await box.add({ ...entry, id: 'sec-1' })).toMatchObject({ created: true });
    expect((await entryOf(box, 'sec-1'))?.owner).toBe('security');
    expect(await box.call('add', { entry: { ...full, ...entry, id: 'other' } })).toMatchObject({
      error: 'mandatory/critical require owner',
    });
  });

  it.each([
    [{ requirement: 'mandatory' }, 'ada', ['general']],
    [{ priority: 3 }, 'ada', ['general']],
    [{ requirement: 'critical', owner: 'me', categories: ['git'] }, 'me', ['git']],
    [{ requirement: 'mandatory', categories: ['scope:workspace:shop'] }, 'ada', ['general']],
    [{}, 'unowned', []],
  ])('[IN51] lax completes %j with the owner %s and the categories %j', async (entry, owner, categories) => {
    const box = open();
    expect(await box.add({ id: 'a', body: 'x', ...entry })).toMatchObject({ created: true });
    expect(await entryOf(box, 'a')).toMatchObject({ owner, categories });
  });

  it.each([
    [{}, /^in may_apply when its text fits the task; appliesTo \{"always": true\} makes it apply always$/],
    [{ requirement: 'mandatory' }, /^in every answer/],
    [{ appliesTo: { always: true }, teamIds: ['web'] }, /^in every answer of instructions\/applicable for team web$/],
    [{ appliesTo: { files: ['*.ts'] } }, /^when its conditions match, otherwise in may_apply/],
    [{ status: 'draft', appliesTo: { always: true } }, /^nowhere until it is approved/],
    [{ requirement: 'deprecated', deprecatedBy: 'b' }, /^nowhere: it is deprecated/],
  ])('[IN51] says where an entry with %j appears', async (entry, appears) => {
    expect(await open().add({ id: 'a', body: 'x', ...entry })).toMatchObject({
      appears: expect.stringMatching(appears),
    });
  });

  it('skips an existing entry, and rejects it with strictCreate', async () => {
    const box = open();
    const first = await box.add({ id: 'a', body: 'x' });
    expect(await box.add({ id: 'a', body: 'y' })).toEqual({ ...first, created: false, skipped: true });
    expect((await entryOf(box, 'a'))?.body).toBe('x');
    const strict = openWrites(box.catalog, { deps: { strictCreate: true } });
    expect(await strict.add({ id: 'a', body: 'y' })).toMatchObject({
      created: false,
      skipped: false,
      error: 'already exists',
    });
    expect(await strict.add({ id: 'a', body: 'y' }, { overwrite: true })).toMatchObject({ overwritten: true });
  });

  it('get, edit and overwrite raises version and change log', async () => {
    const box = open();
    await box.add({ id: 'a', body: 'x' });
    const entry = await entryOf(box, 'a');
    box.clock.advance(1_000);
    const answer = await box.add({ ...entry, body: 'y', usageCount: 3 }, { overwrite: true, lax: false });
    expect(answer).toMatchObject({ created: false, overwritten: true, verified: true, version: '1.0.1' });
    expect(await entryOf(box, 'a')).toMatchObject({
      body: 'y',
      changeLog: [{ version: '1.0.0' }, { version: '1.0.1' }],
    });
  });

  it('[IN16] writes nothing when the entry does not change', async () => {
    const box = open();
    await box.add({ id: 'a', body: 'x' });
    box.clock.advance(1_000);
    expect(await box.add({ id: 'a', body: 'x\n' }, { overwrite: true })).toMatchObject({
      overwritten: true,
      version: '1.0.0',
    });
    expect(box.catalog.commits).toHaveLength(1);
  });

  it.each([
    ['0.9.0', 'version not bumped: 1.0.0 is stored'],
    ['2', 'malformed version'],
  ])('rejects version %s', async (version, error) => {
    const box = open();
    await box.add({ id: 'a', body: 'x' });
    expect(await box.add({ id: 'a', body: 'y', version }, { overwrite: true })).toMatchObject({
      overwritten: false,
      error,
    });
  });

  it('rejects a cycle as VALIDATION_ERROR', async () => {
    const box = open();
    await box.add({ id: 'a', body: 'x', dependencies: ['b'] });
    await expect(box.add({ id: 'b', body: 'x', dependencies: ['a'] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      kind: { rpc: -32002 },
      message: 'cycle in dependencies: b → a → b',
    });
    await expect(box.add({ id: 'c', body: 'x', supersedes: 'c' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('rejects a body over the limit as RESOURCE_LIMIT', async () => {
    await expect(open().add({ id: 'a', body: 'x'.repeat(50_001) })).rejects.toMatchObject({
      code: 'RESOURCE_LIMIT',
      kind: { rpc: -32001 },
    });
  });

  it('[IN52] proposes the entry of a writer without the scope admin', async () => {
    const box = open();
    const args = { entry: { id: 'a', body: 'x', status: 'approved' }, lax: true };
    const answer = await box.call('add', args, callerWith('write'));
    expect(answer).toMatchObject({ created: false, verified: false, proposed: true, proposal_id: 'p-a' });
    expect(box.proposed).toMatchObject([{ id: 'a', before: null, given: { status: 'approved' } }]);
    expect(box.catalog.commits).toEqual([]);
  });

  it('stores agent and workspace, and an overwrite keeps them', async () => {
    const box = open({ deps: { agentId: 'bot', workspace: 'ws' } });
    await box.add({ id: 'a', body: 'x' });
    await openWrites(box.catalog, { deps: { agentId: 'other' } }).add({ id: 'a', body: 'y' }, { overwrite: true });
    expect(await entryOf(box, 'a')).toMatchObject({ createdByAgent: 'bot', sourceWorkspace: 'ws' });
  });

  it('[IN4] decides again after a conflict', async () => {
    const box = open();
    box.catalog.beforeCommit = () => box.catalog.putDocument({ id: 'a', body: 'theirs' });
    expect(await box.add({ id: 'a', body: 'ours' })).toMatchObject({ created: false, skipped: true });
    box.catalog.beforeCommit = () => box.catalog.putDocument({ id: 'a', body: 'theirs again' });
    expect(await box.add({ id: 'a', body: 'ours' }, { overwrite: true })).toMatchObject({ overwritten: true });
    expect((await entryOf(box, 'a'))?.body).toBe('ours');
  });

  it('[IN13] detects a catalog that stored something else', async () => {
    const box = open();
    const { commit } = box.catalog;
    box.catalog.commit = async (call, changes) => {
      const kept = (await commit(call, changes)).find('a')?.entry;
      box.catalog.putDocument({ ...kept, id: 'a', title: 'torn' });
      return box.catalog.state(call);
    };
    await expect(box.add({ id: 'a', body: 'x' })).rejects.toMatchObject({
      code: 'INTEGRITY_ERROR',
      kind: { rpc: -32003 },
    });
  });

  it.each([
    ['changed', { version: '1.0.1' }],
    ['changed at another moment', { updatedAt: '2030-01-01T00:00:00.000Z' }],
  ])('accepts that another writer %s the entry right after it was stored', async (_what, later) => {
    const box = open();
    const { commit } = box.catalog;
    box.catalog.commit = async (call, changes) => {
      const kept = (await commit(call, changes)).find('a')?.entry;
      box.catalog.putDocument({ ...kept, ...later, id: 'a', body: 'theirs' });
      return box.catalog.state(call);
    };
    expect(await box.add({ id: 'a', body: 'ours' })).toMatchObject({ created: true, version: '1.0.0' });
  });

  it('does not overwrite an unreadable file', async () => {
    const box = open();
    const problem = { file: 'a.json', problem: 'it is not JSON' };
    box.catalog.lookUp = async () => ({ found: undefined, lateMaterialized: false, problem });
    expect(await box.add({ id: 'a', body: 'x' }, { overwrite: true })).toMatchObject({
      created: false,
      error: 'unreadable file: a.json: it is not JSON',
    });
  });

  it.each(['add', 'import', 'remove', 'restore', 'reload', 'enrich', 'governanceUpdate'])(
    '%s is gated and rejected for readers',
    async (action) => {
      const args = {
        add: {},
        import: { entries: [] },
        remove: { ids: ['a'] },
        restore: { ids: ['a'] },
        governanceUpdate: { id: 'a' },
      };
      const given = args[action as keyof typeof args] ?? {};
      const name = `instructions/${action}`;
      expect(outcomeOf(await open({ mutation: false }).invoker.call(name, given))).toBe('MUTATION_DISABLED');
      expect(outcomeOf(await open({ readOnly: true }).invoker.call(name, given))).toBe('READ_ONLY');
      expect(outcomeOf(await open().invoker.call(name, given, { caller: callerWith('read') }))).toBe(
        'PERMISSION_DENIED',
      );
      expect(outcomeOf(await open().invoker.call(name, given, { caller: admin }))).toBeTypeOf('object');
    },
  );
});
