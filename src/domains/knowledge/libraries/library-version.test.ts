import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sectionId } from '../search/collection.ts';
import { isLibraryName, isVersion, parseLibraryVersion, parseSectionId } from './library-version.ts';

const name = fc.stringMatching(/^(?:@[a-z0-9]{1,5}\/)?[a-z0-9][a-z0-9._-]{0,8}$/);
const version = fc.stringMatching(/^[0-9][0-9a-z.+-]{0,8}$/);
const path = fc.stringMatching(/^[a-z@#/. ]{1,20}$/);
const anchor = fc.stringMatching(/^[a-z0-9~-]{0,10}$/);

describe('library versions', () => {
  test('parses the section id that sectionId made, for any path', () => {
    fc.assert(
      fc.property(name, version, path, anchor, (library, someVersion, at, where) => {
        expect(isLibraryName(library) && isVersion(someVersion)).toBe(true);
        const place = { library, version: someVersion, path: at, anchor: where };
        expect(parseSectionId(sectionId(library, someVersion, at, where))).toEqual(place);
        expect(parseLibraryVersion(`${library}@${someVersion}`)).toEqual({ library, version: someVersion });
        expect(parseLibraryVersion(library)).toEqual({ library, version: undefined });
      }),
    );
  });

  test('rejects ambiguous names, versions and ids', () => {
    for (const text of ['', '.', '..', '../x', 'a/b', '@a', '@a/', 'a@b', 'a#b', 'a b', '-a', '.a', 'a'.repeat(215)]) {
      expect(isLibraryName(text), text).toBe(false);
    }
    for (const text of ['', '.', '1/2', '1@2', '1 2', '-1', '1'.repeat(65)]) {
      expect(isVersion(text), text).toBe(false);
    }
    for (const text of ['', 'v5/hooks#a', 'a@1', 'a@1/b', '@a/b#c']) expect(parseSectionId(text), text).toBeUndefined();
  });
});
