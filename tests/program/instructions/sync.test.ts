import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, runProgram, startProgram } from '#tests/support/program.ts';
import { type Json, mutationOn } from './catalog-program.fixture.ts';
import { type EngineName, engines, openOn } from './engines.fixture.ts';

interface SyncReport extends Json {
  readonly sections: readonly { readonly action: string; readonly id: string; readonly proposal_id?: string }[];
  readonly warnings: readonly string[];
}

/** A repository with rules, and the commands of its lead. */
async function openRepository(engine: EngineName) {
  const program = await openOn(engine, mutationOn, {});
  const { folder, remove } = makeFolder();
  const root = join(folder, 'shop');
  const start = () => {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(join(root, '.git'), { recursive: true });
  };
  start();
  const execute = (args: readonly string[]) => runProgram(['instructions', ...args, '--json'], program.env, '', root);
  return {
    program,
    root,
    start,
    execute,
    write(path: string, text: string) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    async run<T = Json>(...args: readonly string[]): Promise<T> {
      const { code, stdout, stderr } = await execute(args);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    async get(id: string): Promise<Json | undefined> {
      await program.value('tools/call', 'instructions/reload', {});
      return (await program.value<{ item?: Json }>('tools/call', 'instructions/get', { id })).item;
    },
    async ids(): Promise<readonly string[]> {
      await program.value('tools/call', 'instructions/reload', {});
      const { items } = await program.value<{ items: readonly { id: string }[] }>(
        'tools/call',
        'instructions/list',
        {},
      );
      return items.map(({ id }) => id);
    },
    ask: (action: string, args: Json) => program.value('tools/call', `instructions/${action}`, args),
    async close() {
      await program.close();
      remove();
    },
  };
}
type Repository = Awaited<ReturnType<typeof openRepository>>;

const section = (title: string, text: string): string => `## ${title}\n\n${text}\n`;
const rules = (...sections: readonly string[]): string => ['# Shop\n', ...sections].join('\n');

const testing = section('Testing', 'Run all tests before you push.');
const commits = section('Commits', 'Keep commits small. Never force push to main.');
const legacy = section('Legacy', 'The old build is used for releases.');

describe.each(engines)('[IN55] sync of a repository, with %s', (engine) => {
  let repository: Repository;
  beforeAll(async () => {
    repository = await openRepository(engine);
  });
  afterAll(() => repository?.close());
  beforeEach(async () => {
    repository.start();
    const ids = await repository.ids();
    if (ids.length > 0) await repository.ask('remove', { ids, confirm: true });
  });

  it('a lead imports the rules, governs them, edits the file and syncs', async () => {
    const { run, write, get, ids } = repository;
    write('AGENTS.md', rules(testing, commits, legacy));
    write('api/AGENTS.md', rules(section('Errors', 'Return problem details.')));
    const promised = await run('import', '.', '--dry-run');
    expect(promised).toMatchObject({ imported: 4, kept: 0, overwritten: 0, errors: [] });
    expect(await run('import', '.')).toEqual({ ...promised, dryRun: false });
    const confirmed = '{"requirement":"mandatory","owner":"ann"}';
    expect(await run('governance-update', '--id', 'commits', '--patch', confirmed)).toMatchObject({ changed: true });
    const own = { ...(await get('testing')), tags: ['ci'], owner: 'bob', appliesTo: { tasks: ['push'] } };
    await repository.ask('add', { entry: own, overwrite: true });

    write(
      'AGENTS.md',
      rules(
        section('Testing', 'Run all tests before you commit.'),
        section('Small commits', 'Keep commits small. Never force push to main.'),
        section('Reviews', 'Every change needs a reviewer.'),
      ),
    );
    const again = await run<{ warnings: readonly string[] }>('import', 'api', '.', '--dry-run');
    expect(again).toMatchObject({ differ: [{ file: 'AGENTS.md', sections: 3 }] });
    expect(again.warnings.at(-1)).toContain('run fourfold instructions sync AGENTS.md');
    const plan = await run<SyncReport>('sync', '.', '--dry-run');
    expect(await ids()).toEqual(['commits', 'errors', 'legacy', 'testing']);
    const gate = await repository.execute(['sync', '.', '--dry-run', '--fail-on', 'differences']);
    expect([gate.code, gate.stderr]).toEqual([1, expect.stringMatching(/^Failed: differed from their files: testing/)]);
    const report = await run<SyncReport>('sync', '.');
    expect(report).toEqual({ ...plan, dryRun: false });
    expect(report).toMatchObject({ added: 1, updated: 1, renamed: 1, archived: 1, conflicts: 0, unchanged: 1 });
    expect(await ids()).toEqual(['commits', 'errors', 'reviews', 'testing']);
    expect(await get('testing')).toMatchObject({
      body: 'Run all tests before you commit.',
      tags: ['ci'],
      owner: 'bob',
      appliesTo: { tasks: ['push'] },
    });
    expect(await get('commits')).toMatchObject({ title: 'Small commits', requirement: 'mandatory', owner: 'ann' });
    expect(await run('history', '--id', 'testing', '--limit', '1')).toMatchObject({
      versions: [{ what: 'update', reason: 'synced from AGENTS.md' }],
    });
    expect(await run('sync', '.')).toMatchObject({ sections: [], unchanged: 4 });
    expect(await run('restore', '--ids', 'legacy')).toMatchObject({ restored: 1 });
  });

  it('[IN56] a rule that was changed on both sides becomes one proposal', async () => {
    const { run, write, get } = repository;
    write('AGENTS.md', rules(testing, commits));
    await run('import', '.');
    await repository.ask('add', {
      entry: { ...(await get('testing')), body: 'Ours: run the fast tests.' },
      overwrite: true,
    });
    write('AGENTS.md', rules(section('Testing', 'Theirs: run all tests twice.'), commits));
    expect(await run('sync', 'AGENTS.md', '--dry-run')).toMatchObject({ conflicts: 1, unchanged: 1 });
    expect(await run('proposals')).toMatchObject({ count: 0 });
    const first = await run<SyncReport>('sync', 'AGENTS.md');
    const proposalId = first.sections[0]?.proposal_id ?? '';
    expect(first.sections).toMatchObject([{ action: 'conflict', id: 'testing', proposal_id: expect.any(String) }]);
    expect(first.warnings.join()).toContain('fourfold instructions proposals');
    expect((await get('testing'))?.['body']).toBe('Ours: run the fast tests.');
    expect(await run('sync', 'AGENTS.md')).toMatchObject({ sections: first.sections });
    const { items } = await run<{ items: readonly Json[] }>('proposals');
    expect(items).toMatchObject([
      {
        proposal_id: proposalId,
        reason: 'AGENTS.md and the rule were both changed since the last sync',
        diff: '-Ours: run the fast tests.\n+Theirs: run all tests twice.',
      },
    ]);
    await run('reject', proposalId, '--reason', 'ours is better');
    expect(await run('sync', 'AGENTS.md')).toMatchObject({ sections: first.sections });
    expect(await run('proposals')).toMatchObject({ count: 0 });

    write('AGENTS.md', rules(section('Testing', 'Theirs: run all tests three times.'), commits));
    const second = await run<SyncReport>('sync', 'AGENTS.md');
    expect(second.sections[0]?.proposal_id).not.toBe(proposalId);
    await run('approve', second.sections[0]?.proposal_id ?? '');
    expect((await get('testing'))?.['body']).toBe('Theirs: run all tests three times.');
    expect(await run('sync', 'AGENTS.md')).toMatchObject({ sections: [], unchanged: 2 });
  });

  it('a rule that the lead removed stays removed until it is restored', async () => {
    const { run, write, ids, get, execute } = repository;
    write('AGENTS.md', rules(testing, commits, legacy));
    await run('import', '.');
    await run('remove', '--ids', 'commits');
    const promised = await run<SyncReport>('sync', '.', '--dry-run');
    const report = await run<SyncReport>('sync', '.');
    expect(report).toEqual({ ...promised, dryRun: false });
    const restore = { tool: 'instructions_rollback', arguments: { id: 'commits', to: expect.any(Number) } };
    expect(report).toMatchObject({
      added: 0,
      unchanged: 2,
      keptRemoved: [{ id: 'commits', source: 'AGENTS.md', changed: false, removedBy: expect.any(String), restore }],
    });
    expect(report.warnings.join()).toMatch(/commits was removed and stays removed.*rollback --id commits --to \d+/);
    expect(await ids()).toEqual(['legacy', 'testing']);
    expect((await execute(['sync', '.', '--dry-run', '--fail-on', 'differences'])).code).toBe(0);

    const edited = section('Commits', 'Keep commits small. Never force push to main. Sign them.');
    write('AGENTS.md', rules(testing, edited, section('Naming', 'Use kebab-case for file names.')));
    const changed = await run<SyncReport & { keptRemoved: readonly { restore: { arguments: { to: number } } }[] }>(
      'sync',
      '.',
    );
    expect(changed).toMatchObject({ added: 1, archived: 1, keptRemoved: [{ id: 'commits', changed: true }] });
    // The sync itself archived this one, because its section was gone: when the section comes back, so does the rule.
    write('AGENTS.md', rules(testing, edited, legacy));
    expect(await run('sync', '.')).toMatchObject({ added: 1, archived: 1, keptRemoved: [{ id: 'commits' }] });
    expect(await ids()).toEqual(['legacy', 'testing']);

    const { to } = changed.keptRemoved[0]!.restore.arguments;
    await run('rollback', '--id', 'commits', '--to', String(to));
    expect(await run('sync', '.')).toMatchObject({ added: 0, updated: 1, keptRemoved: [] });
    expect((await get('commits'))?.['body']).toContain('Sign them.');
    expect(await run('sync', '.')).toMatchObject({ sections: [], unchanged: 3, keptRemoved: [] });
  });

  it('names the rules of a file whose rules were all removed, and an import adds them again', async () => {
    const { run, write, ids } = repository;
    write('docs/AGENTS.md', rules(testing, commits));
    await run('import', '.');
    const all = await ids();
    await repository.ask('remove', { ids: all });
    expect(await run('sync', '.')).toMatchObject({ added: 0, keptRemoved: [{}, {}] });
    expect(await run('import', '.')).toMatchObject({ imported: 2 });
    expect(await run('sync', '.')).toMatchObject({ unchanged: 2, keptRemoved: [] });
    expect(await ids()).toEqual(all);
  });

  it('two processes that sync together make no duplicates and lose nothing', async () => {
    const { run, write, ids, execute } = repository;
    const many = (word: string) => Array.from({ length: 150 }, (_, i) => section(`Rule ${i}`, `Text ${i}: ${word}.`));
    write('AGENTS.md', rules(...many('old'), legacy));
    await run('import', '.');
    write(
      'AGENTS.md',
      rules(...many('new'), ...Array.from({ length: 150 }, (_, i) => section(`New ${i}`, `Added ${i}.`))),
    );
    const runs = await Promise.all([execute(['sync', '.']), execute(['sync', '.'])]);
    for (const { stdout, stderr } of runs) {
      expect(stderr.replaceAll(/CONFLICT.*/g, '')).not.toContain('INTERNAL');
      if (stdout !== '') expect(JSON.parse(stdout)).toMatchObject({ conflicts: 0 });
    }
    expect(await run('sync', '.')).toMatchObject({ sections: [], unchanged: 300 });
    expect(await ids()).toHaveLength(300);
    const { versions } = await run<{ versions: readonly Json[] }>('history', '--id', 'rule-7');
    expect(versions).toHaveLength(2);
  });

  it('refuses a path that is a mistake, and changes nothing', async () => {
    const { run, write, ids, execute, root } = repository;
    write('AGENTS.md', rules(testing, commits));
    await run('import', '.');
    rmSync(join(root, 'AGENTS.md'));
    for (const [args, code, fix] of [
      [['sync', 'AGENTS.md'], 'NOT_FOUND', '--removed'],
      [['sync', 'AGENT.md'], 'NOT_FOUND', 'AGENT.md'],
      [['sync', '..'], 'VALIDATION_ERROR', 'fourfold instructions import'],
    ] as const) {
      const { code: exit, stderr } = await execute(args);
      expect([exit, stderr]).toEqual([1, expect.stringContaining(code)]);
      expect(stderr).toContain(fix);
    }
    expect(await ids()).toEqual(['commits', 'testing']);
    expect(await run('sync', '.')).toMatchObject({ archived: 0, kept: [{ source: 'AGENTS.md', rules: 2 }] });
    expect(await run('sync', '.', '--removed')).toMatchObject({ archived: 2 });
  });
});

describe('[IN55] sync that is killed', () => {
  it('completes when it runs again', async () => {
    const repository = await openRepository('files');
    const { program, run, write, root } = repository;
    const many = (word: string) => Array.from({ length: 1_000 }, (_, i) => section(`Rule ${i}`, `Text ${i}: ${word}.`));
    write('AGENTS.md', rules(...many('old')));
    await run('import', '.');
    write('AGENTS.md', rules(...many('new')));
    const child = startProgram(['instructions', 'sync', join(root, 'AGENTS.md')], program.env);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const countNew = () =>
      readdirSync(program.entries).filter(
        (name) => name.endsWith('.json') && readFileSync(join(program.entries, name), 'utf8').includes(': new.'),
      ).length;
    await expect.poll(countNew, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await ended;
    const before = countNew();
    expect(before).toBeLessThan(1_000);
    expect(await run('sync', '.')).toMatchObject({ added: 0, archived: 0, conflicts: 0, errors: [] });
    expect(await run('sync', '.')).toMatchObject({ sections: [], unchanged: 1_000 });
    expect(countNew()).toBe(1_000);
    await repository.close();
  });
});
