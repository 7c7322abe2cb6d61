import { expect, test } from 'vitest';
import { codeOf, describeTruth } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import { may, openContradictionsFixture } from './contradictions.fixture.ts';

const iso = (ms: number) => new Date(ms).toISOString();

describeTruth('[TR96] a contradiction', (engine) => {
  const start = () => openContradictionsFixture(engine).as();

  test('is two values of one field from two sources for the same time', async () => {
    const { say, list } = start();
    const first = await say('contract.pdf', { budget: 1500, color: 'red' });
    const second = await say('mail of 2 May', { budget: 1600, color: 'red' });
    const contradictions = await list();
    expect(contradictions).toEqual([
      {
        contradiction_id: expect.stringMatching(/^con_[0-9a-f]{24}$/),
        entity_id: first.entity_id,
        entity_type: 'project',
        name: 'apollo',
        field: 'budget',
        statements: [
          expect.objectContaining({
            ...{ value: 1500, source_refs: ['contract.pdf'], submission_id: first.submission_id },
            ...{ effective_at: may, source_kind: 'payload', actor: 'ada' },
          }),
          expect.objectContaining({ value: 1600, source_refs: ['mail of 2 May'], submission_id: second.submission_id }),
        ],
        shown: { value: 1600, observation_id: contradictions[0]!.statements[1]!.observation_id },
        opened_at: contradictions[0]!.statements[1]!.created_at,
      },
    ]);
    expect(first.contradictions).toBeUndefined();
    expect(second.contradictions).toEqual([
      {
        contradiction_id: contradictions[0]!.contradiction_id,
        entity_id: first.entity_id,
        field: 'budget',
        values: contradictions[0]!.statements.map(({ value, observation_id }) => ({ value, observation_id })),
      },
    ]);
  });

  test.each([
    ['the same source twice', 'a', { budget: 1 }, 'a', { budget: 2 }, {}],
    ['a later time', 'a', { budget: 1 }, 'b', { budget: 2 }, { effective_at: '2025-06' }],
    ['an earlier time', 'a', { budget: 1 }, 'b', { budget: 2 }, { effective_at: '2025-04' }],
    ['another spelling', 'a', { vendor_name: 'ACME Inc.' }, 'b', { vendor_name: 'acme inc' }, {}],
    ['another form of a number', 'a', { budget: 1500 }, 'b', { budget: '1,500.00' }, {}],
    ['a more precise date', 'a', { due: '2025-05' }, 'b', { due: '12 May 2025' }, {}],
    ['other fields', 'a', { budget: 1 }, 'b', { color: 'red' }, {}],
    ['no value', 'a', { budget: 1 }, 'b', { budget: null }, {}],
  ] as const)('is not %s', async (_, one, stated, other, restated, more) => {
    const { say, open } = start();
    await say(one, stated);
    await say(other, restated, more);
    expect(await open()).toEqual([]);
  });

  test('needs a time for which both hold', async () => {
    const { say, open } = start();
    await say('a', { budget: 1 }, { effective_until: '2025-05-10' });
    await say('b', { budget: 2 }, { effective_at: '2025-05-12' });
    expect(await open()).toEqual([]);
    await say('c', { budget: 3 }, { effective_at: '2025-05-03', effective_until: '2025-05-04' });
    expect(await open()).toEqual(['budget: 1 / 3']);
  });

  test('counts a start that is not precise as any moment of its period', async () => {
    const { say, open } = start();
    await say('a', { budget: 1 }, { effective_at: '2025' });
    await say('b', { budget: 2 }, { effective_at: '2025-03-04T05:06:07Z' });
    await say('c', { budget: 3 }, { effective_at: '2025-05' });
    expect(await open()).toEqual(['budget: 1 / 2', 'budget: 1 / 3']);
  });

  test('can be between a value and the end of the field', async () => {
    const { say, open } = start();
    await say('a', { budget: 1 });
    await say('b', {}, { ended: ['budget'] });
    expect(await open()).toEqual(['budget: 1 / null']);
  });

  test('is listed once for two values, however many sources state them', async () => {
    const { say, open } = start();
    await say('a', { budget: 1 });
    await say('b', { budget: 2 });
    await say('c', { budget: 2 });
    await say('d', { budget: 1 });
    expect(await open()).toEqual(['budget: 1 / 2']);
    await say('e', { budget: 3 });
    expect(await open()).toEqual(['budget: 1 / 2', 'budget: 1 / 3', 'budget: 2 / 3']);
  });

  test('is not with a statement that its source has replaced', async () => {
    const { say, open } = start();
    for (const budget of [1, 2, 3, 4, 5, 6]) await say('a', { budget });
    await say('b', { budget: 6 });
    expect(await open()).toEqual([]);
  });

  test('is listed for a limited number of values of one field', async () => {
    const { say, open } = start();
    const values = [1, 2, 3, 4, 5, 6];
    for (const budget of values) await say(`source ${budget}`, { budget, color: 'red' });
    expect((values.length * (values.length - 1)) / 2).toBeGreaterThan(truthLimits.openContradictionsCount);
    expect(await open()).toHaveLength(truthLimits.openContradictionsCount);
    await say('another', { color: 'blue' });
    expect(await open()).toContain('color: "blue" / "red"');
  });

  test('is only in fields in which the last write wins', async () => {
    const { ask, say, open } = start();
    await ask('register_entity_schema', {
      entity_type: 'gadget',
      version: '1.1',
      open: true,
      fields: {
        tags: { type: 'array', strategy: 'merge_array' },
        rank: { type: 'number', strategy: 'highest_priority' },
      },
    });
    await ask('activate_entity_schema', { entity_type: 'gadget', version: '1.1' });
    const subject = { subject: { type: 'gadget', name: 'Lamp' } };
    await say('a', { tags: ['x'], rank: 1, other: 1 }, subject);
    await say('b', { tags: ['y'], rank: 2, other: 2 }, subject);
    expect(await open()).toEqual(['other: 1 / 2']);
  });

  test('is never with a correction', async () => {
    const { ask, say, open } = start();
    const { entity_id } = await say('a', { budget: 1 });
    await ask('correct_entity', { entity_id, fields: { budget: 2 }, effective_at: may });
    await say('a', { budget: 3 });
    expect(await open()).toEqual([]);
  });

  test('of one tenant is unknown to another', async () => {
    const truth = openContradictionsFixture(engine);
    const [mine, yours] = [truth.as(), truth.as()];
    await mine.say('a', { budget: 1 });
    const { contradictions } = await mine.say('b', { budget: 2 });
    await yours.say('a', { budget: 1 });
    expect(await yours.open()).toEqual([]);
    const id = contradictions![0]!.contradiction_id;
    expect(codeOf(await yours.ask('accept_contradiction', { contradiction_id: id }))).toBe('NOT_FOUND');
    expect(await mine.open()).toEqual(['budget: 1 / 2']);
  });
});

