import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkComplete, checkGovernance, checkVersion, parseInput } from './check-write.ts';
import { completeEntry } from './complete-entry.ts';
import { fixtureNow } from './entries.fixture.ts';

const options = { canonicalOff: false };
const context = { now: fixtureNow, canonicalOff: false };
const entry = completeEntry({ id: 'a', body: 'x', version: '1.2.3' }, context);
const errorOf = (raw: unknown) => {
  const reading = parseInput(raw, options);
  return 'rejection' in reading ? reading.rejection.error : undefined;
};

describe('parseInput', () => {
  it.each([
    [undefined, 'missing entry'],
    [null, 'missing entry'],
    ['text', 'missing entry'],
    [[], 'missing entry'],
    [{}, 'missing id'],
    [{ id: ' ', body: 'x' }, 'missing id'],
    [{ id: 5, body: 'x' }, 'missing id'],
    [{ id: 'a' }, 'missing body'],
    [{ id: 'a', body: ' \n' }, 'missing body'],
    [{ id: 'a', body: 'x', colour: 'red' }, 'unknown field: colour'],
    [{ id: 'a', body: 'x'.repeat(50_001) }, 'body over the limit'],
  ])('rejects %j: %s', (raw, error) => {
    expect(errorOf(raw)).toBe(error);
  });

  it.each([
    '../escape',
    '..',
    '.',
    '/etc/passwd',
    'a/b',
    'a\\b',
    '..\\escape',
    'C:',
    'a:b',
    'A',
    'a.json',
    '%2e%2e%2fescape',
    'a\0b',
    'a\n',
    '-a',
    'a-',
    '_a',
    'a_',
    '~',
    'nul.',
    'a b',
    'é',
    '．．／escape',
    'a'.repeat(121),
    '.catalog-version',
    '\u202ea',
  ])('rejects the id %j', (id) => {
    expect(errorOf({ id, body: 'x' })).toBe('invalid id');
    expect('rejection' in parseInput({ id, body: 'x' }, { ...options, keepsUnknown: true })).toBe(true);
  });

  it('[IN2] never throws and never accepts an id that names a path', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ id: fc.string(), body: fc.string() })), (raw) => {
        const reading = parseInput(raw, options);
        if ('input' in reading) expect(reading.input.id).toMatch(/^[a-z0-9_-]+$/);
      }),
    );
  });

  it('names the field with the wrong type', () => {
    expect(errorOf({ id: 'a', body: 'x', priority: 'high' })).toMatch(/^invalid priority: /);
    expect(errorOf({ id: 'a', body: 'x', appliesTo: { moon: [] } })).toBe('unknown field: appliesTo.moon');
  });

  it('keeps unknown fields of a trusted source as extensions', () => {
    const reading = parseInput(
      { id: 'a', body: 'x', colour: 'red', extensions: { b: 1 } },
      { ...options, keepsUnknown: true },
    );
    expect(reading).toEqual({ input: { id: 'a', body: 'x', extensions: { b: 1, colour: 'red' } } });
  });

  it('accepts a body of exactly the limit, not counting outer spaces', () => {
    expect(errorOf({ id: 'a', body: `\n${'x'.repeat(50_000)}\n\n` })).toBeUndefined();
  });
});

describe('write rules', () => {
  it('lists all missing fields, except those of the replaced entry', () => {
    expect(checkComplete({ id: 'a', body: 'x', title: 'T' }, undefined)).toEqual({
      error: 'missing priority',
      code: 'MISSING_FIELD',
      missing: ['priority', 'audience', 'requirement', 'categories'],
    });
    expect(checkComplete({ id: 'a', body: 'x' }, entry)).toBeUndefined();
  });

  it.each([
    [undefined, undefined],
    ['1.2.3', undefined],
    ['1.2.4', undefined],
    ['1.2.2', 'version not bumped: 1.2.3 is stored'],
    ['1.2', 'malformed version'],
  ])('version %s over 1.2.3: %s', (version, error) => {
    expect(checkVersion({ id: 'a', body: 'x', version }, entry)?.error).toBe(error);
  });

  it.each([
    [{ requirement: 'mandatory' }, 'mandatory/critical require owner'],
    [{ requirement: 'critical', owner: 'unowned' }, 'mandatory/critical require owner'],
    [{ requirement: 'critical', owner: ' ' }, 'mandatory/critical require owner'],
    [{ requirement: 'critical', owner: 'team' }, 'mandatory/critical require category'],
    [{ priority: 20 }, 'P1 requires category & owner'],
    [{ priority: 20, owner: 'team' }, 'P1 requires category & owner'],
    [{ priority: 20, owner: 'team', categories: ['c'] }, undefined],
    [{ requirement: 'deprecated' }, 'deprecated requires deprecatedBy'],
    [{ status: 'deprecated' }, 'deprecated requires deprecatedBy'],
    [{ requirement: 'deprecated', deprecatedBy: 'b' }, undefined],
  ] as const)('%j: %s', (patch, error) => {
    const input = { id: 'a', body: 'x', ...patch, categories: 'categories' in patch ? [...patch.categories] : [] };
    expect(checkGovernance(completeEntry(input, context))?.error).toBe(error);
  });
});
