import { expect, test } from 'vitest';
import { describeOnEngines } from '#kernel/jobs/engines.fixture.ts';
import { createPadsFixture } from './pads.fixture.ts';

type Json = Readonly<Record<string, unknown>>;

describeOnEngines('the description of a pad', (engine) => {
  async function start() {
    const notebooks = engine.closeAtEnd(createPadsFixture({ storage: engine.storage(), clock: engine.clock }));
    const { ask } = notebooks.as(engine.newTenant());
    const cells = [{ cell_id: 'one', language: 'md', content: 'roll out on Tuesday' }];
    await ask('scratch_create', { scratch_id: 'plan', metadata: { title: 'Draft', summary: 'short' }, cells });
    async function found(query: string) {
      const { hits } = await ask('scratch_search', { query });
      return new Set((hits as readonly Json[]).map(({ cell_id }) => cell_id ?? 'pad'));
    }
    return { ask, found };
  }

  test('[NB32] changes the title, keeps the other texts and the cells, and is found by the new title', async () => {
    const { ask, found } = await start();
    const answer = await ask('scratch_describe', { scratch_id: 'plan', title: 'Zeppelin release' });
    expect(answer).toEqual({
      ...{ ok: true, scratch_id: 'plan', title: 'Zeppelin release', description: null, summary: 'short' },
      revision: 2,
    });
    const { scratchpad } = (await ask('scratch_read', { scratch_id: 'plan' })) as { scratchpad: Json };
    expect(scratchpad).toMatchObject({ title: 'Zeppelin release', revision: 2, cell_count: 1 });
    expect(scratchpad['cells']).toMatchObject([{ content: 'roll out on Tuesday', revision: 1 }]);
    expect(await found('zeppelin')).toEqual(new Set(['one', 'pad']));
    expect(await found('draft')).toEqual(new Set());
  });

  test('[NB32] removes a text that is empty or null', async () => {
    const { ask } = await start();
    const answer = await ask('scratch_describe', { scratch_id: 'plan', title: '', summary: null });
    expect(answer).toMatchObject({ title: null, summary: null });
  });

  test('[NB32] rejects an outdated revision and a missing pad, and changes nothing', async () => {
    const { ask } = await start();
    const late = await ask('scratch_describe', { scratch_id: 'plan', title: 'Late', expected_revision: 7 });
    expect(late).toMatchObject({ error: { code: 'CONFLICT' } });
    const missing = await ask('scratch_describe', { scratch_id: 'none', title: 'x' });
    expect(missing).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(await ask('scratch_read', { scratch_id: 'plan' })).toMatchObject({
      scratchpad: { title: 'Draft', revision: 1 },
    });
  });
});
