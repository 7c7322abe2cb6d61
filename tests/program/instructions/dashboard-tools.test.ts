import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { makeFolder, runProgram, type Served, serveProgram } from '#tests/support/program.ts';
import { type Json, mutationOn } from './catalog-program.fixture.ts';
import { engines } from './engines.fixture.ts';

interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** A browser with a key: it calls tools over the HTTP API. */
function connect(served: Served, key: string) {
  async function call(tool: string, args: Json = {}): Promise<Answer> {
    const answer = await fetch(new URL(`/api/tools/${tool.replace('/', '_')}`, served.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(args),
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  }
  return {
    call,
    async ask<T = Json>(tool: string, args: Json = {}): Promise<T> {
      const { status, body } = await call(tool, args);
      if (status !== 200) throw new Error(`${tool} failed with ${status}: ${JSON.stringify(body)}`);
      return body as T;
    },
  };
}

const rule = (id: string, more: Json = {}) => ({ id, body: `Body of ${id}.`, owner: 'platform', ...more });

const agentsFile = `# Shop

## Commits

Keep commits small. Never force push to main.

## Reviews

Every change needs a reviewer.
`;

describe.each(engines)('what the pages of the dashboard ask for, with %s', (engine) => {
  let lead: ReturnType<typeof connect>;
  let writer: ReturnType<typeof connect>;
  let reader: ReturnType<typeof connect>;
  let stranger: ReturnType<typeof connect>;
  let neighbour: ReturnType<typeof connect>;
  const undo: (() => unknown)[] = [];

  beforeAll(async () => {
    const { folder, remove } = makeFolder();
    undo.push(remove);
    const env: Record<string, string> = { FOURFOLD_HOME: folder, FOURFOLD_LOG_LEVEL: 'error', ...mutationOn };
    if (engine === 'PostgreSQL') {
      const { url, drop } = await createTestDatabase();
      undo.push(drop);
      env['FOURFOLD_DATABASE_URL'] = url;
    }
    const served = await serveProgram(env);
    undo.push(() => served.stop());
    const connectWith = async (scopes: string, ...more: string[]) => {
      const args = ['keys', 'create', '--name', scopes, '--scopes', scopes, '--json', ...more];
      return connect(served, (JSON.parse((await runProgram(args, env)).stdout) as { key: string }).key);
    };
    stranger = await connectWith('read', '--tenant', 'other');
    neighbour = await connectWith('write', '--tenant', 'third');
    [lead, writer, reader] = [await connectWith('admin'), await connectWith('write'), await connectWith('read')];
    await lead.ask('instructions/import', {
      entries: [
        rule('alpha', { title: 'Alpha', categories: ['git'], requirement: 'mandatory' }),
        rule('beta', { title: 'Beta', owner: 'Ann', categories: ['git', 'ci'] }),
        rule('gamma', { title: 'Gamma', owner: 'ann', status: 'draft' }),
        rule('delta', { title: 'Delta', owner: 'ann', nextReviewDue: '2020-01-01T00:00:00.000Z' }),
      ],
    });
  });
  afterAll(async () => {
    for (const step of undo.toReversed()) await step();
  });

  it('lists the catalog without bodies, grouped by state and owner, with the values to filter by', async () => {
    type Page = { items: readonly Json[]; total: number; nextCursor?: string; facets: Json };
    const sort = { field: 'statusOwner', direction: 'asc' };
    const first = await reader.ask<Page>('instructions/query', { brief: true, facets: true, sort, limit: 3 });
    const rest = await reader.ask<Page>('instructions/query', {
      brief: true,
      sort,
      limit: 3,
      cursor: first.nextCursor,
    });
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(['gamma', 'beta', 'delta', 'alpha']);
    expect(first.items[1]).toEqual({
      id: 'beta',
      title: 'Beta',
      requirement: 'optional',
      priority: 50,
      status: 'approved',
      version: '1.0.0',
      sourceHash: expect.any(String),
      owner: 'Ann',
      priorityTier: 'P3',
      categories: ['ci', 'git'],
      updatedAt: expect.any(String),
      nextReviewDue: expect.any(String),
    });
    expect(first).toMatchObject({
      total: 4,
      facets: {
        status: [
          { value: 'approved', count: 3 },
          { value: 'draft', count: 1 },
        ],
        owner: [{ value: 'ann', count: 2 }, { value: 'Ann' }, { value: 'platform' }],
        categories: [{ value: 'git', count: 2 }, { value: 'ci' }],
      },
    });
    const overdue = await reader.ask<Page>('instructions/query', {
      brief: true,
      facets: true,
      filters: { owners: ['ann'], reviewOverdue: true },
    });
    expect(overdue).toMatchObject({
      total: 1,
      items: [{ id: 'delta' }],
      facets: { owner: [{ value: 'ann', count: 1 }] },
    });
    expect(rest).not.toHaveProperty('facets');
    expect((await reader.ask<Page>('instructions/query', {})).items[0]).toHaveProperty('body');
  });

  it('rejects an edit of an entry that changed since it was read, and merges one that did not', async () => {
    const read = () => lead.ask<{ etag: string; item: Json }>('instructions/getEnhanced', { id: 'alpha' });
    const { etag } = await read();
    const edit = (base: string, fields: Json) =>
      lead.call('instructions/add', {
        entry: { id: 'alpha', body: 'Body of alpha.', ...fields },
        overwrite: true,
        base,
      });
    expect(await edit(etag, { title: 'First' })).toMatchObject({
      body: { overwritten: true, changedFields: ['title'] },
    });
    const { status, body } = await edit(etag, { title: 'Second' });
    expect(status).toBe(409);
    expect(JSON.stringify(body)).toMatch(/was changed since you read it.*CONFLICT/);
    const now = await read();
    expect(now.item).toMatchObject({ title: 'First' });
    expect(await edit(now.etag, { title: 'Second' })).toMatchObject({ body: { overwritten: true } });
    expect((await lead.call('instructions/add', { entry: rule('omega'), lax: true, base: etag })).status).toBe(409);
  });

  it('compares two versions with their whole texts', async () => {
    await lead.ask('instructions/add', { entry: { id: 'beta', body: 'New body.' }, overwrite: true });
    const { count } = await reader.ask<{ count: number }>('instructions/history', { id: 'beta' });
    const asked = { id: 'beta', from: count - 1, to: count };
    const texts = { before: 'Body of beta.', after: 'New body.' };
    expect(await reader.ask('instructions/compare', { ...asked, texts: true })).toMatchObject({ texts });
    expect(await reader.ask('instructions/compare', asked)).not.toHaveProperty('texts');
  });

  it('approves a proposal with another text, once', async () => {
    const propose = (entry: Json) =>
      writer.ask<{ proposal_id: string }>('instructions/propose', { entry, reason: 'clearer' });
    const { proposal_id } = await propose({ id: 'delta', body: 'Proposed text.' });
    const edit = { body: 'Edited text.' };
    expect(await lead.ask('instructions/approve', { proposal_id, edit })).toMatchObject({
      approved: true,
      already: false,
    });
    expect(await lead.ask('instructions/get', { id: 'delta' })).toMatchObject({ item: { body: 'Edited text.' } });
    expect(await lead.ask('instructions/approve', { proposal_id })).toMatchObject({ already: true });
    type Versions = { versions: readonly [{ by: string; approvedBy: string; proposal_id: string }] };
    const { versions } = await lead.ask<Versions>('instructions/history', { id: 'delta', limit: 1 });
    const [{ by, approvedBy }] = versions;
    expect(versions[0].proposal_id).toBe(proposal_id);
    expect(await lead.ask('actors/name', { actors: [by, approvedBy, 'local'] })).toEqual({
      names: { [by]: 'write', [approvedBy]: 'admin', local: 'local' },
    });
    expect(await reader.ask('actors/name', { actors: [by] })).toEqual({ names: { [by]: 'write' } });
    // A key of the operator's tenant has a word there, and others have no name at all.
    const { actor } = await neighbour.ask<{ actor: string }>('caller/show');
    expect(await neighbour.ask('actors/name', { actors: [actor] })).toEqual({ names: { [actor]: 'write' } });
    expect(await stranger.ask('actors/name', { actors: [by, actor] })).toEqual({
      names: { [by]: 'operator', [actor]: actor },
    });
    expect(await reader.ask('actors/name', { actors: [actor] })).toEqual({ names: { [actor]: actor } });
    const removal = await writer.ask<{ proposal_id: string }>('instructions/propose', { remove: 'delta' });
    const refused = await lead.call('instructions/approve', { proposal_id: removal.proposal_id, edit });
    expect(JSON.stringify(refused.body)).toContain('no text to edit');
    expect(await lead.ask('instructions/get', { id: 'delta' })).toMatchObject({ item: { body: 'Edited text.' } });
    expect(await lead.call('instructions/approve', { proposal_id, edit: { owner: 'eve' } })).toMatchObject({
      status: 400,
    });
  });

  it('shows what an agent would get without counting it as served', async () => {
    const entry = rule('epsilon', { appliesTo: { tasks: ['deploy'] } });
    await lead.ask('instructions/add', { entry, lax: true });
    const served = async () => {
      const usage = await reader.ask('instructions/inspect', { id: 'epsilon', scope: 'usage' });
      return (usage as { data: { raw: { served: Json | null } } }).data.raw.served;
    };
    const shown = await reader.ask('instructions/applicable', { task: 'deploy', preview: true });
    expect(shown).toMatchObject({ items: [{ id: 'alpha' }, { id: 'epsilon', reasons: ['task: deploy'] }] });
    expect(await served()).toBeNull();
    const { items } = await reader.ask('instructions/applicable', { task: 'deploy' });
    expect(items).toEqual(shown['items']);
    expect(await served()).toMatchObject({ appliesCount: 1 });
  });

  it('imports rule files that are sent as texts, and shows before what it will do', async () => {
    const files = [
      { path: 'AGENTS.md', text: agentsFile },
      { path: 'api/AGENTS.md', text: '## Errors\n\nReturn problem details.\n' },
      { path: 'src/readme.md', text: '# Not a rule' },
      { path: '../AGENTS.md', text: agentsFile },
      { path: 'AGENTS.md', text: 'again' },
    ];
    const sent = { files, project: 'shop' };
    const preview = await reader.ask('instructions/importTexts', { ...sent, dryRun: true });
    expect(preview).toMatchObject({
      files: 2,
      found: 3,
      rules: [
        {
          id: 'commits',
          source: 'AGENTS.md',
          state: 'new',
          candidate: true,
          appliesTo: { always: true },
          text: 'Keep commits small. Never force push to main.',
        },
        { id: 'reviews', state: 'new', candidate: false },
        { id: 'errors', appliesTo: { folders: ['api'] } },
      ],
      skipped: [
        { source: 'src/readme.md', reason: 'not a rule file' },
        { source: '../AGENTS.md', reason: expect.stringContaining('relative to the project') },
        { source: 'AGENTS.md', reason: 'the file was sent twice' },
      ],
    });
    expect(await lead.ask('instructions/get', { id: 'commits' })).toMatchObject({ notFound: true });
    expect((await reader.call('instructions/importTexts', sent)).status).toBe(403);
    const promised = await lead.ask('instructions/importTexts', { ...sent, dryRun: true });
    expect(await lead.ask('instructions/importTexts', sent)).toEqual({ ...promised, dryRun: false });
    expect(await reader.ask('instructions/applicable', { task: 'commit something', preview: true })).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ id: 'commits' })]),
    });
    const changed = [{ path: 'AGENTS.md', text: agentsFile.replace('small', 'tiny') }];
    const again = await lead.ask('instructions/importTexts', { ...sent, files: changed });
    expect(again).toMatchObject({ imported: 0, kept: 2, rules: [{ state: 'differs' }, { state: 'same' }] });
    const replaced = await lead.ask('instructions/importTexts', { ...sent, files: changed, mode: 'overwrite' });
    expect(replaced).toMatchObject({ imported: 0, overwritten: 2 });
    expect(await lead.ask('instructions/get', { id: 'commits' })).toMatchObject({
      item: { body: expect.stringContaining('tiny') },
    });
    const backup = [{ path: 'backup.json', text: JSON.stringify([rule('beta', { body: 'New body.' }), rule('zeta')]) }];
    expect(await lead.ask('instructions/importTexts', { files: backup, dryRun: true })).toMatchObject({
      rules: [
        { id: 'beta', state: 'same', source: '' },
        { id: 'zeta', state: 'new' },
      ],
    });
    const newFile = { files: [{ path: 'CLAUDE.md', text: '## Naming\n\nUse kebab-case, see @docs/names.md.\n' }] };
    expect(await writer.ask('instructions/importTexts', newFile)).toMatchObject({
      imported: 0,
      proposed: 1,
      skipped: [{ source: 'CLAUDE.md', reason: '@docs/names.md is another file: import it too' }],
    });
    expect(await lead.ask('instructions/get', { id: 'naming' })).toMatchObject({ notFound: true });
    const huge = Array.from({ length: 3 }, (_, i) => ({ path: `${i}/AGENTS.md`, text: 'x'.repeat(1_500_000) }));
    const refused = await lead.call('instructions/importTexts', { files: huge });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(refused.body)).toContain('RESOURCE_LIMIT');
    expect((await lead.call('instructions/importTexts', { files: [] })).status).toBe(400);
  });
});
