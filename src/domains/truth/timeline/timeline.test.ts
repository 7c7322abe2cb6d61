import { expect, test } from 'vitest';
import type { ToolAnswer } from '#tests/support/open-toolset.ts';
import { companyId, createEntitiesFixture } from '../entities/entities.fixture.ts';
import { codeOf, describeTruth, invoice } from '../truth.fixture.ts';

interface Shown {
  readonly id: string;
  readonly event_type: string;
  readonly event_timestamp: string;
  readonly entity_id: string;
  readonly value: string;
}
const eventsOf = (answer: ToolAnswer) => answer['events'] as readonly Shown[];

describeTruth('timeline', (engine) => {
  const bill = (n: number, date: string, due_date: string) =>
    invoice({ invoice_number: `INV-${n}`, date, due_date, vendor_name: undefined, customer_name: undefined });

  test('[TR19] contains every date field of every observation, newest first', async () => {
    const { ask, submit } = createEntitiesFixture(engine);
    const sent = await submit(bill(1, '2025-01-15', '2025-02-15'));
    const { entity_id, observation_id } = sent.entities[0]!;
    expect(await ask('list_timeline_events')).toEqual({
      total: 2,
      events: [
        {
          id: expect.stringMatching(/^evt_/),
          event_type: 'invoice_due_date',
          event_timestamp: '2025-02-15T00:00:00.000Z',
          entity_id,
          entity_type: 'invoice',
          source_field: 'due_date',
          value: '2025-02-15',
          source_record_id: sent.payload_id,
          observation_id,
          created_at: new Date(engine.clock.now()).toISOString(),
        },
        expect.objectContaining({ event_type: 'invoice_date', value: '2025-01-15' }),
      ],
    });
  });

  test('filters by type, time span and source, with a total, in pages', async () => {
    const { ask, submit } = createEntitiesFixture(engine);
    const sent = [];
    for (let n = 1; n <= 6; n += 1) sent.push(await submit(bill(n, `2025-01-0${n}`, '2025-03-01')));
    const typed = await ask('list_timeline_events', { event_type: 'invoice_date' });
    expect([
      typed['total'],
      eventsOf(typed)
        .map(({ value }) => value.slice(-1))
        .join(''),
    ]).toEqual([6, '654321']);
    const same = eventsOf(await ask('list_timeline_events', { event_type: 'invoice_due_date' }));
    expect(same.map(({ id }) => id)).toEqual(same.map(({ id }) => id).toSorted());
    const all = eventsOf(await ask('list_timeline_events'));
    const pages = [];
    for (const offset of [0, 5, 10]) pages.push(await ask('list_timeline_events', { limit: 5, offset }));
    expect(pages.flatMap(eventsOf)).toEqual(all);
    expect(pages.map(({ total }) => total)).toEqual([12, 12, 12]);
    const spanOf = async (span: object) => {
      const answer = await ask('list_timeline_events', { event_type: 'invoice_date', ...span });
      expect(answer['total']).toBe(eventsOf(answer).length);
      return eventsOf(answer)
        .map(({ value }) => value.slice(-1))
        .join('');
    };
    expect(await spanOf({ after_date: '2025-01-03' })).toBe('6543');
    expect(await spanOf({ before_date: '2025-01-03' })).toBe('321');
    expect(await spanOf({ after_date: '2025-01-02', before_date: '2025-01-03' })).toBe('32');
    expect(await spanOf({ after_date: '2025-01-02T00:00:01Z', before_date: '2025-01-04T00:00:00+01:00' })).toBe('3');
    expect(await spanOf({ after_date: '2026-01-01' })).toBe('');
    const { payload_id } = sent[2]!;
    const ofSource = await ask('list_timeline_events', { source_record_id: payload_id });
    expect(ofSource).toMatchObject({
      total: 2,
      events: [{ source_record_id: payload_id }, { source_record_id: payload_id }],
    });
    const both = await ask('list_timeline_events', { source_record_id: payload_id, event_type: 'invoice_date' });
    expect(both).toMatchObject({ total: 1, events: [{ value: '2025-01-03' }] });
    expect(await ask('list_timeline_events', { event_type: 'boat_date' })).toEqual({ events: [], total: 0 });
  });

  test('shows the root of a merged entity', async () => {
    const { ask, say, merge } = createEntitiesFixture(engine);
    await say({ company: 'Acme', stated: {}, source: { id: 'a' } });
    await say({ company: 'Labs', stated: { founded_date: '1999-05-01' }, source: { id: 'b' } });
    const shown = async () => eventsOf(await ask('list_timeline_events')).map(({ entity_id }) => entity_id);
    expect(await shown()).toEqual([companyId('Labs')]);
    await merge('Labs', 'Acme');
    expect(await shown()).toEqual([companyId('Acme')]);
  });

  test.each([
    [{ after_date: '2025-02-30' }],
    [{ before_date: 'yesterday' }],
    [{ after_date: '' }],
    [{ event_type: 'a b' }],
    [{ limit: 0 }],
    [{ offset: 100_001 }],
    [{ source_record_id: '' }],
    [{ entity_id: 'ent_1' }],
  ])('rejects %o', async (args) => {
    const { ask } = createEntitiesFixture(engine);
    expect(codeOf(await ask('list_timeline_events', args))).toBe('VALIDATION_ERROR');
  });
});