describeTruth('[TR99] the list', (engine) => {
  test('can be narrowed and read page by page', async () => {
    const { ask, say, list } = openContradictionsFixture(engine).as();
    for (const source of ['a', 'b']) {
      for (let i = 0; i < 5; i += 1) {
        const subject = { type: i % 2 === 0 ? 'project' : 'task', name: `Thing ${i}` };
        await say(source, { shape: source, color: source }, { subject });
      }
    }
    expect(await list()).toHaveLength(10);
    expect(await list({ entity_type: 'task' })).toHaveLength(4);
    const [one] = await list({ entity_type: 'task', field: 'color' });
    expect(await list({ entity_id: one!.entity_id, field: 'color' })).toEqual([one]);
    expect(await list({ entity_id: one!.entity_id, entity_type: 'project' })).toEqual([]);
    expect(await list({ field: 'name' })).toEqual([]);
    const pages: string[] = [];
    let cursor: unknown;
    for (let page = 0; page < 5; page += 1) {
      const more = cursor === undefined ? {} : { cursor };
      const answer = await ask('list_contradictions', { limit: 3, field: 'shape', ...more });
      pages.push(...(answer['contradictions'] as readonly { name: string }[]).map(({ name }) => name));
      cursor = answer['next_cursor'];
      if (cursor === undefined) break;
    }
    expect(pages).toEqual(['thing 4', 'thing 3', 'thing 2', 'thing 1', 'thing 0']);
  });

  test.each([
    ['list_contradictions', { entity_id: 'ent_unknown' }, 'ENTITY_NOT_FOUND'],
    ['list_contradictions', { entity_id: 'Apollo' }, 'VALIDATION_ERROR'],
    ['list_contradictions', { status: 'lost' }, 'VALIDATION_ERROR'],
    ['list_contradictions', { field: 'a b' }, 'VALIDATION_ERROR'],
    ['list_contradictions', { as_known_at: 'yesterday' }, 'VALIDATION_ERROR'],
    ['list_contradictions', { as_known_at: '2999' }, 'VALIDATION_ERROR'],
    ['list_contradictions', { cursor: 'x' }, 'VALIDATION_ERROR'],
    ['list_contradictions', { limit: 0 }, 'VALIDATION_ERROR'],
    ['accept_contradiction', { contradiction_id: 'con_unknown' }, 'NOT_FOUND'],
    ['accept_contradiction', { contradiction_id: '' }, 'VALIDATION_ERROR'],
    ['accept_contradiction', { reason: 'x' }, 'VALIDATION_ERROR'],
  ])('%s refuses %j', async (tool, args, code) => {
    const { ask } = openContradictionsFixture(engine).as();
    expect(codeOf(await ask(tool, args))).toBe(code);
  });

  test('[TR101] is named in the provenance of a disputed value', async () => {
    const { ask, say } = openContradictionsFixture(engine).as();
    const { entity_id } = await say('a', { budget: 1, color: 'red' });
    const { contradictions } = await say('b', { budget: 2 });
    const id = contradictions![0]!.contradiction_id;
    const trace = (field: string) => ask('get_field_provenance', { entity_id, field });
    expect((await trace('budget'))['disputed_in']).toEqual([id]);
    expect(await trace('color')).not.toHaveProperty('disputed_in');
    await say('c', { budget: 3 }, { effective_at: '2025-06' });
    expect(await trace('budget')).not.toHaveProperty('disputed_in');
  });
});

