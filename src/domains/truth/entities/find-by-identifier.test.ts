import { expect, test } from 'vitest';
import { createGraphFixture } from '../relationships/graph.fixture.ts';
import { describeTruth } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import type { IdentifiedEntity } from './entity-model.ts';

describeTruth('[TR60] finding an entity by a similar name', (engine) => {
  const open = () => {
    const graph = createGraphFixture(engine);
    const answer = (identifier: string, entity_type?: string) =>
      graph.ask('get_entity_by_identifier', { identifier, ...(entity_type === undefined ? {} : { entity_type }) });
    const find = async (identifier: string, entity_type?: string) => {
      const { entities } = (await answer(identifier, entity_type)) as unknown as {
        entities: readonly IdentifiedEntity[];
      };
      return entities.map(({ canonical_name, match, matched_text }) =>
        match === undefined ? canonical_name : `${canonical_name}: ${match} ${matched_text}`,
      );
    };
    return { ...graph, answer, find };
  };

  test('Müller, Mueller and Muller are found by each other', async () => {
    const names = ['müller', 'mueller', 'muller'];
    for (const stored of names) {
      const { state, find } = open();
      await state(stored, { type: 'person' });
      for (const asked of names) {
        const expected = asked === stored ? stored : `${stored}: folded ${stored}`;
        expect([asked, await find(asked)]).toEqual([asked, [expected]]);
        expect([asked, await find(asked, 'person')]).toEqual([asked, [expected]]);
        expect(await find(asked, 'company')).toEqual([]);
      }
    }
  });

  test.for([
    ['company', 'café central', 'Cafe Central', 'folded'],
    ['company', 'weiß bau', 'Weiss Bau GmbH', 'folded'],
    ['company', 'ørsted', 'Oersted', 'folded'],
    ['company', 'smith & sons', 'Smith and Sons', 'folded'],
    ['company', 'meier & söhne', 'Meier und Soehne', 'folded'],
    ['company', 'openai', 'Open-AI', 'folded'],
    ['company', 'open ai', 'OpenAI', 'folded'],
    ['company', 'acme trading', 'Trading, Acme', 'folded'],
    ['person', 'peter johnson', 'Johnson, Peter', 'folded'],
    ['company', 'johnson', 'Jonson', 'near'],
    ['company', 'microsoft', 'Micosoft', 'near'],
    ['company', 'microsoft', 'Microsfot', 'near'],
    ['person', 'peter johnson', 'Peter Jonson', 'near'],
    ['project', 'apollo migration', 'Apollo Migratoin', 'near'],
  ] as const)('%s %s is found by %s: %s', async ([type, stored, asked, match]) => {
    const { state, find } = open();
    await state(stored, { type });
    expect(await find(asked, type)).toEqual([`${stored}: ${match} ${stored}`]);
    expect(await find(asked)).toEqual([`${stored}: ${match} ${stored}`]);
  });

  test('exact matches are alone and unmarked; folded ones come before near ones', async () => {
    const { state, find, answer } = open();
    for (const name of ['microsoft', 'micrösoft', 'micosoft']) await state(name);
    expect(await find('Microsoft')).toEqual(['microsoft']);
    expect(await find('MICRÖSOFT')).toEqual(['micrösoft']);
    expect(await find('Micro-soft')).toEqual(expect.arrayContaining(['microsoft: folded microsoft']));
    expect((await find('Micro-soft')).some((text) => text.includes('near'))).toBe(false);
    expect((await find('Microsofd')).sort()).toEqual(['micrösoft: near micrösoft', 'microsoft: near microsoft'].sort());
    expect(await answer('Micosoft')).toMatchObject({ total: 1 });
    expect(await find('Unheard Of')).toEqual([]);
  });

  test('aliases and names of other observations are found and marked, after exact matches', async () => {
    const { state, find } = open();
    await state('international business machines', { stated: { aliases: ['IBM', 'Big Blue'] } });
    expect(await find('ibm')).toEqual(['international business machines: alias ibm']);
    expect(await find('Big-Blue', 'company')).toEqual(['international business machines: folded big blue']);
    await state('ibm');
    expect(await find('IBM')).toEqual(['ibm', 'international business machines: alias ibm']);
    await state('acme', { stated: { name: 'Ajax Works' } });
    expect(await find('Ajax Works')).toEqual(['acme: alias ajax works']);
  });

  test('a number is found without its punctuation', async () => {
    const { state, find } = open();
    await state('globex', { stated: { tax_id: 'DE 123-456' } });
    expect(await find('de 123-456')).toEqual(['globex']);
    expect(await find('DE123456')).toEqual(['globex: folded de 123-456']);
    expect(await find('DE123457')).toEqual([]);
  });

  test('a merged entity is found by its old name, as its group', async () => {
    const { state, find, merge } = open();
    await merge(await state('micosoft'), await state('globex'));
    expect(await find('Microsoft')).toEqual(['globex: near micosoft']);
  });

  test('shows no more than a few, and nothing of another tenant', async () => {
    const { stateAll, find } = open();
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    await stateAll(letters.map((letter) => `microso${letter}t`));
    expect((await find('Microsoff')).length).toBeLessThanOrEqual(truthLimits.similarCount);
    expect(await open().find('Microsoft')).toEqual([]);
  });
});
