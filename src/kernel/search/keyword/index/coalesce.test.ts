import { expect, test } from 'vitest';
import { coalesce } from './coalesce.ts';

/** A function whose runs are finished by hand. */
function openQuestion() {
  const runs: { resolve(value: number): void; reject(error: Error): void }[] = [];
  const ask = coalesce(() => new Promise<number>((resolve, reject) => runs.push({ resolve, reject })));
  return { runs, ask };
}

test('callers during a run share the next run', async () => {
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

test('never starts a run next to another, even between two runs', async () => {
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

test('a failed run fails only the callers that waited for it', async () => {
  const { runs, ask } = openQuestion();
  const first = ask();
  const second = ask();
  runs[0]!.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await Promise.resolve();
  runs[1]!.resolve(2);
  expect(await second).toBe(2);
});
