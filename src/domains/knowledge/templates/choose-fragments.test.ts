import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TemplateFragment } from '../base/base-entries.ts';
import type { TemplateChoice } from './compose-template.ts';
import { chooseFragments } from './compose-template.ts';

const fragment = (id: string, more: Partial<TemplateFragment> = {}): TemplateFragment => ({
  id,
  title: id,
  version: 'v5',
  requires: [],
  featureFlags: [],
  packages: {},
  devPackages: {},
  scripts: {},
  files: {},
  ...more,
});

const choice: TemplateChoice = { database: 'sqlite', auth: false, typescript: true, version: 'v5' };
const ids = (all: readonly TemplateFragment[], more: Partial<TemplateChoice> = {}) =>
  chooseFragments(all, { ...choice, ...more }).map(({ id }) => id);

const all = [
  fragment('z-base'),
  fragment('any', { version: 'both', requires: ['z-base'] }),
  fragment('lite', { databases: ['sqlite'], requires: ['z-base'] }),
  fragment('mongo', { databases: ['mongodb'], requires: ['z-base'] }),
  fragment('login', { auth: true, requires: ['lite'] }),
  fragment('open', { auth: false, requires: ['z-base'] }),
  fragment('typed', { languages: ['typescript'] }),
  fragment('plain', { languages: ['javascript'] }),
  fragment('old', { version: 'v4', databases: ['sqlite'] }),
];

describe('the fragments of an application', () => {
  it('are those whose conditions match, each after its requirements', () => {
    expect(ids(all)).toEqual(['typed', 'z-base', 'any', 'lite', 'open']);
    expect(ids(all, { auth: true, typescript: false })).toEqual(['plain', 'z-base', 'any', 'lite', 'login']);
  });

  it('are empty if none covers the database, version or authentication', () => {
    expect(ids(all, { database: 'postgresql' })).toEqual([]);
    expect(ids(all, { database: 'mongodb', auth: true })).toEqual([]);
    expect(ids(all, { version: 'v4' })).toEqual(['old']);
    expect(ids([])).toEqual([]);
    const parts = [
      fragment('a', { version: 'both', databases: ['sqlite'] }),
      fragment('b', { version: 'both', auth: true }),
    ];
    expect(ids([...parts, fragment('z-base')])).toEqual([]);
    expect(ids([...parts, fragment('lite', { databases: ['sqlite'] })], { auth: true })).toEqual([]);
    expect(ids([...parts, fragment('lite', { databases: ['sqlite'] })])).toEqual(['a', 'lite']);
  });

  it('leave out fragments with missing or cyclic requirements', () => {
    const broken = [fragment('lite', { databases: ['sqlite'], requires: ['gone'] }), fragment('base')];
    expect(ids(broken)).toEqual([]);
    const ring = [
      fragment('a', { requires: ['b'] }),
      fragment('b', { requires: ['a'] }),
      fragment('c', { databases: ['sqlite'] }),
    ];
    expect(ids(ring)).toEqual(['c']);
  });

  it('have the same order for any input order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(ids(shuffled)).toEqual(ids(all));
      }),
    );
  });
});
