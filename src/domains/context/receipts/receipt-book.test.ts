import { expect, it } from 'vitest';
import type { TenantId } from '#kernel/call.ts';
import { createCountedIds } from '#kernel/ids/ids.ts';
import { describeOnEngines } from '#kernel/jobs/engines.fixture.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { contextLimits } from '../context-limits.ts';
import { forgetReceipts } from './forget-receipts.ts';
import type { Receipt } from './receipt.ts';
import { createReceiptBook } from './receipt-book.ts';
import { findReceipt, listReceipts } from './receipt-store.ts';

const receipt = (receipt_id: string): Receipt => ({
  receipt_id,
  arguments: { task: 'a task', budget_tokens: 1_500 },
  tokens: 100,
  seq: 1,
  items: [],
  left_out_items: [],
});

describeOnEngines('[CX30] receipts', ({ storage, openOther, newTenant, clock }) => {
  const open = (on: Storage, keepCount = 10) => {
    const log = createLogFixture();
    return { log, book: createReceiptBook({ storage: on, clock, ids: createCountedIds(), log, keepCount }) };
  };
  const callOf = (tenant: TenantId) => systemCall('recall', { tenant, actor: 'ada' });
  const idsOf = async (tenant: TenantId) => {
    const first = { at: Number.MAX_SAFE_INTEGER, receipt_id: '' };
    const rows = await storage().read(callOf(tenant), (db) => listReceipts(db, first, 5_000));
    return rows.map(({ receipt_id }) => receipt_id);
  };

  it('are stored together, and only the newest ones are kept', async () => {
    const tenant = newTenant();
    const { book } = open(storage(), 2);
    for (const id of ['a', 'b', 'c']) {
      clock.advance(1);
      book.keep(receipt(id), callOf(tenant));
    }
    expect(await idsOf(tenant)).toEqual([]);
    await book.flush();
    expect(await idsOf(tenant)).toEqual(['c', 'b']);
    clock.advance(1);
    book.keep(receipt('d'), callOf(tenant));
    await book.flush();
    expect(await idsOf(tenant)).toEqual(['d', 'c']);
    expect(await storage().read(callOf(tenant), (db) => findReceipt(db, 'd'))).toMatchObject({ actor: 'ada' });
  });

  it('are removed when an item that they name is forgotten', async () => {
    const tenant = newTenant();
    const { book } = open(storage());
    book.keep({ ...receipt('gone'), arguments: { task: 'call ent_1', budget_tokens: 1_500 } }, callOf(tenant));
    book.keep(receipt('kept'), callOf(tenant));
    await book.flush();
    const what = { ids: new Set(['ent_1']), isConcerned: (text: string) => text.includes('ent_1') };
    expect(await storage().write(callOf(tenant), (db) => forgetReceipts(db, what))).toBe(1);
    expect(await idsOf(tenant)).toEqual(['kept']);
  });

  it('are limited in number while they wait', async () => {
    const tenant = newTenant();
    const { book } = open(storage(), 5_000);
    for (let n = 0; n < contextLimits.waitingReceiptsCount + 5; n += 1) book.keep(receipt(`r${n}`), callOf(tenant));
    await book.flush();
    expect(await idsOf(tenant)).toHaveLength(contextLimits.waitingReceiptsCount);
  });

  it('are lost if the store fails, and nothing else happens', async () => {
    const closed = await openOther();
    await closed.close();
    const { book, log } = open(closed);
    book.keep(receipt('lost'), callOf(newTenant()));
    await expect(book.flush()).resolves.toBeUndefined();
    expect(JSON.stringify(log)).toContain('receipts of recall could not be stored');
  });
});
