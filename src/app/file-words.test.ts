import { expect, it } from 'vitest';
import { withFileWords } from './file-words.ts';

it.each([
  ['packages/mobile/src/map/nearestStations.tsx', 'mobile map nearest stations'],
  ['db/migrations/132-drop-old-price.sql', 'db migrations drop old price'],
  ['services\\worker\\Dockerfile', 'worker dockerfile'],
  ['.github/workflows/build.yml', 'workflows'],
  ['/home/ada/work/shop/src/checkout/voucher.test.ts', 'shop checkout voucher'],
  ['.env', 'env'],
  ['src/index.ts', ''],
])('the words of %s are "%s"', (path, words) => {
  expect(withFileWords('fix it', [path])).toBe(words === '' ? 'fix it' : `fix it ${words}`);
});

it('adds each word once, and none that the task has', () => {
  const files = ['web/checkout/form.tsx', 'web/checkout/total.tsx'];
  expect(withFileWords('Round the total of the checkout', files)).toBe('Round the total of the checkout web form');
});

it('adds only a few words, however many files there are', () => {
  const letters = [...'abcdefghijklmnopqrst'];
  const files = letters.map((letter) => `${letter.repeat(3)}/${letter.repeat(4)}.ts`);
  expect(withFileWords('fix', files).split(' ')).toHaveLength(9);
});

it('leaves a task without files as it is', () => {
  expect(withFileWords('fix  it', [])).toBe('fix  it');
});
