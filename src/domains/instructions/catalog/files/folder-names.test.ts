import { basename, join, relative, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localTenant, toTenantId } from '#kernel/call.ts';
import { fileNameOf, folderOfTenant, idOfFile, isEntryFile, isTemporaryName, toTemporaryName } from './folder-names.ts';

const folders = { folder: join(sep, 'data', 'instructions'), tenantsFolder: join(sep, 'data', 'tenants') };

const piece = fc.constantFrom(
  '..',
  '.',
  '/',
  '\\',
  '%2e',
  '%2f',
  '\0',
  ' ',
  ':',
  'con',
  'a',
  'A',
  '~',
  '\u2024',
  '.json',
);
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
);

describe('folder names', () => {
  test('[IN2] maps any id to a file inside the folder or to nothing', () => {
    fc.assert(
      fc.property(hostile, (id) => {
        let file: string;
        try {
          file = fileNameOf(id);
        } catch {
          return;
        }
        const path = resolve(folders.folder, file);
        expect(relative(folders.folder, path)).toBe(file);
        expect(basename(path)).toBe(file);
        expect(isEntryFile(file)).toBe(true);
        expect(idOfFile(file)).toBe(id);
      }),
      { numRuns: 2_000 },
    );
    for (const id of [
      '../escape',
      '..',
      '.',
      '',
      '/etc/passwd',
      'a/b',
      'a\\b',
      'a.b',
      'A',
      'a\n',
      '-a',
      'a-',
      'a'.repeat(121),
    ]) {
      expect(() => fileNameOf(id), id).toThrow('bug');
    }
    expect(fileNameOf('a'.repeat(120))).toHaveLength(125);
  });

  test('negative control: joining the id to the folder would escape from it', () => {
    const path = resolve(folders.folder, '../escape.json');
    expect(relative(folders.folder, path).startsWith('..')).toBe(true);
  });

  test('gives every tenant its own folder, even where the file system ignores case', () => {
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const [a, b] = [one, other].map((name) => folderOfTenant(toTenantId(`${name}!`), folders));
        expect(relative(folders.tenantsFolder, a!).split(sep)).toHaveLength(1);
        expect(relative(folders.tenantsFolder, a!)).toMatch(/^[a-z0-9_-]{3,130}$/);
        if (one.toWellFormed() !== other.toWellFormed()) expect(a!.toLowerCase()).not.toBe(b!.toLowerCase());
      }),
    );
    expect(folderOfTenant(localTenant, folders)).toBe(folders.folder);
    expect(folderOfTenant(toTenantId('team-a'), folders)).toBe(join(folders.tenantsFolder, 't-team-a'));
    expect(folderOfTenant(toTenantId('Team-A'), folders)).not.toBe(folderOfTenant(toTenantId('team-a'), folders));
  });

  test('does not treat config files, dot files and temporary files as entries', () => {
    const others = ['gates.json', 'owners.json', 'PROMPT-CRITERIA.json', 'snapshots', '.catalog-version', '.x.json'];
    for (const name of [...others, 'a.json.tmp', 'README.md', toTemporaryName('0')]) {
      expect(isEntryFile(name), name).toBe(false);
    }
    expect(isTemporaryName(toTemporaryName('01234567-89ab-cdef-0123-456789abcdef'))).toBe(true);
    expect(isTemporaryName('.mine.tmp')).toBe(false);
  });
});
