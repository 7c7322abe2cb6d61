import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveProgram, startProgram } from '#tests/support/program.ts';
import { engines, type Json, serveOn } from '../truth/truth-program.fixture.ts';
import {
  awaitSync,
  type ConnectorStore,
  countEntities,
  type EngineName,
  openConnectorStore,
  type SyncRun,
} from './connector-program.fixture.ts';
import { type SampleIssue, startGitHub } from './github-double.fixture.ts';

interface Found {
  readonly entities: readonly { readonly entity_id: string; readonly snapshot: Json }[];
}
interface Added {
  readonly connector_id: string;
}

const dataExports = fileURLToPath(new URL('../../fixtures/data-exports', import.meta.url));

async function openNotes(engine: EngineName) {
  const store = await openConnectorStore(engine);
  const notes = join(store.folder, 'notes');
  mkdirSync(notes);
  const write = (name: string, text: string | Uint8Array) => writeFileSync(join(notes, name), text);
  const { connector_id } = await store.run<Added>('connectors', 'add', 'folder', notes);
  return { store, notes, write, connector_id };
}

const issuesCount = 8;
const manyIssues = (): SampleIssue[] =>
  Array.from({ length: issuesCount }, (_, at) => ({ number: at + 1, updated_at: `2026-01-02T00:0${at}:00Z` }));
/** Requests of `connectors add`, which tries the connection. */
const seenByAdd = 1;

/** Issues of a service that can be made to wait, so that a test can act in the middle of a sync. */
async function openIssues(engine: EngineName) {
  const store = await openConnectorStore(engine, { FOURFOLD_OUTBOUND_ALLOW: '127.0.0.1' });
  const service = await startGitHub(manyIssues());
  const { connector_id } = await store.run<Added>('connectors', 'add', 'github', service.address);
  return { store, service, connector_id };
}

async function openClient(store: ConnectorStore) {
  const client = await store.open();
  onTestFinished(() => client.close());
  return client;
}

const start = (provider: string, more: Json = {}): Json => ({ provider, ...more });