describeTruth('[TR100] merged entities', (engine) => {
  const two = async () => {
    const one = openContradictionsFixture(engine).as();
    const named = (name: string) => ({ subject: { type: 'project', name } });
    const apollo = await one.say('a', { budget: 1 }, named('Apollo'));
    const moon = await one.say('b', { budget: 2 }, named('Moon shot'));
    const pair = { source_entity_id: moon.entity_id, target_entity_id: apollo.entity_id };
    return { ...one, named, apollo, moon, pair };
  };

  test('contradict each other from the merge to its end', async () => {
    const { ask, open, list, apollo, moon, pair } = await two();
    expect(await open()).toEqual([]);
    await ask('merge_entities', pair);
    expect(await open()).toEqual(['budget: 1 / 2']);
    for (const { entity_id } of [apollo, moon]) {
      expect(await list({ entity_id })).toMatchObject([{ entity_id: apollo.entity_id, name: 'apollo' }]);
    }
    await ask('unmerge_entities', pair);
    expect(await open()).toEqual([]);
    expect(await list({ status: 'closed' })).toMatchObject([{ closing: { closed_by: 'unmerge', actor: 'ada' } }]);
    await ask('merge_entities', { source_entity_id: apollo.entity_id, target_entity_id: moon.entity_id });
    expect(await open()).toEqual(['budget: 1 / 2']);
  });

  test('are compared with later statements about any of them', async () => {
    const { ask, say, open, named, pair } = await two();
    await ask('merge_entities', pair);
    await say('c', { budget: 3, color: 'red' }, named('Moon shot'));
    await say('d', { color: 'blue' }, named('Apollo'));
    expect(await open()).toEqual(['budget: 1 / 2', 'budget: 1 / 3', 'budget: 2 / 3', 'color: "blue" / "red"']);
    await ask('unmerge_entities', pair);
    expect(await open()).toEqual(['budget: 2 / 3']);
  });

  test('keep a contradiction that the merge only hid', async () => {
    const { ask, say, open, named, pair } = await two();
    await ask('merge_entities', pair);
    await say('c', { budget: 2 }, named('Apollo'));
    expect(await open()).toEqual(['budget: 1 / 2']);
    await ask('unmerge_entities', pair);
    expect(await open()).toEqual(['budget: 1 / 2']);
  });

  test('are corrected together, and apart after the merge was undone', async () => {
    const { ask, open, apollo, pair } = await two();
    await ask('merge_entities', pair);
    const { correction_id: id } = await ask('correct_entity', { entity_id: apollo.entity_id, fields: { budget: 5 } });
    expect(await open()).toEqual([]);
    await ask('unmerge_entities', pair);
    await ask('retract_statement', { id });
    expect(await open()).toEqual([]);
  });
});

