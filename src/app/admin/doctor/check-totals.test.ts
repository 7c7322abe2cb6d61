import { expect, test } from 'vitest';
import { createMerges } from '#domains/truth/merges/merges.ts';
import { createTruthFixture, describeTruth, invoice } from '#domains/truth/truth.fixture.ts';
import { mergeTools } from '#domains/truth/truth-toolset.ts';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { sql } from '#kernel/storage/sql.ts';
import { checkTruth } from './check-totals.ts';

const cursors = createCursors(Buffer.from('the cursors of a test'));

describeTruth('the doctor on truth', (engine) => {
  async function plant() {
    const floor = engine.base();
    const one = createTruthFixture(floor, { merges: createMerges({ ...floor, cursors }) }, mergeTools).as(
      engine.newTenant(),
    );
    const { entities } = await one.submit(invoice());
    const [, vendor, customer] = entities.map(({ entity_id }) => entity_id);
    return { ...one, vendor, customer, look: () => checkTruth(floor.storage, one.call('doctor')) };
  }

  test('accepts correct totals, also of an empty tenant and after merges', async () => {
    const { look, ask, vendor, customer } = await plant();
    expect(await look()).toMatchObject({ name: 'truth', status: 'ok' });
    const merged = await ask('merge_entities', { source_entity_id: vendor, target_entity_id: customer });
    expect(merged).not.toHaveProperty('error');
    expect(await look()).toMatchObject({ status: 'ok' });
    const empty = createTruthFixture(engine.base(), {}).as(engine.newTenant());
    expect(await checkTruth(engine.base().storage, empty.call('doctor'))).toMatchObject({ status: 'ok' });
  });

  test.each([
    ['entities company', sql`kind = 'entities' and key = 'company'`],
    ['observations', sql`kind = 'observations'`],
    ['payloads', sql`kind = 'payloads'`],
  ])('names a manipulated total and the command that repairs it: %s', async (expected, which) => {
    const { look, read } = await plant();
    const change = (by: number) =>
      read(function* (db) {
        yield* db.run(sql`update truth_totals set count = count + ${by} where tenant = ${db.tenant} and ${which}`);
      });
    await change(1);
    expect(await look()).toEqual({
      name: 'truth',
      status: 'warn',
      detail: expect.stringMatching(new RegExp(`: ${expected}$`)),
      fix: 'Run: fourfold truth rebuild',
    });
    await change(-1);
    expect(await look()).toMatchObject({ status: 'ok' });
  });

  test('notices rows that were not written by this program', async () => {
    const { look, read } = await plant();
    await read(function* (db) {
      yield* db.run(sql`delete from truth_observations where tenant = ${db.tenant}`);
      yield* db.run(sql`delete from truth_entities where tenant = ${db.tenant} and entity_type = 'invoice'`);
    });
    expect(await look()).toMatchObject({ detail: expect.stringContaining('entities invoice, observations') });
  });
});
