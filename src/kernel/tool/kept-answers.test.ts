import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openDoor, told } from './door.fixture.ts';
import { createKeptAnswers } from './kept-answers.ts';

const noCheck = () => {};

describe('an answer with a kept part', () => {
  test('is printed in the bytes of JSON.stringify, the first time and every other', () => {
    const rest = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.oneof(fc.jsonValue(), fc.constant(undefined)),
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(rest, rest, fc.object(), (before, after, part) => {
        const answers = createKeptAnswers();
        for (const value of [
          { ...before, item: part, ...after },
          { ...after, item: part },
          { ...after, item: part },
        ]) {
          if (value.item !== part) return;
          const { text, twin } = answers.print(value, 'item', part, noCheck);
          expect(text).toBe(JSON.stringify(value));
          expect(twin).toBe(JSON.stringify(text));
        }
      }),
    );
  });

  test('is checked whole the first time, then without the part, and not at all when nothing differs', () => {
    const answers = createKeptAnswers();
    const checked: unknown[] = [];
    const check = (value: unknown) => void checked.push(value);
    const item = { a: 1 };
    answers.print({ hash: 'x', item }, 'item', item, check);
    answers.print({ hash: 'x', item }, 'item', item, check);
    answers.print({ hash: 'y', item }, 'item', item, check);
    expect(checked).toEqual([{ hash: 'x', item }, { hash: 'y' }]);
  });

  test('a frozen answer that is given again is neither checked nor printed again, but by another tool', () => {
    const answers = createKeptAnswers();
    let checkedCount = 0;
    let printedCount = 0;
    const item = { a: 1 };
    const beside = {
      toJSON() {
        printedCount += 1;
        return 'beside';
      },
    };
    const value = Object.freeze({ item, beside });
    const check = () => {
      checkedCount += 1;
    };
    const texts = [1, 2, 3].map(() => answers.printFrozen(value, check).text);
    expect(texts).toEqual(Array.from({ length: 3 }, () => '{"item":{"a":1},"beside":"beside"}'));
    expect([checkedCount, printedCount]).toEqual([1, 1]);
    expect(() =>
      answers.printFrozen(value, () => {
        throw new Error('not my shape');
      }),
    ).toThrow('not my shape');
  });

  test('is checked whole by every tool of its own', () => {
    const answers = createKeptAnswers();
    const item = { a: 1 };
    answers.print({ item }, 'item', item, noCheck);
    expect(() =>
      answers.print({ item }, 'item', item, () => {
        throw new Error('not my shape');
      }),
    ).toThrow('not my shape');
  });

  test('another object beside the part is printed anew, as it may have changed inside', () => {
    const answers = createKeptAnswers();
    const item = { a: 1 };
    const value = { list: [1], item };
    answers.print(value, 'item', item, noCheck);
    value.list.push(2);
    expect(answers.print(value, 'item', item, noCheck).text).toBe('{"list":[1,2],"item":{"a":1}}');
  });

  test('a part that is no longer held is printed and checked again', () => {
    const answers = createKeptAnswers(60);
    let checkedCount = 0;
    const count = () => {
      checkedCount += 1;
    };
    const parts = Array.from({ length: 5 }, (_, i) => ({ text: `part ${i}` }));
    for (const item of [...parts, ...parts]) answers.print({ item }, 'item', item, count);
    expect(checkedCount).toBe(10);
    answers.print({ item: parts[4] }, 'item', parts[4]!, count);
    expect(checkedCount).toBe(10);
  });
});

describe('a tool that keeps a part', () => {
  const shape = z.object({ hash: z.string(), item: z.object({ n: z.number() }).optional() });
  const item = { n: 1 };
  const wrong = { n: 'one' };

  test('answers as one that keeps none, with its text ready as a string', async () => {
    const { call } = openDoor([{ name: 'get', output: shape, keeps: 'item', run: () => ({ hash: 'h', item }) }]);
    for (let i = 0; i < 2; i += 1) {
      const outcome = await call('get');
      expect(told(outcome)).toEqual({ hash: 'h', item });
      expect(outcome).toMatchObject({
        text: '{"hash":"h","item":{"n":1}}',
        twin: '"{\\"hash\\":\\"h\\",\\"item\\":{\\"n\\":1}}"',
      });
    }
  });

  test.each([
    ['a part', { hash: 'h', item: wrong }],
    ['something beside it', { hash: 1, item }],
  ])('fails when %s is of the wrong shape, also after a good answer', async (_what, bad) => {
    const answers: unknown[] = [{ hash: 'h', item }, bad, bad];
    const { call, bugs } = openDoor([{ name: 'get', output: shape, keeps: 'item', run: () => answers.shift() }]);
    expect(told(await call('get'))).toEqual({ hash: 'h', item });
    expect(told(await call('get'))).toBe('INTERNAL');
    expect(told(await call('get'))).toBe('INTERNAL');
    expect(bugs).toHaveLength(2);
  });

  test('answers without the part as well', async () => {
    const { call } = openDoor([{ name: 'get', output: shape, keeps: 'item', run: () => ({ hash: 'h' }) }]);
    expect(await call('get')).toMatchObject({ ok: true, text: '{"hash":"h"}' });
  });
});
