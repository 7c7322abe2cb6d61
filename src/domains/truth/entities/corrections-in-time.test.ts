import { expect, test } from 'vitest';
import { createCursors } from '#kernel/cursor/cursor.ts';
import { createFacts } from '../facts/store-fact.ts';
import { createMerges } from '../merges/merges.ts';
import { createRelationships } from '../relationships/relationships.ts';
import { codeOf, createTruthFixture, describeTruth, invoice } from '../truth.fixture.ts';
import { entityTools, factTools, mergeTools } from '../truth-toolset.ts';
import { createEntities } from './entities.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const dayMs = 86_400_000;

describeTruth('[TR14] a correction', (engine) => {
  const open = () => {
    const base = engine.base();
    const merges = createMerges({ ...base, cursors: createCursors(Buffer.from('the cursors of a test')) });
    const parts = {
      entities: createEntities(base),
      relationships: createRelationships(base),
      facts: createFacts(base),
      merges,
    };
    const truth = createTruthFixture(base, parts, [...entityTools, ...factTools, ...mergeTools]);
    const one = truth.as(engine.newTenant());
    const now = engine.clock.now();
    const send = (invoice_number: string, body: object, extracted_at: number) =>
      one.submit(invoice({ invoice_number, ...body }, { extracted_at: iso(extracted_at) }));
    return {
      ...one,
      now,
      /** Its status as each day states it; the same invoice. */
      async start(...statuses: readonly string[]) {
        let id = '';
        for (const [i, status] of statuses.entries()) {
          const at = now - (statuses.length - i) * dayMs;
          id = (await send('INV-1', { status, tags: [status] }, at)).entities[0]!.entity_id;
        }
        return id;
      },
      send,
      correct: (entity_id: string, fields: object, more: object = {}) =>
        one.ask('correct_entity', { entity_id, fields, ...more }),
      async statusOf(entity_id: string, moment: object = {}) {
        const answer = await one.ask('get_entity_snapshot', { entity_id, ...moment });
        return codeOf(answer) ?? (answer['snapshot'] as { readonly status?: string }).status ?? null;
      },
      async tagsOf(entity_id: string, moment: object = {}) {
        const answer = await one.ask('get_entity_snapshot', { entity_id, ...moment });
        return (answer['snapshot'] as { readonly tags?: readonly string[] }).tags ?? null;
      },
    };
  };

  test('holds from the time of recording: the past keeps its value', async () => {
    const { start, correct, statusOf, now } = open();
    const id = await start('open', 'sent');
    await correct(id, { status: 'paid' });
    expect(await statusOf(id)).toBe('paid');
    expect(await statusOf(id, { at: iso(now - 1) })).toBe('sent');
    expect(await statusOf(id, { at: '2999' })).toBe('paid');
  });

  test('with effective_at in the past fixes the past from then on', async () => {
    const { start, correct, statusOf, now, send } = open();
    const id = await start('open', 'sent', 'lost');
    await correct(id, { status: 'paid' }, { effective_at: iso(now - 2 * dayMs) });
    expect(await statusOf(id)).toBe('paid');
    expect(await statusOf(id, { at: iso(now - 2 * dayMs) })).toBe('paid');
    expect(await statusOf(id, { at: iso(now - 2 * dayMs - 1) })).toBe('open');
    engine.clock.advance(dayMs);
    await send('INV-1', { status: 'reopened' }, now + dayMs);
    expect(await statusOf(id)).toBe('paid');
  });

  test('wins only inside its interval, and only there', async () => {
    const { start, correct, statusOf, tagsOf, now } = open();
    const id = await start('open');
    const period = { effective_at: iso(now + 1_000), effective_until: iso(now + 2_000) };
    await correct(id, { status: 'paid', tags: ['fixed'] }, period);
    const seen = async () => [await statusOf(id), await tagsOf(id)];
    expect(await seen()).toEqual(['open', ['open']]);
    engine.clock.advance(1_000);
    expect(await seen()).toEqual(['paid', ['fixed']]);
    engine.clock.advance(999);
    expect(await seen()).toEqual(['paid', ['fixed']]);
    engine.clock.advance(1);
    expect(await seen()).toEqual(['open', ['open']]);
    expect(await statusOf(id, { at: iso(now + 1_500) })).toBe('paid');
  });

  test('[TR43] until_newer: gives way to what is recorded later and effective later', async () => {
    const { start, correct, statusOf, tagsOf, send, now } = open();
    const id = await start('open', 'sent');
    await correct(id, { status: 'paid', tags: ['fixed'] }, { until_newer: true });
    expect([await statusOf(id), await tagsOf(id)]).toEqual(['paid', ['fixed']]);
    // Recorded later, but about an earlier time.
    engine.clock.advance(dayMs);
    await send('INV-1', { status: 'old news', tags: ['old'] }, now - 1);
    expect([await statusOf(id), await tagsOf(id)]).toEqual(['paid', ['fixed']]);
    await send('INV-1', { status: 'refunded', tags: ['new'] }, now + dayMs);
    expect([await statusOf(id), await tagsOf(id)]).toEqual(['refunded', ['new']]);
    // Between the two, the correction still holds.
    expect(await statusOf(id, { at: iso(now + dayMs - 1) })).toBe('paid');
    expect(await tagsOf(id, { at: iso(now + dayMs - 1) })).toEqual(['fixed']);
    engine.clock.advance(1);
    await send('INV-1', { tags: ['newer'] }, engine.clock.now());
    expect(await tagsOf(id)).toEqual(['new', 'newer']);
  });

  test('[TR43] until_newer: what was recorded earlier does not replace it when its time comes', async () => {
    const { start, correct, statusOf, ask, now } = open();
    const id = await start('open');
    const later = invoice({ invoice_number: 'INV-1', status: 'scheduled' }, { extracted_at: iso(now) });
    await ask('submit_payload', { ...later, effective_at: iso(now + 1_000) });
    engine.clock.advance(500);
    await correct(id, { status: 'paid' }, { until_newer: true });
    engine.clock.advance(1_000);
    expect(await statusOf(id)).toBe('paid');
    // Without the correction it would win.
    expect(await statusOf(id, { as_known_at: iso(now + 499) })).toBe('scheduled');
  });

  test('[TR43] until_newer: a later correction replaces what is newer, and the group shares it', async () => {
    const { start, correct, statusOf, send, ask, now } = open();
    const id = await start('open');
    await correct(id, { status: 'paid' }, { until_newer: true });
    engine.clock.advance(1_000);
    const other = (await send('INV-2', { status: 'refunded' }, now + 1_000)).entities[0]!.entity_id;
    await ask('merge_entities', { source_entity_id: other, target_entity_id: id });
    expect(await statusOf(id)).toBe('refunded');
    engine.clock.advance(1_000);
    await correct(id, { status: 'final' });
    engine.clock.advance(1_000);
    await send('INV-2', { status: 'late' }, now + 3_000);
    expect(await statusOf(id)).toBe('final');
    await ask('unmerge_entities', { source_entity_id: other, target_entity_id: id });
    expect([await statusOf(id), await statusOf(other)]).toEqual(['final', 'late']);
  });

  test('[TR43] until_newer: a group that loses a part keeps what its other parts stated', async () => {
    const { start, correct, statusOf, send, ask, now } = open();
    const id = await start('open');
    await correct(id, { status: 'paid' }, { until_newer: true });
    engine.clock.advance(1_000);
    for (const [number, status] of [
      ['INV-2', 'refunded'],
      ['INV-3', 'late'],
    ] as const) {
      const part = (await send(number, { status }, now + (number === 'INV-3' ? 1_000 : 500))).entities[0]!.entity_id;
      await ask('merge_entities', { source_entity_id: part, target_entity_id: id });
      expect(await statusOf(id)).toBe(status);
      if (number === 'INV-3') await ask('unmerge_entities', { source_entity_id: part, target_entity_id: id });
    }
    expect(await statusOf(id)).toBe('refunded');
    expect(await statusOf(id, { at: iso(now + 400) })).toBe('paid');
  });

  test('[TR31] of several in one millisecond the last one wins, with and without a start', async () => {
    const { start, correct, statusOf, now } = open();
    const id = await start('open');
    for (const status of ['1', '2', '3', '4']) {
      expect(await correct(id, { status })).toMatchObject({ snapshot: { status } });
      expect(await statusOf(id)).toBe(status);
    }
    const effective_at = iso(now - dayMs);
    const two = await start('sent');
    for (const status of ['1', '2', '3', '4']) {
      await correct(two, { status }, { effective_at });
      expect(await statusOf(two, { at: effective_at })).toBe(status);
    }
  });

  test('[TR44] a retraction ends it, and what was known before stays known', async () => {
    const { start, correct, statusOf, tagsOf, ask, now } = open();
    const id = await start('open');
    const { correction_id } = await correct(id, { status: 'paid', tags: ['fixed'] });
    engine.clock.advance(1_000);
    expect(await ask('retract_statement', { id: correction_id })).toMatchObject({
      retracted: true,
      kind: 'correction',
    });
    expect([await statusOf(id), await tagsOf(id)]).toEqual(['open', ['open']]);
    expect(await statusOf(id, { as_known_at: iso(now + 999) })).toBe('paid');
    expect(await statusOf(id, { as_known_at: iso(now + 1_000) })).toBe('open');
    expect(await ask('retract_statement', { id: correction_id })).toMatchObject({ retracted: false });
  });

  test('[TR44] a retracted submission no longer counts, and the others do', async () => {
    const { send, statusOf, ask, now } = open();
    const first = await send('INV-1', { status: 'open' }, now - 2);
    const second = await send('INV-1', { status: 'wrong' }, now - 1);
    const { entity_id } = first.entities[0]!;
    engine.clock.advance(10);
    await ask('retract_statement', { id: second.submission_id, reason: 'another invoice' });
    expect(await statusOf(entity_id)).toBe('open');
    expect(await statusOf(entity_id, { as_known_at: iso(now + 9) })).toBe('wrong');
    engine.clock.advance(10);
    await send('INV-1', { status: 'paid' }, now);
    expect(await statusOf(entity_id)).toBe('paid');
  });
});

