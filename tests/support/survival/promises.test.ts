import { beforeEach, describe, expect, it } from 'vitest';
import { Promises } from './promises.ts';

interface Content {
  readonly body: string;
  readonly owner: string;
}

const one: Content = { body: 'one', owner: 'ada' };
const two: Content = { body: 'two', owner: 'ada' };

describe('what the killed program is held to', () => {
  let promises: Promises<Content>;
  beforeEach(() => {
    promises = new Promises(({ body, owner }) => `${body} of ${owner}`);
    promises.ask(0, new Map([['a', one]]));
    promises.acknowledge(0);
  });

  it('an acknowledged write that is there is no flaw', () => {
    expect(promises.compare(new Map([['a', one]]))).toEqual([]);
  });

  it.each([
    ['a lost entry', []],
    ['an older body', [['a', two]]],
    ['another owner', [['a', { ...one, owner: 'eve' }]]],
    [
      'an entry of nobody',
      [
        ['a', one],
        ['b', two],
      ],
    ],
  ] as readonly (readonly [string, readonly (readonly [string, Content])[]])[])('%s is a flaw', (_what, present) => {
    expect(promises.compare(new Map(present))).toHaveLength(1);
  });

  it('certain is what is there by an acknowledgement and was not asked for otherwise since', () => {
    promises.ask(0, new Map([['b', two]]));
    promises.ask(1, new Map([['c', undefined]]));
    promises.acknowledge(1);
    expect(promises.certain).toEqual(['a']);
    promises.acknowledge(0);
    promises.ask(1, new Map([['a', two]]));
    expect(promises.certain).toEqual(['b']);
  });

  it('a removal that was acknowledged is to be seen, and what it took can be named', () => {
    promises.ask(0, new Map([['a', undefined]]));
    promises.acknowledge(0);
    expect(promises.archived('a')).toEqual(one);
    expect(promises.compare(new Map([['a', one]]))).toHaveLength(1);
    expect(promises.compare(new Map())).toEqual([]);
  });

  it('what a write puts away is kept in order, and only once the write is known to be done', () => {
    promises.ask(0, new Map([['a', two]]), new Map([['a', 'reset']]));
    expect(promises.putAway.size).toBe(0);
    expect(promises.compare(new Map([['a', two]]))).toEqual([]);
    promises.ask(0, new Map([['a', undefined]]));
    promises.acknowledge(0);
    promises.ask(0, new Map([['a', one]]), new Map([['a', 'of nothing']]));
    promises.acknowledge(0);
    expect([...promises.putAway]).toEqual([
      [
        'a',
        [
          { thing: one, why: 'reset' },
          { thing: two, why: 'delete' },
        ],
      ],
    ]);
    promises.ask(0, new Map([['a', two]]), new Map([['a', 'reset']]));
    expect(promises.compare(new Map([['a', one]]))).toEqual([]);
    expect(promises.putAway.get('a')).toHaveLength(2);
  });

  it('what was not acknowledged may be there or not, and counts from then on as what it was found to be', () => {
    promises.ask(1, new Map([['b', two]]));
    expect(
      promises.compare(
        new Map([
          ['a', one],
          ['b', two],
        ]),
      ),
    ).toEqual([]);
    expect(promises.compare(new Map([['a', one]]))).toHaveLength(1);
    promises.ask(1, new Map([['b', one]]));
    expect(
      promises.compare(
        new Map([
          ['a', one],
          ['b', two],
        ]),
      ),
    ).toEqual([]);
    expect(promises.present('b')).toEqual(two);
  });

  it('half of what was not acknowledged is a flaw', () => {
    promises.ask(
      1,
      new Map([
        ['b', one],
        ['c', one],
      ]),
    );
    expect(
      promises.compare(
        new Map([
          ['a', one],
          ['b', one],
        ]),
      ),
    ).toContainEqual(expect.stringContaining('half done'));
  });
});
