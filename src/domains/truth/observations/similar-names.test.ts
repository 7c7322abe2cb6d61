import { expect, test } from 'vitest';
import { createGraphFixture } from '../relationships/graph.fixture.ts';
import { describeTruth } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import { findHits, similarAmong, similarKeysOf } from './similar-names.ts';

describeTruth('[TR64] similar entities of a name', (engine) => {
  const open = () => {
    const graph = createGraphFixture(engine);
    const similar = async (type: string, name: string, limit = 10) =>
      similarAmong(await graph.read((db) => findHits(db, similarKeysOf(type, name), [type])), type, name, limit);
    return { ...graph, similar };
  };

  test('are the most similar first, with a reason, and without the entity itself', async () => {
    const { state, similar } = open();
    const folded = await state('micro-soft');
    const near = await state('micosoft');
    await state('microsoft');
    await state('microsoft', { type: 'product' });
    await state('globex');
    expect(await similar('company', 'Microsoft Corp.')).toEqual([
      { entity_id: folded, canonical_name: 'micro-soft', reason: 'same name apart from punctuation and spaces' },
      { entity_id: near, canonical_name: 'micosoft', reason: 'similar spelling: micosoft and microsoft' },
    ]);
    expect(await similar('company', 'Microsoft', 1)).toHaveLength(1);
    expect(await similar('company', 'Initech')).toEqual([]);
    expect(await similar('company', '!')).toEqual([]);
  });

  test('include other names, and leave out the group of the entity', async () => {
    const { state, similar, merge } = open();
    const machines = await state('international business machines', { stated: { aliases: ['IBM'] } });
    expect(await similar('company', 'I.B.M.')).toEqual([
      {
        ...{ entity_id: machines, canonical_name: 'international business machines' },
        reason: 'also called “ibm”: same name apart from punctuation and spaces',
      },
    ]);
    await merge(await state('micosoft'), await state('microsoft'));
    expect(await similar('company', 'Microsoft')).toEqual([]);
  });

  test('a key of very many entities is not used, so that the cost does not grow', async () => {
    const { stateAll, similar } = open();
    const names = Array.from({ length: truthLimits.similarKeyCount + 1 }, (_, i) => {
      const letters = `${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + Math.floor(i / 26))}`;
      return `interna${letters}tional`;
    });
    await stateAll(names);
    expect(await similar('company', 'interna9tional')).toEqual([]);
  });
});