describe.each(engines)('[IG20] a person connects a folder, on %s', (engine) => {
  it('the agent syncs it, finds what is in it, and sees where it is from', async () => {
    const { store, write } = await openNotes(engine);
    write('cache.md', '# Cache bug\n\nThe cache is stale after each deployment.\n');
    write('plan.txt', 'Ship on Friday');
    const agent = await openClient(store);
    const begun = await agent.call<SyncRun>('sync_provider_imports', start('folder'));
    expect(begun.stats).toEqual({ records_added: 0, records_updated: 0, errors: 0 });
    expect(await awaitSync(agent, begun)).toMatchObject({
      status: 'completed',
      stats: { records_added: 2, records_updated: 0, errors: 0 },
    });
    const { entities } = await agent.call<Found>('retrieve_entities', { query: 'stale cache' });
    expect(entities[0]!.snapshot).toMatchObject({ title: 'Cache bug', name: 'cache.md', provider: 'folder' });
    const { entity_id } = entities[0]!;
    const source = await agent.call('get_field_provenance', { entity_id, field: 'text' });
    expect(JSON.stringify(source)).toContain(`connector:${begun.connector_id}`);

    write('plan.txt', 'Ship on Monday');
    const again = await awaitSync(agent, await agent.call<SyncRun>('sync_provider_imports', start('folder')));
    expect(again.stats).toEqual({ records_added: 0, records_updated: 1, errors: 0 });
    const all = await awaitSync(
      agent,
      await agent.call<SyncRun>('sync_provider_imports', start('folder', { sync_type: 'initial' })),
    );
    expect(all.stats).toEqual({ records_added: 0, records_updated: 0, errors: 0 });
    expect(await countEntities(agent, 'document')).toBe(2);
  });

  it('files that cannot be read are counted and named, and the others come in', async () => {
    const { store, write } = await openNotes(engine);
    write('good.md', 'good');
    write('latin.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    write('binary.txt', 'a\0b');
    write('long.log', 'x'.repeat(500_000));
    const run = await store.run<SyncRun>('connectors', 'sync', 'folder');
    expect(run).toMatchObject({ status: 'completed', stats: { records_added: 2, records_updated: 0, errors: 2 } });
    expect(run.problems).toEqual([
      { id: 'binary.txt', why: 'it is not text' },
      { id: 'latin.txt', why: 'it is not UTF-8' },
    ]);
    const agent = await openClient(store);
    const { entities } = await agent.call<Found>('retrieve_entities', { query: 'long.log' });
    const { entity_id } = entities[0]!;
    const { snapshot } = await agent.call<{ snapshot: Json }>('get_entity_snapshot', { entity_id });
    expect(snapshot).toMatchObject({ is_truncated: true, text: 'x'.repeat(100_000) });
  });
});

describe.each(engines)('[IG21] a sync that is disturbed, on %s', (engine) => {
  it('goes on after kill -9, with every issue exactly once and right counts', async () => {
    const { store, service } = await openIssues(engine);
    const agent = await openClient(store);
    const reached = service.holdAfter(2);
    const child = startProgram(['connectors', 'sync', 'github', '--limit', '2', '--json'], store.env);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await reached;
    const begun = await agent.call<SyncRun>('sync_provider_imports', start('github'));
    expect(begun).toMatchObject({ status: 'running', pages: 2 });
    child.kill('SIGKILL');
    await ended;
    expect(await awaitSync(agent, begun)).toMatchObject({
      status: 'completed',
      stats: { records_added: issuesCount, records_updated: 0, errors: 0 },
    });
    expect(await countEntities(agent, 'issue')).toBe(issuesCount);
  });

  it('two programs share one run, and it can be cancelled', async () => {
    const { store, service } = await openIssues(engine);
    const { reached, release } = service.pauseAfter(1);
    const [one, two] = [await openClient(store), await openClient(store)];
    const runs = await Promise.all(
      [one, two, one, two].map((client) =>
        client.call<SyncRun>('sync_provider_imports', start('github', { limit: 2 })),
      ),
    );
    const ids = new Set(runs.map(({ sync_run_id }) => sync_run_id));
    expect(ids.size).toBe(1);
    const [sync_run_id] = ids;
    await reached;
    await two.call('sync_provider_imports', start('github', { sync_run_id, cancel: true }));
    release();
    const ended = await awaitSync(one, runs[0]!);
    expect(ended).toMatchObject({ status: 'failed', pages: 2, error: { code: 'CANCELLED' } });
    // Only one of the programs has asked the service.
    expect(service.seen).toHaveLength(seenByAdd + 2);
    const overview = () => one.call<{ attention: { kind: string }[]; clear: string[] }>('overview');
    expect((await overview()).clear).toContain('connectors');
    const sync = async () => awaitSync(two, await two.call<SyncRun>('sync_provider_imports', start('github')));
    service.answerNext({ status: 404 });
    expect(await sync()).toMatchObject({ status: 'failed', error: { code: 'SYNC_FAILED', fix: expect.any(String) } });
    expect((await overview()).attention.map(({ kind }) => kind)).toContain('connectors');
    expect((await sync()).stats.records_added).toBe(issuesCount - ended.stats.records_added);
    expect(await countEntities(one, 'issue')).toBe(issuesCount);
  });

  it('[IG86] is cancelled from another terminal, and the rest comes in later', async () => {
    const { store, service } = await openIssues(engine);
    const { reached, release } = service.pauseAfter(0);
    const agent = await openClient(store);
    const begun = await agent.call<SyncRun>('sync_provider_imports', start('github', { limit: 2 }));
    await reached;
    const { sync_run_id } = await store.run<SyncRun>('connectors', 'cancel', 'github');
    expect(sync_run_id).toBe(begun.sync_run_id);
    release();
    const ended = await awaitSync(agent, begun);
    expect(ended).toMatchObject({ status: 'failed', pages: 1, error: { code: 'CANCELLED' } });
    expect(await store.refuse('connectors', 'cancel', 'github')).toContain('NOT_FOUND');
    const rest = await store.run<SyncRun>('connectors', 'sync', 'github');
    expect(rest.stats.records_added).toBe(issuesCount - ended.stats.records_added);
  });
});

describe('[IG86] runs of killed processes', () => {
  it('go on in a server by themselves, also while the service of an older one hangs', async () => {
    const { store, service: broken, connector_id: older } = await openIssues('SQLite');
    const service = await startGitHub(manyIssues());
    const { connector_id: newer } = await store.run<Added>('connectors', 'add', 'github', service.address);
    const held = [broken.holdAfter(0), service.holdAfter(2)];
    for (let requests = 0; requests < 20; requests += 1) broken.answerNext(() => {});
    for (const [at, connector_id] of [older, newer].entries()) {
      const words = ['connectors', 'sync', 'github', '--connector-id', connector_id, '--limit', '2'];
      const child = startProgram(words, store.env);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await held[at];
      child.kill('SIGKILL');
      await ended;
    }
    // Not with a client: its program would take over runs, too.
    const areSyncing = async () =>
      (await store.run<{ connectors: { syncing: boolean }[] }>('connectors', 'list')).connectors.map(
        ({ syncing }) => syncing,
      );
    expect(await areSyncing()).toEqual([true, true]);
    const served = await serveProgram(store.env);
    onTestFinished(() => served.stop());
    await expect.poll(areSyncing, { interval: 250 }).toEqual([true, false]);
    expect(await countEntities(await openClient(store), 'issue')).toBe(issuesCount);
  });
});

describe('[IG22] what cannot be synced', () => {
  it('names the reason and what helps', async () => {
    const { store, notes, connector_id } = await openNotes('SQLite');
    const agent = await openClient(store);
    const refused = (args: Json) => agent.fail('sync_provider_imports', args);
    expect(await refused({ provider: 'fodler' })).toMatchObject({
      code: 'PROVIDER_NOT_FOUND',
      message: 'Unknown provider fodler; did you mean folder?',
    });
    for (const provider of ['__proto__', 'constructor', 'rss ', 'x'.repeat(64)])
      expect(await refused({ provider })).toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
    expect(await refused({ provider: 'x'.repeat(65) })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refused({ provider: 'slack' })).toMatchObject({
      code: 'CONNECTOR_NOT_FOUND',
      message: expect.stringContaining('cannot be connected yet'),
    });
    expect(await refused({ provider: 'git' })).toMatchObject({
      code: 'CONNECTOR_NOT_FOUND',
      message: expect.stringContaining('fourfold connectors add git'),
    });
    expect(await refused({ provider: 'folder', connector_id: 'nothing' })).toMatchObject({
      code: 'CONNECTOR_NOT_FOUND',
    });
    expect(await refused({ provider: 'folder', sync_run_id: 'nothing' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused({ provider: 'folder', cancel: true })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refused({ provider: 'folder', limit: 0 })).toMatchObject({ code: 'VALIDATION_ERROR' });

    await store.run('connectors', 'add', 'folder', notes, '--name', 'again');
    expect(await refused({ provider: 'folder' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { connectors: [{ id: connector_id, name: 'folder' }, { name: 'again' }] },
    });

    expect(await store.refuse('connectors', 'add', 'folder', join(notes, 'missing'))).toContain('NOT_FOUND');
    expect(await store.refuse('connectors', 'add', 'folder')).toContain('pass the folder');
    expect(await store.refuse('connectors', 'add', 'git', notes)).toContain('is not a git repository');
    expect(await store.refuse('connectors', 'add', 'slack')).toContain('Slack cannot be connected yet');
    expect(await store.refuse('connectors', 'add', 'plaid')).toContain('plaid_create_link_token');
    expect(await store.refuse('connectors', 'add', 'fodler')).toContain('did you mean folder?');
    expect((await agent.call<{ connectors: unknown[] }>('connectors_list')).connectors).toHaveLength(2);
  });

  it('a folder that is gone ends the run with the reason, and the next sync works again', async () => {
    const { store, notes, write } = await openNotes('SQLite');
    rmSync(notes, { recursive: true });
    expect(await store.refuse('connectors', 'sync', 'folder')).toContain('the folder');
    mkdirSync(notes);
    write('a.md', 'back again');
    expect((await store.run<SyncRun>('connectors', 'sync', 'folder')).stats.records_added).toBe(1);
  });

  it('a removed connector is gone, and what it brought in stays', async () => {
    const { store, write, connector_id } = await openNotes('SQLite');
    write('a.md', 'kept');
    await store.run('connectors', 'sync', 'folder');
    const agent = await openClient(store);
    expect(await agent.call('connectors_remove', { connector_id })).toEqual({ connector_id, removed: true });
    expect(await agent.fail('connectors_remove', { connector_id })).toMatchObject({ code: 'CONNECTOR_NOT_FOUND' });
    expect(await countEntities(agent, 'document')).toBe(1);
  });
});

describe.each(engines)('[IG23] connectors of two tenants, on %s', (engine) => {
  it('each sees and syncs only its own', async () => {
    const { store, notes, write } = await openNotes(engine);
    write('a.md', 'of acme');
    const mine = await store.run<Added>('connectors', 'add', 'folder', notes, '--tenant', 'acme');
    const served = await serveOn(store, {});
    onTestFinished(() => served.served.stop());
    const [acme, umbrella] = [
      await served.connect(await served.makeKey('acme')),
      await served.connect(await served.makeKey('umbrella')),
    ];
    onTestFinished(async () => {
      await acme.client.close();
      await umbrella.client.close();
    });
    const args = start('folder', { connector_id: mine.connector_id });
    expect(await umbrella.fail('sync_provider_imports', args)).toMatchObject({ code: 'CONNECTOR_NOT_FOUND' });
    expect(await umbrella.call('connectors_list')).toEqual({ connectors: [] });
    const admin = await served.connect(await served.makeKey('umbrella', 'admin'));
    onTestFinished(() => admin.client.close());
    const { connector_id } = mine;
    expect(await admin.fail('connectors_remove', { connector_id })).toMatchObject({ code: 'CONNECTOR_NOT_FOUND' });
    const begun = await acme.call<SyncRun>('sync_provider_imports', args);
    expect((await awaitSync(acme, begun)).stats.records_added).toBe(1);
    const { sync_run_id } = begun;
    // More often than syncs may be started.
    for (let times = 0; times < 6; times += 1)
      await acme.call('sync_provider_imports', start('folder', { sync_run_id }));
    const asked = await umbrella.fail('sync_provider_imports', start('folder', { sync_run_id }));
    expect(asked).toMatchObject({ code: 'NOT_FOUND' });
    expect(await countEntities(umbrella, 'document')).toBe(0);
  });
});

describe('[IG24] a local git repository', () => {
  it('brings in commits and tags, then only new ones, also after history was rewritten', async () => {
    const store = await openConnectorStore('SQLite');
    const repository = join(store.folder, 'repository');
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', repository, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: store.folder },
      });
    mkdirSync(repository);
    git('init', '-q', '-b', 'main');
    for (const n of [1, 2, 3]) git('commit', '-q', '--allow-empty', '-m', `Change ${n}\n\nBecause of reason ${n}.`);
    git('tag', 'v1.0');
    await store.run('connectors', 'add', 'git', repository);
    const sync = (...more: readonly string[]) => store.run<SyncRun>('connectors', 'sync', 'git', ...more);
    expect(await sync('--limit', '2')).toMatchObject({ pages: 2, stats: { records_added: 4, errors: 0 } });
    git('commit', '-q', '--amend', '--allow-empty', '-m', 'Change 3, better');
    // Old tools wrote commits without a date.
    const broken = join(store.folder, 'broken');
    writeFileSync(broken, `tree ${git('write-tree')}author Old\ncommitter Old\n\nWithout a date\n`);
    git('branch', 'old', git('hash-object', '-t', 'commit', '-w', '--literally', broken).trim());
    git('checkout', '-q', '-b', 'side');
    git('commit', '-q', '--allow-empty', '-m', 'Aside');
    git('reflog', 'expire', '--expire=now', '--all');
    expect((await sync()).stats).toEqual({ records_added: 3, records_updated: 0, errors: 0 });
    expect((await sync()).stats).toEqual({ records_added: 0, records_updated: 0, errors: 0 });
    const agent = await openClient(store);
    const { entities } = await agent.call<Found>('retrieve_entities', { query: 'reason 2', entity_type: 'commit' });
    expect(entities[0]!.snapshot).toMatchObject({ title: 'Change 2', author: 'Ada', author_email: 'ada@example.org' });
  });
});

describe('[IG25] data exports', () => {
  it.each([
    ['x-archive', 'x', 3, 'never restored', { relation: 'liked' }],
    ['instagram-archive', 'instagram', 4, 'café time', { relation: 'own', date: '2023-06-15T12:00:00.000Z' }],
  ])('%s: posts, likes and saved posts come in once', async (provider, folder, count, query, expected) => {
    const store = await openConnectorStore('SQLite');
    const path = join(store.folder, 'export');
    cpSync(join(dataExports, folder), path, { recursive: true });
    await store.run('connectors', 'add', provider, path);
    const first = await store.run<SyncRun>('connectors', 'sync', provider, '--limit', '1');
    expect(first).toMatchObject({ status: 'completed', stats: { records_added: count, errors: 0 } });
    const again = await store.run<SyncRun>('connectors', 'sync', provider);
    expect(again.stats).toEqual({ records_added: 0, records_updated: 0, errors: 0 });
    const agent = await openClient(store);
    const { entities } = await agent.call<Found>('retrieve_entities', { query });
    expect(entities[0]!.snapshot).toMatchObject(expected);
  });

  it('a folder without an export is refused, and a damaged file or entry is named', async () => {
    const store = await openConnectorStore('SQLite');
    const path = join(store.folder, 'export');
    mkdirSync(join(path, 'data'), { recursive: true });
    expect(await store.refuse('connectors', 'add', 'x-archive', path)).toContain('is not a data export of X');
    cpSync(join(dataExports, 'x'), path, { recursive: true });
    writeFileSync(join(path, 'data/like.js'), 'window.YTD.like.part0 = [ { "like" : ');
    const [good, bad] = [{ id_str: '7', full_text: 'Kept', created_at: 'Fri Jan 02 10:00:00 +0000 2026' }, 'soon'];
    const tweets = [{ tweet: good }, { tweet: { ...good, id_str: '8', created_at: bad } }, 5, { tweet: good }];
    writeFileSync(join(path, 'data/tweets-part9.js'), `window.YTD.tweets.part9 = ${JSON.stringify(tweets)}`);
    await store.run('connectors', 'add', 'x-archive', path);
    const run = await store.run<SyncRun>('connectors', 'sync', 'x-archive', '--limit', '1');
    expect(run).toMatchObject({ stats: { records_added: 3, errors: 3 } });
    expect(run.problems?.map(({ id }) => id).sort()).toEqual([
      'data/like.js',
      'data/tweets-part9.js, entry 2',
      'data/tweets-part9.js, entry 3',
    ]);
  });
});

describe('[IG26] the catalog of providers', () => {
  it('has the documented fields, and calls available only what can be connected', async () => {
    const store = await openConnectorStore('SQLite');
    const agent = await openClient(store);
    const { providers } = await agent.call<{ providers: readonly Json[] }>('list_provider_catalog');
    expect(providers.length).toBeGreaterThanOrEqual(20);
    const known = ['x', 'instagram', 'gmail', 'github', 'notion', 'slack', 'plaid', 'rss', 'caldav', 'mastodon'];
    expect(providers.map(({ id }) => id)).toEqual(expect.arrayContaining(known));
    for (const provider of providers) {
      expect(provider).toMatchObject({ name: expect.any(String), description: expect.any(String) });
      if (provider['status'] === 'available' && provider['id'] !== 'plaid') {
        const error = await agent.fail('sync_provider_imports', { provider: provider['id'] });
        expect(error.message).toContain(`fourfold connectors add ${provider['id'] as string}`);
      }
    }
  });
});
