import { describe, expect, it } from 'vitest';
import { added, plaidError, transaction } from '#tests/support/plaid-double.ts';
import { engines } from '../truth/truth-program.fixture.ts';
import { connect, openBank, readTransactions, type Synced, summaryOf, syncAll } from './plaid-program.fixture.ts';

describe.each(engines)("[IG10] a person's bank, with %s", (engine) => {
  it('is connected, synced and kept up to date, with every version and no deletion', async () => {
    const { plaid, program } = await openBank(engine);
    const link = await program.call('plaid_create_link_token');
    expect(link).toEqual({ link_token: 'link-sandbox-1', expiration: '2026-11-18T12:00:00Z' });
    const token = plaid.link('home', added('t1', 't2', 't3'));
    const { plaid_item, sync_summary } = await connect(program, token, true);
    expect([plaid_item, sync_summary]).toEqual([
      {
        id: expect.any(String),
        item_id: 'item-home',
        institution_name: 'First Platypus Bank',
        accounts: [{ id: 'acc-checking', name: 'Checking', type: 'depository', subtype: 'checking' }],
      },
      summaryOf(3),
    ]);
    const { found } = await readTransactions(program);
    expect(found['t1']!.snapshot).toMatchObject({
      amount: 12.5,
      currency: 'USD',
      merchant_name: 'Blue Bottle',
      date: '2026-10-05',
      status: 'posted',
      category: 'FOOD_AND_DRINK',
    });

    // The bank moves one transaction to an earlier date, and takes another back.
    plaid.report(
      'home',
      { kind: 'modified', transaction: transaction('t1', { amount: 14, date: '2026-10-01' }) },
      { kind: 'removed', transaction: transaction('t2') },
      ...added('t4'),
    );
    expect(await program.call<Synced>('plaid_sync', { item_id: 'item-home' })).toEqual({
      syncs: [
        {
          plaid_item_id: plaid_item.id,
          item_id: 'item-home',
          status: 'success',
          summary: summaryOf(1, 1, 1),
          next_cursor: 'cursor-6',
        },
      ],
      total_synced_items: 1,
    });
    const after = await readTransactions(program);
    expect(after.total).toBe(4);
    expect(after.found['t1']).toMatchObject({ observation_count: 2, snapshot: { amount: 14, date: '2026-10-01' } });
    expect(after.found['t2']).toMatchObject({ observation_count: 2, snapshot: { status: 'removed', amount: 12.5 } });
    expect(await program.call('plaid_list_items')).toEqual({
      items: [
        {
          id: plaid_item.id,
          item_id: 'item-home',
          institution_id: 'ins_1',
          institution_name: 'First Platypus Bank',
          products: ['transactions'],
          last_successful_sync: expect.stringMatching(/^\d{4}-.*Z$/),
          status: 'active',
        },
      ],
    });
  });

  it('[IG12] a repeated delivery adds nothing, and a full sync counts nothing again', async () => {
    const { plaid, program } = await openBank(engine);
    await connect(program, plaid.link('home', [...added('t1', 't2'), ...added('t1')]), true);
    plaid.report('home', ...added('t2'), { kind: 'removed', transaction: transaction('t1') });
    expect((await syncAll(program)).syncs[0]!.summary).toEqual(summaryOf(0, 0, 1));
    plaid.report('home', { kind: 'removed', transaction: transaction('t1') });
    expect((await syncAll(program)).syncs[0]!.summary).toEqual(summaryOf(0));
    plaid.answerWith(({ body }) =>
      body['cursor'] === undefined && body['count'] !== undefined
        ? { body: { added: [transaction('t2')], modified: [], removed: [], next_cursor: 'cursor-6', has_more: false } }
        : undefined,
    );
    expect((await syncAll(program, { force_full_sync: true })).syncs[0]).toMatchObject({
      summary: summaryOf(0),
      next_cursor: 'cursor-6',
    });
    const { found } = await readTransactions(program);
    expect([found['t1']!.observation_count, found['t2']!.observation_count]).toEqual([2, 1]);
  });

  it('[IG13] one failing bank is reported, the others are synced, and its status says why', async () => {
    const { plaid, program } = await openBank(engine);
    for (const name of ['one', 'two', 'three']) await connect(program, plaid.link(name, added(`${name}-1`)));
    const isTwo = (path: string, body: Readonly<Record<string, unknown>>) =>
      path === '/transactions/sync' && String(body['access_token']).includes('two');
    plaid.answerWith(({ path, body }) =>
      isTwo(path, body) ? plaidError('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED') : undefined,
    );
    const { syncs, total_synced_items } = await syncAll(program);
    expect(syncs.map(({ item_id, status, summary }) => [item_id, status, summary.added])).toEqual([
      ['item-one', 'success', 1],
      ['item-two', 'failed', 0],
      ['item-three', 'success', 1],
    ]);
    expect([total_synced_items, syncs[1]!.error]).toEqual([2, expect.stringContaining('plaid_create_link_token')]);
    const statusOf = async () =>
      (await program.call<{ items: { status: string }[] }>('plaid_list_items', { item_id: 'item-two' })).items[0]!
        .status;
    expect(await statusOf()).toBe('error');
    // Logged in again, in update mode, the next sync succeeds.
    await program.call('plaid_create_link_token', { plaid_item_id: syncs[1]!.plaid_item_id });
    expect(plaid.requests.at(-1)!.body).toMatchObject({ access_token: 'access-sandbox-two-8d3e' });
    plaid.answerWith(() => undefined);
    expect((await syncAll(program)).total_synced_items).toBe(3);
    expect(await statusOf()).toBe('active');
    plaid.answerWith(({ path, body }) =>
      isTwo(path, body) ? plaidError('ITEM_ERROR', 'USER_PERMISSION_REVOKED') : undefined,
    );
    expect(await program.fail('plaid_sync', { item_id: 'item-two' })).toMatchObject({
      code: 'PLAID_API_ERROR',
      details: { plaid_error_code: 'USER_PERMISSION_REVOKED', summary: summaryOf(0) },
    });
    expect(await statusOf()).toBe('revoked');
  });
});

