import { expect, test } from 'vitest';
import { coalesce } from './coalesce.ts';

/** A question whose runs are ended by hand. */
function openQuestion() {
  const runs: { resolve(value: number): void; reject(error: Error): void }[] = [];
  const ask = coalesce(() => new Promise<number>((resolve, reject) => runs.push({ resolve, reject })));
  return { runs, ask };
}

test('whoever asks while a run is under way shares the next one, not that one', async () => {
  const { runs, ask } = openQuestion();
  const first = ask();
  const second = ask();
  const third = ask();
  expect(runs).toHaveLength(1);
  runs[0]!.resolve(1);
  expect(await first).toBe(1);
  await Promise.resolve();
  expect(runs).toHaveLength(2);
  runs[1]!.resolve(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
});

test('a run never begins beside another, also when asked in the moment between two', async () => {
  const { runs, ask } = openQuestion();
  const first = ask();
  const second = ask();
  let between: Promise<number> | undefined;
  const asked = first.then(() => {
    between = ask();
  });
  runs[0]!.resolve(1);
  await asked;
  for (let i = 0; i < 5; i += 1) await Promise.resolve();
  expect(runs).toHaveLength(2);
  runs[1]!.resolve(2);
  await second;
  runs[2]?.resolve(3);
  expect([2, 3]).toContain(await between);
});

test('a run that failed fails those who waited for it and nobody after', async () => {
  const { runs, ask } = openQuestion();
  const first = ask();
  const second = ask();
  runs[0]!.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await Promise.resolve();
  runs[1]!.resolve(2);
  expect(await second).toBe(2);
});
