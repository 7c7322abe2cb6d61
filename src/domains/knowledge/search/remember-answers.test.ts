import { expect, test } from 'vitest';
import type { Call } from '#kernel/call.ts';
import { toTenantId } from '#kernel/call.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { DocAnswer, DocQuery } from './doc-query.ts';
import { rememberAnswers } from './remember-answers.ts';

/** Counts what is really asked. */
function plant(stamp: { now: number | undefined }, isAtOnce = true) {
  const asked: string[] = [];
  const search = rememberAnswers(
    {
      find(query) {
        asked.push(query.query);
        const answer: DocAnswer = { query: query.query, version: 'v5', results: [] };
        return isAtOnce ? answer : Promise.resolve(answer);
      },
      print: () => ({ text: '', twin: '' }),
    },
    () => stamp.now,
  );
  const call = systemCall('test');
  return {
    asked,
    find: (query: Partial<DocQuery> = {}, as: Call = call) => search.find({ query: 'hooks', limit: 10, ...query }, as),
  };
}

test('a question that was asked before has the same answer as long as nothing was committed', async () => {
  const stamp = { now: 1 };
  const { asked, find } = plant(stamp);
  const first = await find();
  expect(await find()).toBe(first);
  expect(asked).toEqual(['hooks']);
  stamp.now = 2;
  expect(await find()).not.toBe(first);
  expect(asked).toEqual(['hooks', 'hooks']);
});

test('another limit, version, library or tenant is another question', async () => {
  const { asked, find } = plant({ now: 1 });
  await find();
  await find({ limit: 3 });
  await find({ version: 'v4' });
  await find({ library: 'react' });
  await find({}, { ...systemCall('test'), tenant: toTenantId('other') });
  expect(asked).toHaveLength(5);
});

test('an answer that had to be waited for is asked for anew: a library or an embedder may have another the next time', async () => {
  const { asked, find } = plant({ now: 1 }, false);
  await find();
  await find();
  expect(asked).toEqual(['hooks', 'hooks']);
});

test('a store without a stamp is always asked', async () => {
  const { asked, find } = plant({ now: undefined });
  await find();
  await find();
  expect(asked).toHaveLength(2);
});

test('an answer that is given again is frozen, one that is new is not', async () => {
  const { find } = plant({ now: 1 });
  expect(Object.isFrozen(await find())).toBe(false);
  expect(Object.isFrozen(await find())).toBe(true);
});

test('no more than some answers are kept: the newest, and those that are asked for again', async () => {
  const { asked, find } = plant({ now: 1 });
  const most = knowledgeLimits.rememberedAnswersCount;
  for (let n = 0; n <= most; n += 1) {
    await find({ query: `q${n}` });
    await find({ query: 'often' });
  }
  expect(asked).toHaveLength(most + 2);
  for (const query of ['often', `q${most}`, `q${most / 2 + 1}`]) await find({ query });
  expect(asked).toHaveLength(most + 2);
  await find({ query: 'q0' });
  expect(asked).toHaveLength(most + 3);
});
