import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spellings, toListedName } from './names.ts';

describe('the name of a tool', () => {
  it.each([
    ['health/check', 'health_check'],
    ['instructions/governanceHash', 'instructions_governance_hash'],
    ['scratch_create', 'scratch_create'],
    ['search_docs', 'search_docs'],
    ['tools/Find', 'tools_find'],
  ])('%s is listed as %s', (name, listed) => {
    expect(toListedName(name)).toBe(listed);
  });

  it('is listed in a form that every client accepts, and stays as it is then', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}[A-Z]?[a-z]{1,4}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 3 }), (words) => {
        const listed = toListedName(words.join('/'));
        expect(listed).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
        expect(toListedName(listed)).toBe(listed);
      }),
    );
  });

  it('has each spelling once', () => {
    expect(spellings('a/bC')).toEqual(['a/bC', 'a_bC', 'a_b_c']);
    expect(spellings('scratch_create')).toEqual(['scratch_create']);
  });
});
