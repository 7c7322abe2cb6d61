import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sectionId } from '../search/collection.ts';
import { isLibraryName, isLibraryVersion, parseSectionId, splitEdition } from './library-names.ts';

const name = fc.stringMatching(/^(?:@[a-z0-9]{1,5}\/)?[a-z0-9][a-z0-9._-]{0,8}$/);
const version = fc.stringMatching(/^[0-9][0-9a-z.+-]{0,8}$/);
const path = fc.stringMatching(/^[a-z@#/. ]{1,20}$/);
const anchor = fc.stringMatching(/^[a-z0-9~-]{0,10}$/);

describe('names', () => {
  test('the id of a section leads back to its place, whatever stands in its path', () => {
    fc.assert(
      fc.property(name, version, path, anchor, (library, edition, at, where) => {
        expect(isLibraryName(library) && isLibraryVersion(edition)).toBe(true);
        const place = { library, version: edition, path: at, anchor: where };
        expect(parseSectionId(sectionId(library, edition, at, where))).toEqual(place);
        expect(splitEdition(`${library}@${edition}`)).toEqual({ library, version: edition });
        expect(splitEdition(library)).toEqual({ library, version: undefined });
      }),
    );
  });

  test('what could be taken for something else is no name, and no id', () => {
    for (const text of ['', '.', '..', '../x', 'a/b', '@a', '@a/', 'a@b', 'a#b', 'a b', '-a', '.a', 'a'.repeat(215)]) {
      expect(isLibraryName(text), text).toBe(false);
    }
    for (const text of ['', '.', '1/2', '1@2', '1 2', '-1', '1'.repeat(65)]) {
      expect(isLibraryVersion(text), text).toBe(false);
    }
    for (const text of ['', 'v5/hooks#a', 'a@1', 'a@1/b', '@a/b#c']) expect(parseSectionId(text), text).toBeUndefined();
  });
});