describe('[IG11] the four tools reject what they cannot use', () => {
  it('without credentials, with the setting that is missing, and list no banks', async () => {
    const { program } = await openBank('SQLite', { FOURFOLD_PLAID_SECRET: '' });
    for (const [name, args] of [
      ['plaid_create_link_token', {}],
      ['plaid_exchange_public_token', { public_token: 'public-1' }],
      ['plaid_sync', { sync_all: true }],
    ] as const) {
      expect(await program.fail(name, args)).toMatchObject({
        code: 'PLAID_NOT_CONFIGURED',
        message: expect.stringContaining('plaidSecret'),
      });
    }
    expect(await program.call('plaid_list_items')).toEqual({ items: [] });
  });

  it('names neither a bank nor all, names both, or names an unknown one', async () => {
    const { program } = await openBank('SQLite');
    for (const args of [{}, { sync_all: false }, { sync_all: true, item_id: 'item-1' }]) {
      expect((await program.fail('plaid_sync', args)).code).toBe('VALIDATION_ERROR');
    }
    expect((await program.fail('plaid_sync', { item_id: 'item-1' })).code).toBe('PLAID_ITEM_NOT_FOUND');
    expect((await program.fail('plaid_sync', { plaid_item_id: 'x', force_full_sync: 'yes' })).code).toBe(
      'VALIDATION_ERROR',
    );
    expect((await program.fail('plaid_create_link_token', { plaid_item_id: 'x' })).code).toBe('PLAID_ITEM_NOT_FOUND');
    expect(await program.call('plaid_list_items', { item_id: 'item-1' })).toEqual({ items: [] });
    expect(await syncAll(program)).toEqual({ syncs: [], total_synced_items: 0 });
  });

  it('an expired public token, a wrong access token and a wrong secret', async () => {
    const { plaid, program } = await openBank('SQLite');
    expect((await program.fail('plaid_exchange_public_token', { public_token: 'public-old' })).code).toBe(
      'PLAID_INVALID_TOKEN',
    );
    plaid.answerWith(({ path }) =>
      path === '/link/token/create' ? plaidError('INVALID_INPUT', 'INVALID_ACCESS_TOKEN') : undefined,
    );
    const wrong = await program.fail('plaid_create_link_token', { access_token: 'not-a-token' });
    expect([wrong.code, JSON.stringify(wrong).includes('not-a-token')]).toEqual(['PLAID_INVALID_TOKEN', false]);
    plaid.answerWith(() => plaidError('INVALID_INPUT', 'INVALID_API_KEYS'));
    expect(await program.fail('plaid_create_link_token')).toMatchObject({
      code: 'PLAID_API_ERROR',
      message: expect.stringContaining('plaidSecret'),
    });
  });

  it('a public token is exchanged once, and a repeated call answers with the same bank', async () => {
    const { plaid, program } = await openBank('SQLite');
    const token = plaid.link('home', added('t1'), '');
    plaid.answerWith(({ path }) =>
      path === '/accounts/get' ? plaidError('API_ERROR', 'PLANNED_MAINTENANCE') : undefined,
    );
    expect(await program.fail('plaid_exchange_public_token', { public_token: token })).toMatchObject({
      code: 'PLAID_API_ERROR',
    });
    plaid.answerWith(() => undefined);
    const first = await connect(program, token);
    expect(first.plaid_item.institution_name).toBe('First Platypus Bank');
    expect(await connect(program, token, true)).toEqual({ ...first, sync_summary: summaryOf(1) });
    expect(plaid.requests.filter(({ path }) => path === '/item/public_token/exchange')).toHaveLength(1);
  });
});
