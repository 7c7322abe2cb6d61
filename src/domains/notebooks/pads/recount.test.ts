import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import type { TestStore } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { createPadsFixture } from './pads.fixture.ts';
import { findMiscounts, recount } from './recount.ts';

const right = { totals: 0, namespaces: 0, missingTags: 0, strayTags: 0, tagTotals: 0 };

describe.each([sqliteEngine(true), postgresEngine(false)])('counts of notebooks on $name', (engine) => {
  let place: TestStore;
  let storage: Storage;
  beforeAll(async () => {
    place = await engine.create();
    storage = await place.open({ migrations, clock: createManualClock() });
  });
  afterAll(async () => {
    await storage.close();
    await place.remove();
  });

  async function fill() {
    const notebooks = createPadsFixture({ storage });
    const { ask, tenant } = notebooks.as(newTenant());
    for (let i = 0; i < 25; i += 1) {
      const metadata = { namespace: `n${i % 3}`, tags: ['all', `t${i % 4}`, 'ü"'] };
      const cells = [{ language: 'md', content: 'c', tags: [`c${i % 5}`, 'all'] }];
      await ask('scratch_create', { scratch_id: `p${i}`, metadata, cells: cells.slice(i % 2) });
    }
    await ask('scratch_delete', { scratch_id: 'p3' });
    await notebooks.close();
    return { ask, tenant, call: () => createCall(tenant, { audit: 'none' }) };
  }

  test('are correct after writes, and a recount does not change them', async () => {
    const { call } = await fill();
    expect(await findMiscounts(storage, call)).toEqual(right);
    await recount(storage, call);
    expect(await findMiscounts(storage, call)).toEqual(right);
  });

  test.each([
    ['a total', "update notebook_totals set pads_count = 7 where tenant = '$'", { totals: 1 }],
    ['no totals', "delete from notebook_totals where tenant = '$'", { totals: 1 }],
    ['cells', "update notebook_totals set cells_count = 1 where tenant = '$'", { totals: 1 }],
    ['namespaces', "update notebook_namespaces set pads_count = 99 where tenant = '$'", { namespaces: 3 }],
    [
      'a tag total',
      "update notebook_tag_totals set pads_count = 99 where tenant = '$' and tag = 't1'",
      { tagTotals: 3 },
    ],
    ['no tag totals', "delete from notebook_tag_totals where tenant = '$' and tag = 't1'", { tagTotals: 3 }],
    [
      'a tag total without a tag',
      "insert into notebook_tag_totals (tenant, namespace_key, kind, tag, pads_count) values ('$', '', 'pad', 'x', 0)",
      { tagTotals: 1 },
    ],
    [
      'a missing tag',
      "delete from notebook_tags where tenant = '$' and tag = 'all' and kind = 'pad' and scratch_id in ('p1', 'p20')",
      { missingTags: 2, tagTotals: 2 },
    ],
    [
      'a tag of a missing pad',
      "insert into notebook_tags (tenant, tag, kind, scratch_id, namespace_key) values ('$', 'zz', 'cell', 'missing', '')",
      { strayTags: 1, tagTotals: 1 },
    ],
    [
      'a tag in the wrong namespace',
      "update notebook_tags set namespace_key = 'x' where tenant = '$' and scratch_id = 'p9' and tag = 'all' and kind = 'pad'",
      { strayTags: 1, tagTotals: 2 },
    ],
  ])('are repaired by a recount: %s', async (_what, statement, wrong) => {
    const { ask, tenant, call } = await fill();
    const [tags, names] = [await ask('scratch_list_tags'), await ask('scratch_namespace_list')];
    await place.tamper(statement.replace('$', tenant));
    expect(await findMiscounts(storage, call)).toEqual({ ...right, ...wrong });
    await recount(storage, call);
    expect(await findMiscounts(storage, call)).toEqual(right);
    expect([await ask('scratch_list_tags'), await ask('scratch_namespace_list')]).toEqual([tags, names]);
  });
});