describeTruth('[TR45] a field that ended', (engine) => {
  const open = () => {
    const base = engine.base();
    const parts = {
      entities: createEntities(base),
      relationships: createRelationships(base),
      facts: createFacts(base),
    };
    const one = createTruthFixture(base, parts, [...entityTools, ...factTools]).as(engine.newTenant());
    const subject = { type: 'person', name: 'Sarah Lee' };
    return {
      ...one,
      now: engine.clock.now(),
      fact: async (more: object) => {
        const answer = await one.ask('store_fact', { subject, ...more });
        expect(codeOf(answer)).toBeUndefined();
        return answer;
      },
      async snapshot(moment: object = {}) {
        const { entities } = await one.ask('retrieve_entities', { entity_type: 'person' });
        const { entity_id } = (entities as { entity_id: string }[])[0]!;
        return (await one.ask('get_entity_snapshot', { entity_id, ...moment }))['snapshot'];
      },
    };
  };

  test('is not shown from then on, and was there before', async () => {
    const { fact, snapshot } = open();
    await fact({ fields: { phone: '1', role: 'CTO' }, effective_at: '2024' });
    await fact({ ended: ['phone'], effective_at: '2025-05' });
    expect(await snapshot()).toEqual({ name: 'Sarah Lee', role: 'CTO' });
    expect(await snapshot({ at: '2025-04' })).toMatchObject({ phone: '1' });
    expect(await snapshot({ at: '2025-05-01' })).not.toHaveProperty('phone');
  });

  test('has a value again when a later statement says so, not when an earlier one arrives late', async () => {
    const { fact, snapshot } = open();
    await fact({ fields: { phone: '1' }, effective_at: '2024' });
    await fact({ ended: ['phone'], effective_at: '2025-05' });
    await fact({ fields: { phone: 'late' }, effective_at: '2025-02' });
    expect(await snapshot()).not.toHaveProperty('phone');
    await fact({ fields: { phone: '2' }, effective_at: '2025-06' });
    expect(await snapshot()).toMatchObject({ phone: '2' });
    expect(await snapshot({ at: '2025-05' })).not.toHaveProperty('phone');
    expect(await snapshot({ at: '2025-03' })).toMatchObject({ phone: 'late' });
  });

  test('returns when the end is only for a period', async () => {
    const { fact, snapshot, now } = open();
    await fact({ fields: { phone: '1' }, effective_at: '2024' });
    await fact({ ended: ['phone'], effective_at: iso(now + 1_000), effective_until: iso(now + 2_000) });
    expect(await snapshot()).toMatchObject({ phone: '1' });
    engine.clock.advance(1_000);
    expect(await snapshot()).not.toHaveProperty('phone');
    engine.clock.advance(1_000);
    expect(await snapshot()).toMatchObject({ phone: '1' });
  });

  test('an array loses what was stated before, and gathers what is stated later', async () => {
    const { fact, snapshot } = open();
    await fact({ fields: { tags: ['a', 'b'] }, effective_at: '2024' });
    await fact({ ended: ['tags'], effective_at: '2025-05' });
    expect(await snapshot()).not.toHaveProperty('tags');
    await fact({ fields: { tags: ['late'] }, effective_at: '2024-06' });
    expect(await snapshot()).not.toHaveProperty('tags');
    await fact({ fields: { tags: ['b', 'c'] }, effective_at: '2025-06' });
    expect(await snapshot()).toMatchObject({ tags: ['b', 'c'] });
    expect(await snapshot({ at: '2025-01' })).toMatchObject({ tags: ['a', 'b', 'late'] });
  });
});
