import { beforeEach, describe, expect, it } from 'vitest';
import { AcknowledgedWrites } from './acknowledged-writes.ts';

interface Content {
  readonly body: string;
  readonly owner: string;
}

const one: Content = { body: 'one', owner: 'ada' };
const two: Content = { body: 'two', owner: 'ada' };

describe('acknowledged writes of a killed program', () => {
  let promises: AcknowledgedWrites<Content>;
  beforeEach(() => {
    promises = new AcknowledgedWrites(({ body, owner }) => `${body} of ${owner}`);
    promises.ask(0, new Map([['a', one]]));
    promises.acknowledge(0);
  });

  it('accepts an acknowledged write that exists', () => {
    expect(promises.compare(new Map([['a', one]]))).toEqual([]);
  });

  it.each([
    ['a lost entry', []],
    ['an older body', [['a', two]]],
    ['another owner', [['a', { ...one, owner: 'eve' }]]],
    [
      'an entry that was never written',
      [
        ['a', one],
        ['b', two],
      ],
    ],
  ] as readonly (readonly [string, readonly (readonly [string, Content])[]])[])('reports %s', (_what, present) => {
    expect(promises.compare(new Map(present))).toHaveLength(1);
  });

  it('lists items that exist for certain: acknowledged, and not changed by an open request', () => {
    promises.ask(0, new Map([['b', two]]));
    promises.ask(1, new Map([['c', undefined]]));
    promises.acknowledge(1);
    expect(promises.certain).toEqual(['a']);
    promises.acknowledge(0);
    promises.ask(1, new Map([['a', two]]));
    expect(promises.certain).toEqual(['b']);
  });

  it('an acknowledged removal must be visible, and its item can be listed', () => {
    promises.ask(0, new Map([['a', undefined]]));
    promises.acknowledge(0);
    expect(promises.archived('a')).toEqual(one);
    expect(promises.compare(new Map([['a', one]]))).toHaveLength(1);
    expect(promises.compare(new Map())).toEqual([]);
  });

  it('records trashed states in order, when their write is known to be complete', () => {
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

  it('an unacknowledged write may exist or not, and is fixed by the first comparison', () => {
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

  it('reports half of an unacknowledged write', () => {
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

  it('of items that are stored one by one, accepts the first and reports one after a missing one', () => {
    const items = new Map(['b', 'c', 'd'].map((id) => [id, one]));
    const present = (...ids: readonly string[]) => new Map(['a', ...ids].map((id) => [id, one]));
    promises.ask(1, items, new Map(), true);
    expect(promises.compare(present('b', 'c'))).toEqual([]);
    expect([promises.present('c'), promises.present('d')]).toEqual([one, undefined]);
    expect(promises.compare(present('b'))).toEqual(['c is nothing, not one of ada']);
    promises.ask(2, new Map(['e', 'f'].map((id) => [id, one])), new Map(), true);
    expect(promises.compare(present('b', 'c', 'f'))).toEqual(['out of order: f is stored, e before it is not']);
  });
});
