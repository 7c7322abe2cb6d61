import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { added, plaidError, transaction } from '#tests/support/plaid-double.ts';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { openNotebooks } from '../notebooks/notebook-program.ts';
import { engines, makeSharedStore, openTruth, serveTruth, toTruthCaller } from '../truth/truth-program.fixture.ts';
import {
  type Connected,
  connect,
  type EngineName,
  expectNoSecrets,
  openBank,
  openPlaid,
  readTransactions,
  type Synced,
  summaryOf,
  syncAll,
} from './plaid-program.fixture.ts';

const transactions = '/transactions/sync';

/** Programs on one store that can be killed. */
async function openShared(engine: EngineName) {
  const plaid = await openPlaid();
  const store = await makeSharedStore(engine);
  onTestFinished(() => store.remove());
  return {
    plaid,
    async open() {
      const program = await openNotebooks({ ...store.env, ...plaid.env });
      onTestFinished(() => program.close());
      return { ...toTruthCaller(program.client), child: program.child };
    },
  };
}

describe.each(engines)('[IG14] a sync that is cut off or doubled, with %s', (engine) => {
  it('after kill -9 at several moments each transaction is there once', async () => {
    const { plaid, open } = await openShared(engine);
    plaid.setPageSize(3);
    const names = ['a', 'b', 'c', 'd'];
    const idsOf = (name: string) => Array.from({ length: 12 }, (_, i) => `${name}-${i}`);
    let program = await open();
    for (const name of names) await connect(program, plaid.link(name, added(...idsOf(name))));
    for (const [round, name] of names.entries()) {
      const { child } = program;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      let pagesCount = 0;
      plaid.onAnswer((path) => {
        if (path !== transactions) return;
        pagesCount += 1;
        // The first kill hits the wait for a page, the others the storing of it.
        if (pagesCount === 3) void pause(round === 0 ? 0 : randomInt(1, 25)).then(() => child.kill('SIGKILL'));
        return round === 0 && pagesCount === 3 ? pause(20) : undefined;
      });
      void program.call('plaid_sync', { item_id: `item-${name}` }).catch(() => {});
      await ended;
      program = await open();
    }
    plaid.onAnswer(() => {});
    // The leases of the killed programs expire.
    await vi.waitFor(async () => expect((await syncAll(program)).total_synced_items).toBe(names.length), {
      timeout: 30_000,
      interval: 300,
    });
    const { total, found } = await readTransactions(program);
    expect([total, Object.keys(found).sort()]).toEqual([48, names.flatMap(idsOf).sort()]);
    expect(Object.values(found).filter(({ observation_count }) => observation_count !== 1)).toEqual([]);
  });

  it('of two syncs of one bank in two programs one is refused', async () => {
    const { plaid, open } = await openShared(engine);
    const [one, two] = [await open(), await open()];
    await connect(one, plaid.link('home', added('t1', 't2')));
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    plaid.onAnswer((path) => {
      if (path !== transactions) return;
      arrived.resolve();
      return release.promise;
    });
    const first = one.call<Synced>('plaid_sync', { item_id: 'item-home' });
    await arrived.promise;
    expect(await two.fail('plaid_sync', { item_id: 'item-home' })).toMatchObject({
      code: 'SYNC_FAILED',
      message: expect.stringContaining('another sync of this bank is running'),
    });
    expect((await syncAll(two)).syncs[0]).toMatchObject({ status: 'failed', summary: summaryOf(0) });
    release.resolve();
    expect((await first).syncs[0]).toMatchObject({ status: 'success', summary: summaryOf(2) });
    expect((await syncAll(two)).syncs[0]).toMatchObject({ status: 'success', summary: summaryOf(0) });
  });
});