describeTruth('[TR98] a contradiction closes', (engine) => {
  const disputed = async () => {
    const one = openContradictionsFixture(engine).as();
    const first = await one.say('a', { budget: 1 });
    const second = await one.say('b', { budget: 2 });
    return { ...one, first, second, entity_id: first.entity_id, id: second.contradictions![0]!.contradiction_id };
  };

  test('with a correction, and its retraction opens it again', async () => {
    const { ask, open, list, entity_id, id } = await disputed();
    const before = engine.clock.now();
    engine.clock.advance(1_000);
    const correction = await ask('correct_entity', { entity_id, fields: { budget: 7 }, reason: 'asked Bob' });
    expect(await open()).toEqual([]);
    const closing = { closed_by: 'correction', closing_id: correction['correction_id'], reason: 'asked Bob' };
    expect(await list({ status: 'closed' })).toMatchObject([{ contradiction_id: id, closing, shown: { value: 7 } }]);
    expect(await list({ as_known_at: iso(before) })).toMatchObject([{ contradiction_id: id, shown: { value: 2 } }]);
    expect((await list({ as_known_at: iso(before) }))[0]).not.toHaveProperty('closing');
    engine.clock.advance(1_000);
    await ask('retract_statement', { id: correction['correction_id'] });
    expect(await list()).toMatchObject([{ contradiction_id: id, opened_at: iso(engine.clock.now()) }]);
    expect(await open({ as_known_at: iso(engine.clock.now() - 1) })).toEqual([]);
  });

  test('with a correction, whose retraction does not open it if a statement was retracted meanwhile', async () => {
    const { ask, open, list, entity_id, second } = await disputed();
    const correction = await ask('correct_entity', { entity_id, fields: { budget: 7 } });
    await ask('retract_statement', { id: second.submission_id });
    engine.clock.advance(1_000);
    await ask('retract_statement', { id: correction['correction_id'] });
    expect(await open()).toEqual([]);
    expect(await list({ status: 'closed' })).toHaveLength(1);
  });

  test.each([
    ['another field', { fields: { color: 'red' } }],
    ['a time before', { fields: { budget: 3 }, effective_at: '2025-01', effective_until: '2025-02' }],
    ['a part of the time', { fields: { budget: 3 }, effective_until: '2030' }],
    ['a time that has not come', { fields: { budget: 3 }, effective_at: '2999' }],
  ])('not with a correction of %s', async (_, correction) => {
    const { ask, open, entity_id } = await disputed();
    expect(codeOf(await ask('correct_entity', { entity_id, ...correction }))).toBeUndefined();
    expect(await open()).toEqual(['budget: 1 / 2']);
  });

  test('of the past only with a correction of all of that time', async () => {
    const { say, ask, open } = openContradictionsFixture(engine).as();
    const past = { effective_at: '2020', effective_until: '2021' };
    const { entity_id } = await say('a', { budget: 1 }, past);
    await say('b', { budget: 2 }, past);
    await ask('correct_entity', { entity_id, fields: { budget: 3 } });
    expect(await open()).toEqual(['budget: 1 / 2']);
    await ask('correct_entity', { entity_id, fields: { budget: 3 }, ...past });
    expect(await open()).toEqual([]);
  });

  test('with the retraction of one of the two', async () => {
    const { ask, open, list, second, id } = await disputed();
    await ask('retract_statement', { id: second.submission_id, reason: 'a draft' });
    expect(await open()).toEqual([]);
    const closing = { closed_by: 'retraction', closing_id: second.submission_id, actor: 'ada', reason: 'a draft' };
    expect(await list({ status: 'all' })).toMatchObject([{ contradiction_id: id, closing }]);
  });

  test('not as long as another source states the retracted value', async () => {
    const { ask, say, open, second } = await disputed();
    const third = await say('c', { budget: 2 });
    await ask('retract_statement', { id: second.submission_id });
    expect(await open()).toEqual(['budget: 1 / 2']);
    await ask('retract_statement', { id: third.submission_id });
    expect(await open()).toEqual([]);
  });

  test('when it is accepted, which changes no value', async () => {
    const { ask, open, list, id, entity_id } = await disputed();
    const before = engine.clock.now();
    engine.clock.advance(1_000);
    const accepted = await ask('accept_contradiction', { contradiction_id: id, reason: 'b is newer' });
    const closing = { closed_at: iso(before + 1_000), closed_by: 'accept', actor: 'ada', reason: 'b is newer' };
    expect(accepted).toMatchObject({ accepted: true, entity_id, field: 'budget', shown: { value: 2 }, closing });
    expect(await open()).toEqual([]);
    expect(await list({ status: 'closed' })).toMatchObject([{ contradiction_id: id, closing }]);
    expect(await open({ as_known_at: iso(before) })).toEqual(['budget: 1 / 2']);
    const again = await ask('accept_contradiction', { contradiction_id: id, reason: 'other' });
    expect(again).toMatchObject({ accepted: false, closing });
  });

  test('and the same two values do not open it again, another one does', async () => {
    const { ask, say, open, id } = await disputed();
    await ask('accept_contradiction', { contradiction_id: id });
    await say('c', { budget: 1 });
    expect(await open()).toEqual([]);
    await say('d', { budget: 3 });
    expect(await open()).toEqual(['budget: 1 / 3', 'budget: 2 / 3']);
  });

  test('never by itself: not with more sources, later values or the passing of time', async () => {
    const { say, open } = await disputed();
    await say('c', { budget: 2 });
    await say('a', { budget: 2 });
    await say('c', { budget: 5 }, { effective_at: '2025-07' });
    engine.clock.advance(400 * 86_400_000);
    expect(await open()).toEqual(['budget: 1 / 2']);
  });

  test('under a correction from the beginning; when the correction is retracted it opens', async () => {
    const { ask, say, open } = openContradictionsFixture(engine).as();
    const { entity_id } = await say('a', { budget: 1 });
    const correction = await ask('correct_entity', { entity_id, fields: { budget: 9 }, effective_at: '2025' });
    const { contradictions } = await say('b', { budget: 2 });
    expect(contradictions).toBeUndefined();
    expect(await open()).toEqual([]);
    await ask('retract_statement', { id: correction['correction_id'] });
    expect(await open()).toEqual(['budget: 1 / 2']);
  });
});
