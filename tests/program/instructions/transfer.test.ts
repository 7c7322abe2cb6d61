import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { startVictim } from '#tests/support/survival/victim.ts';
import { type Json, mutationOn } from './catalog-program.fixture.ts';
import { entryInput } from './entries.fixture.ts';

type Ask = (name: string, args?: Json) => Promise<Json>;

/** A new data folder for a sequence of commands; tools are called by a program that ends before the next command. */
async function makeHome(store: 'SQLite' | 'PostgreSQL') {
  const { folder, remove } = makeFolder();
  const database = store === 'PostgreSQL' ? await createTestDatabase() : undefined;
  onTestFinished(async () => {
    await database?.drop();
    remove();
  });
  const entries = join(folder, 'instructions');
  const env = {
    FOURFOLD_HOME: join(folder, 'home'),
    FOURFOLD_LOG_LEVEL: 'error',
    INSTRUCTIONS_DIR: entries,
    ...mutationOn,
    ...(database !== undefined && { FOURFOLD_DATABASE_URL: database.url }),
  };
  async function run(...args: readonly string[]): Promise<Json> {
    const { code, stdout, stderr } = await runProgram([...args, '--json'], env, '', folder);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return JSON.parse(stdout) as Json;
  }
  return {
    folder,
    entries,
    env,
    run,
    async asking<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
      const program = await startVictim(env);
      const answer = await work(async (name, args) => (await program.call(name, args))!);
      await program.end();
      return answer;
    },
  };
}

type Home = Awaited<ReturnType<typeof makeHome>>;

/** Rules, an archived rule, proposals, usage counts and feedback. */
async function fill({ run, asking }: Home): Promise<void> {
  const appliesTo = { always: true };
  const entries = ['alpha', 'beta', 'gamma'].map((id) => entryInput(id, { appliesTo }));
  const propose = (ask: Ask, body: string) =>
    ask('instructions/propose', { entry: { id: 'beta', body }, reason: 'clearer' });
  const { proposal_id } = await asking(async (ask) => {
    await ask('instructions/dispatch', { action: 'import', entries });
    await ask('instructions/remove', { ids: ['gamma'] });
    return propose(ask, 'Approved text.');
  });
  await run('instructions', 'approve', String(proposal_id));
  await asking(async (ask) => {
    await propose(ask, 'Open text.');
    await ask('instructions/applicable', {});
    for (const signal of ['helpful', 'applied']) await ask('usage/track', { id: 'alpha', signal, comment: 'good' });
    const report = { type: 'bug-report', severity: 'high', title: 'It hurts', description: 'When I do this it hurts.' };
    await ask('feedback/submit', { ...report, tags: ['pain'], context: { tool: 'x' } });
  });
}

/** Everything that the tools return, except times. */
const lookAt = ({ asking }: Home): Promise<Json> =>
  asking(async (ask) => {
    const { hash, count } = await ask('instructions/list');
    const archived = (await ask('instructions/listArchived')) as { readonly items: readonly Json[] };
    const { entries } = (await ask('feedback/list')) as { readonly entries: readonly Json[] };
    return {
      hash,
      count,
      verified: await ask('integrity/verify'),
      archived: archived.items.map(({ id, sourceHash }) => ({ id, sourceHash })),
      used: (await ask('usage/hotset', { limit: 5 }))['items'],
      usage: await ask('instructions/inspect', { scope: 'usage', id: 'alpha' }).then(({ data }) => data),
      feedback: entries,
      history: (await ask('instructions/history', { id: 'beta' }))['versions'],
      proposals: (await ask('instructions/proposals', { state: 'all' }))['items'],
      stats: (await ask('feedback/stats'))['stats'],
    };
  });