describe('[IG15] trouble with Plaid', () => {
  it('waits as Retry-After says, and retries after a failure of the server', async () => {
    const { plaid, program } = await openBank('SQLite');
    await connect(program, plaid.link('home', added('t1')));
    const failures = [
      { ...plaidError('RATE_LIMIT_EXCEEDED', 'TRANSACTIONS_SYNC_LIMIT', 429), headers: { 'retry-after': '1' } },
      { status: 500, body: '<html>oops</html>', headers: { 'content-type': 'text/html' } },
    ];
    plaid.answerWith(({ path }) => (path === transactions ? failures.shift() : undefined));
    expect((await syncAll(program)).syncs[0]!.summary).toEqual(summaryOf(1));
    expect(failures).toEqual([]);
    plaid.answerWith(() => ({
      ...plaidError('RATE_LIMIT_EXCEEDED', 'RATE_LIMIT', 429),
      headers: { 'retry-after': '3600' },
    }));
    const before = plaid.requests.length;
    expect(await program.fail('plaid_sync', { item_id: 'item-home' })).toMatchObject({
      code: 'PLAID_API_ERROR',
      details: { plaid_error_code: 'RATE_LIMIT', retry_after_seconds: 3600 },
    });
    expect(plaid.requests.length).toBe(before + 1);
  });

  const brokenAnswers = [
    ['HTML instead of JSON', { body: '<html>Sign in</html>', headers: { 'content-type': 'text/html' } }],
    ['truncated JSON', { body: '{"added": [' }],
    ['wrong types', { body: { added: 'many', modified: [], removed: [], next_cursor: 7, has_more: 'no' } }],
    ['a transaction without an amount', { body: pageOf([{ ...transaction('t9'), amount: 'much' }]) }],
    ['a redirect, which would pass the token on', { status: 307, body: '', headers: { location: '/elsewhere' } }],
    ['a server that keeps failing', plaidError('API_ERROR', 'INTERNAL_SERVER_ERROR', 500)],
    ['a very long answer', { body: { ...pageOf([]), padding: 'x'.repeat(17 * 1024 * 1024) } }],
  ] as const;

  it('answers with a documented code and stores nothing after a broken answer', async () => {
    const { plaid, program } = await openBank('SQLite');
    for (const [at, [title, answer]] of brokenAnswers.entries()) {
      await connect(program, plaid.link(`bank-${at}`, added(`t${at}`)));
      const item = { item_id: `item-bank-${at}` };
      plaid.answerWith(({ path }) => (path === transactions ? answer : undefined));
      const { code } = await program.fail('plaid_sync', item);
      expect(['PLAID_API_ERROR', 'SYNC_FAILED'], title).toContain(code);
      expect((await readTransactions(program)).total, title).toBe(at);
      plaid.answerWith(() => undefined);
      expect((await program.call<Synced>('plaid_sync', item)).syncs[0]!.summary, title).toEqual(summaryOf(1));
    }
  });

  it('ends a loop of cursors, and a list of pages without end', async () => {
    const { plaid, program } = await openBank('SQLite');
    await connect(program, plaid.link('home'));
    const same = { ...pageOf([]), next_cursor: 'round', has_more: true };
    plaid.answerWith(({ path }) => (path === transactions ? { body: same } : undefined));
    expect(await program.fail('plaid_sync', { item_id: 'item-home' })).toMatchObject({
      code: 'SYNC_FAILED',
      message: expect.stringContaining('the same page'),
    });
    let count = 0;
    plaid.answerWith(({ path }) => {
      if (path !== transactions) return undefined;
      count += 1;
      return { body: { ...same, next_cursor: `next-${count}` } };
    });
    expect((await program.fail('plaid_sync', { item_id: 'item-home' })).code).toBe('SYNC_FAILED');
    expect(count).toBe(400);
  });

  it('starts again with the first page if Plaid says that the data changed meanwhile', async () => {
    const { plaid, program } = await openBank('SQLite');
    plaid.setPageSize(2);
    await connect(program, plaid.link('home', added('t1', 't2', 't3', 't4', 't5')));
    const changed = plaidError('TRANSACTIONS_ERROR', 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION');
    const failures = [undefined, undefined, changed];
    plaid.answerWith(({ path }) => (path === transactions ? failures.shift() : undefined));
    expect((await syncAll(program)).syncs[0]).toMatchObject({ summary: summaryOf(5), next_cursor: 'cursor-5' });
    const cursors = plaid.requests.filter(({ path }) => path === transactions).map(({ body }) => body['cursor']);
    expect(cursors).toEqual([undefined, 'cursor-2', 'cursor-4', undefined, 'cursor-2', 'cursor-4']);

    // Also if an earlier sync had stored the first pages.
    plaid.report('home', ...added('t6', 't7', 't8'));
    const later = [undefined, plaidError('INSTITUTION_ERROR', 'INSTITUTION_DOWN'), changed];
    plaid.answerWith(({ path }) => (path === transactions ? later.shift() : undefined));
    await program.fail('plaid_sync', { item_id: 'item-home' });
    const before = plaid.requests.length;
    expect((await syncAll(program)).syncs[0]!.summary).toEqual(summaryOf(1));
    const again = plaid.requests.slice(before).map(({ body }) => body['cursor']);
    expect(again).toEqual(['cursor-7', 'cursor-5', 'cursor-7']);
    plaid.answerWith(({ path }) => (path === transactions ? changed : undefined));
    expect((await program.fail('plaid_sync', { item_id: 'item-home' })).code).toBe('PLAID_API_ERROR');
  });

  it('continues after the last stored page, and stores texts and dates that a store would refuse', async () => {
    const { plaid, program } = await openBank('SQLite');
    plaid.setPageSize(1);
    const odd = { name: 'A\0B \ud800', merchant_name: '  ', date: '2099-01-01', counterparties: [{ name: 'Zelle' }] };
    await connect(
      program,
      plaid.link('home', [...added('t1'), { kind: 'added', transaction: transaction('t2', odd) }]),
    );
    const failures = [undefined, plaidError('INSTITUTION_ERROR', 'INSTITUTION_DOWN')];
    plaid.answerWith(({ path }) => (path === transactions ? failures.shift() : undefined));
    expect(await program.fail('plaid_sync', { item_id: 'item-home' })).toMatchObject({
      details: { summary: summaryOf(1) },
    });
    const before = plaid.requests.length;
    expect((await syncAll(program)).syncs[0]!.summary).toEqual(summaryOf(1));
    expect(plaid.requests.slice(before).map(({ body }) => body['cursor'])).toEqual(['cursor-1']);
    const { found } = await readTransactions(program);
    expect(found['t2']!.snapshot).toMatchObject({ date: '2099-01-01', counterparty: 'Zelle' });
  });
});

function pageOf(list: readonly unknown[]) {
  return { added: list, modified: [], removed: [], next_cursor: 'cursor-0', has_more: false };
}

describe('[IG16] banks of several tenants', () => {
  it('one tenant neither sees nor syncs the bank of another, and plaid_sync is limited to 5 calls a minute', async () => {
    const plaid = await openPlaid();
    const server = await serveTruth('SQLite', plaid.env);
    onTestFinished(() => server.stop());
    const [mine, other] = [await server.makeKey('mine'), await server.makeKey('other')];
    const connected = await server.post(mine, 'plaid_exchange_public_token', {
      public_token: plaid.link('home', added('t1')),
    });
    const { id, item_id } = (connected.body as unknown as Connected).plaid_item;
    expect((await server.post(other, 'plaid_list_items', {})).body).toEqual({ items: [] });
    for (const args of [{ plaid_item_id: id }, { item_id }]) {
      const { status, error } = await server.post(other, 'plaid_sync', args);
      expect([status, error.code]).toEqual([404, 'PLAID_ITEM_NOT_FOUND']);
    }
    const statuses = async (key: string): Promise<readonly number[]> => {
      const minute = () => Math.floor(Date.now() / 60_000);
      const begun = minute();
      const found: number[] = [];
      for (let i = 0; i < 6; i += 1) found.push((await server.post(key, 'plaid_sync', { sync_all: true })).status);
      // The limit is per minute of the clock.
      return minute() === begun ? found : statuses(await server.makeKey(`mine-${minute()}`));
    };
    expect(await statuses(mine)).toEqual([200, 200, 200, 200, 200, 429]);
    expectNoSecrets([server.logged(), JSON.stringify(connected.body)]);
  });
});

describe('[IG17] tokens of banks', () => {
  it('are in a backup, encrypted, and in no export; transactions are in both', async () => {
    const { plaid, program } = await openBank('SQLite');
    await connect(program, plaid.link('home', added('t1')), true);
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    const run = async (home: string, ...words: readonly string[]) => {
      const env = { ...plaid.env, FOURFOLD_HOME: home, FOURFOLD_LOG_LEVEL: 'error' };
      const { code, stdout, stderr } = await runProgram([...words, '--json'], env);
      expect(code, stderr).toBe(0);
      return stdout;
    };
    const file = join(folder, 'local.jsonl');
    await run(program.home, 'export', file);
    const exported = readFileSync(file, 'utf8');
    expect([exported.includes('plaid_items'), exported.includes('plaid:item-home')]).toEqual([false, true]);
    expectNoSecrets([exported]);
    const elsewhere = join(folder, 'elsewhere');
    await run(elsewhere, 'import', file, '--mode', 'skip');
    expect(JSON.parse(await run(elsewhere, 'plaid', 'list', 'items'))).toEqual({ items: [] });

    await run(program.home, 'backup', join(folder, 'backup'), '--with-keys');
    const restored = join(folder, 'restored');
    await run(restored, 'restore', join(folder, 'backup'));
    plaid.report('home', ...added('t2'));
    const synced = JSON.parse(await run(restored, 'plaid', 'sync', '--sync-all')) as Synced;
    expect(synced.syncs[0]!.summary).toEqual(summaryOf(1));
  });
});

describe('[IG18] the package of Plaid', () => {
  it('is loaded by the first call that needs it, and never without credentials', async () => {
    const plaid = await openPlaid();
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    const loaded = join(folder, 'loaded');
    const hooks = join(folder, 'hooks.mjs');
    writeFileSync(
      hooks,
      `import { appendFileSync } from 'node:fs';
       import { registerHooks } from 'node:module';
       registerHooks({ resolve(name, context, next) { appendFileSync(${JSON.stringify(loaded)}, name + '\\n'); return next(name, context); } });`,
    );
    const names = () => readFileSync(loaded, 'utf8').split('\n');
    const options = { NODE_OPTIONS: `--import ${pathToFileURL(hooks).href}` };
    const without = await openTruth('SQLite', options);
    await without.client.listTools();
    await without.call('plaid_list_items');
    expect((await without.fail('plaid_sync', { sync_all: true })).code).toBe('PLAID_NOT_CONFIGURED');
    await without.close();
    expect(names()).not.toContain('plaid');
    const program = await openTruth('SQLite', { ...options, ...plaid.env });
    expect(names()).not.toContain('plaid');
    await program.call('plaid_create_link_token');
    await program.close();
    expect(names()).toContain('plaid');
  });
});
