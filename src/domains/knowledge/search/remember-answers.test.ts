import { expect, test } from 'vitest';
import type { Call } from '#kernel/call.ts';
import { toTenantId } from '#kernel/call.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { DocQuery } from './doc-query.ts';
import { rememberAnswers } from './remember-answers.ts';
import { docSearchLimits } from './search-limits.ts';

/** Counts what is really asked. */
function plant(stamp: { now: number | undefined }) {
  const asked: string[] = [];
  const search = rememberAnswers(
    {
      async find(query) {
        asked.push(query.query);
        return { query: query.query, version: 'v5', results: [] };
      },
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

test('a commit while a question is under way leaves nothing behind', async () => {
  const stamp = { now: 1 };
  const { asked, find } = plant(stamp);
  const under = find();
  stamp.now = 2;
  await find({ query: 'other' });
  await under;
  await find();
  expect(asked).toEqual(['hooks', 'other', 'hooks']);
});

test('a store without a stamp is always asked, and no more than some answers are kept', async () => {
  const without = plant({ now: undefined });
  await without.find();
  await without.find();
  expect(without.asked).toHaveLength(2);

  const { asked, find } = plant({ now: 1 });
  for (let n = 0; n <= docSearchLimits.rememberedAnswersCount; n += 1) await find({ query: `q${n}` });
  await find({ query: 'q1' });
  expect(asked).toHaveLength(docSearchLimits.rememberedAnswersCount + 1);
  await find({ query: 'q0' });
  expect(asked).toHaveLength(docSearchLimits.rememberedAnswersCount + 2);
});