describe('[IN45] moving a data folder with export and import', () => {
  it.each([
    ['SQLite', ['SQLite']],
    ['SQLite', ['PostgreSQL', 'SQLite']],
    ['PostgreSQL', ['SQLite', 'PostgreSQL']],
  ] as const)(
    'from %s to %j keeps catalog, archive, history, proposals, usage, served rules and feedback',
    async (first, others) => {
      let from = await makeHome(first);
      await fill(from);
      const before = await lookAt(from);
      expect(before).toMatchObject({
        count: 2,
        archived: [{ id: 'gamma' }],
        verified: { issueCount: 0 },
        used: [{ id: 'alpha', usageCount: 2, signals: { helpful: 1, applied: 1 } }],
        usage: { raw: { comments: [{ comment: 'good' }, { comment: 'good' }], served: { appliesCount: 1 } } },
        feedback: [{ title: 'It hurts' }],
        history: [{ by: 'local', approvedBy: 'local', proposal_id: expect.any(String) }, { what: 'create' }],
        proposals: [
          { state: 'pending', stale: false, diff: '-Approved text.\n+Open text.' },
          { state: 'approved', decidedBy: 'local' },
        ],
        stats: { total: 1 },
      });
      for (const store of others) {
        const to = await makeHome(store);
        const file = join(from.folder, 'moved.jsonl');
        const exported = await from.run('export', file);
        expect(exported['beside']).toEqual(
          ['usage-snapshot.json', 'feedback-entries.json'].map((name) => join(from.folder, name)),
        );
        await to.run('import', file);
        expect(await lookAt(to)).toEqual(before);
        expect(existsSync(join(to.entries, 'alpha.json'))).toBe(store === 'SQLite');
        from = to;
      }
    },
  );

  it('writes usage and feedback next to the export for other programs', async () => {
    const home = await makeHome('SQLite');
    await fill(home);
    await home.run('export', 'out.jsonl');
    const read = (name: string) => JSON.parse(readFileSync(join(home.folder, name), 'utf8')) as Json;
    expect(read('usage-snapshot.json')).toMatchObject({
      tenant: 'local',
      items: [{ id: 'alpha', usageCount: 2, firstSeenTs: expect.any(String), lastUsedAt: expect.any(String) }],
    });
    expect(read('feedback-entries.json')).toMatchObject({
      entries: [{ type: 'bug-report', title: 'It hurts', tags: ['pain'], context: { tool: 'x' } }],
    });
  });
});

describe('[IN39] fourfold instructions snapshot', () => {
  it('is the reference for drift', async () => {
    const home = await makeHome('SQLite');
    mkdirSync(home.entries);
    for (const id of ['alpha', 'beta']) writeFileSync(join(home.entries, `${id}.json`), JSON.stringify(entryInput(id)));
    expect(await home.run('integrity', 'manifest')).toMatchObject({ manifest: 'missing' });
    const file = join(home.entries, 'snapshots', 'canonical-instructions.json');
    const { hash } = await home.run('instructions', 'list');
    expect(await home.run('instructions', 'snapshot')).toEqual({ file, count: 2, hash });
    expect(await home.run('integrity', 'manifest')).toEqual({ manifest: 'present', drift: 0, details: [] });
    writeFileSync(join(home.entries, 'beta.json'), JSON.stringify(entryInput('beta', { body: 'another rule' })));
    writeFileSync(join(home.entries, 'gamma.json'), JSON.stringify(entryInput('gamma')));
    expect(await home.run('integrity', 'manifest', '--fail-on', 'none')).toEqual({
      manifest: 'present',
      drift: 2,
      details: [
        { id: 'beta', change: 'hash-mismatch' },
        { id: 'gamma', change: 'added' },
      ],
    });
    await home.run('instructions', 'snapshot');
    expect(await home.run('integrity', 'manifest')).toMatchObject({ manifest: 'present', drift: 0 });
    const { code, stdout } = await runProgram(['instructions', 'snapshot', '--help'], home.env);
    expect(code).toBe(0);
    expect(stdout).toContain('integrity manifest then reports what changed since');
  });
});
