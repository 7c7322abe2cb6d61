import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { TemplateFragment } from '#domains/knowledge/base/base-entries.ts';
import { chooseFragments } from '#domains/knowledge/templates/compose-template.ts';
import { composed, everyChoice, fragments, nameOf, packagesOf, sharedPackages } from './harness.ts';
import { findFaults } from './tree-checks.ts';
import { checkFormat } from './tree-format.ts';

const all = fragments();
const sqlite = { database: 'sqlite', auth: true, typescript: true, version: 'v5' } as const;

/** The shipped fragments, with changed files or packages in one of them. */
const withChanged = (id: string, change: (fragment: TemplateFragment) => Partial<TemplateFragment>) =>
  all.map((fragment) => (fragment.id === id ? { ...fragment, ...change(fragment) } : fragment));

describe.each(['v4', 'v5'] as const)('a %s tree', (version) => {
  it.each(everyChoice(version).map((choice) => [nameOf(choice), choice] as const))(
    'for %s imports what it installs and installs what it uses',
    (_name, choice) => {
      const tree = composed(choice, all);
      expect(findFaults(tree.files)).toEqual([]);
      expect(tree.dependencies).toEqual(Object.keys(packagesOf(tree)).toSorted());
      expect(sharedPackages(version)).toMatchObject(packagesOf(tree));
    },
  );

  it.each(everyChoice(version).map((choice) => [nameOf(choice), choice] as const))(
    'for %s has the flags of its features',
    (_name, choice) => {
      const { featureFlags, files } = composed(choice, all);
      expect(featureFlags.includes(choice.database)).toBe(true);
      expect(featureFlags.includes('authentication')).toBe(choice.auth);
      expect(featureFlags.includes('oauth')).toBe(choice.auth);
      expect(featureFlags.includes('public')).toBe(!choice.auth);
      expect(featureFlags.includes('typescript')).toBe(choice.typescript);
      expect(featureFlags.includes('javascript')).toBe(!choice.typescript);
      expect(featureFlags.includes('migrations')).toBe(choice.database !== 'mongodb');
      expect([...files.keys()].some((path) => path.endsWith('.ts'))).toBe(choice.typescript);
      expect([...files.keys()].some((path) => path.includes('/users/'))).toBe(choice.auth);
    },
  );
});

describe('the shipped fragments', () => {
  it('have the names of their folders and satisfiable requirements', () => {
    const folder = fileURLToPath(new URL('../../knowledge-base/templates', import.meta.url));
    const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const ids = all.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(names.map(({ name }) => name).toSorted());
    expect(all.flatMap(({ requires }) => requires).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('are each used by some application', () => {
    const used = [...everyChoice('v4'), ...everyChoice('v5')].flatMap((choice) => chooseFragments(all, choice));
    expect([...new Set(used.map(({ id }) => id))].toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  });
});

describe('the format of the trees', () => {
  it('is that of the formatter, in both languages', async () => {
    const trees = [...everyChoice('v4'), ...everyChoice('v5')].map((choice) => composed(choice, all));
    expect(await checkFormat(trees)).toContain('No fixes applied');
  });

  it('negative control: finds a gap', async () => {
    const hole = new Map([['src/app.js', 'export const a = 1;\n\n\n\nexport const b = 2;\n']]);
    await expect(checkFormat([{ files: hole }])).rejects.toThrow('Formatter would have printed');
  });
});

describe('negative control: finds', () => {
  const faultsOf = (changed: readonly TemplateFragment[], choice = sqlite as Parameters<typeof composed>[0]) =>
    findFaults(composed(choice, changed).files);

  it('an import of a package that is not installed', () => {
    const changed = withChanged('both-base', ({ packages: { winston: _gone, ...packages } }) => ({ packages }));
    expect(faultsOf(changed)).toEqual(['src/logger.ts imports winston, which is not installed']);
  });

  it('an installed package that is not used', () => {
    const changed = withChanged('v5-base', ({ packages }) => ({ packages: { ...packages, lodash: '^4.0.0' } }));
    expect(faultsOf(changed)).toEqual(['lodash is installed and not used']);
  });

  it('a server import of a development package', () => {
    const changed = withChanged('both-base', ({ packages }) => ({ packages: {}, devPackages: packages }));
    expect(faultsOf(changed, { ...sqlite, typescript: false })).toContain(
      'src/logger.js imports winston, which a server does not install',
    );
  });

  it('an import of a missing file', () => {
    const changed = withChanged('both-base', ({ files: { 'src/logger.ts': _gone, ...files } }) => ({ files }));
    expect(faultsOf(changed)).toContain('src/hooks/log-error.ts imports ../logger.js, which is not there');
  });

  it('a file that is not imported', () => {
    const changed = withChanged('v5-base', ({ files }) => ({
      files: { ...files, 'src/extra.ts': 'export const a = 1;\n' },
    }));
    expect(faultsOf(changed)).toEqual(['src/extra.ts is not imported']);
  });

  it('a type in JavaScript', () => {
    const changed = withChanged('both-javascript', ({ files }) => ({
      files: { ...files, 'src/extra.js': 'export const a: string = 1;\n' },
    }));
    expect(faultsOf(changed, { ...sqlite, typescript: false })).toEqual([
      expect.stringMatching(/^src\/extra\.js cannot be read: /),
      'src/extra.js is not imported',
    ]);
  });

  it('types that cannot be removed', () => {
    const changed = withChanged('v5-base', ({ files }) => ({
      files: { ...files, 'src/colour.ts': 'export enum Colour { red }\n' },
    }));
    expect(() => composed({ ...sqlite, typescript: false }, changed)).toThrow(
      'templates/v5-base: src/colour.ts is not a valid knowledge file: TSEnumDeclaration',
    );
  });

  it('a missing slot and an overwritten file', () => {
    const filling = (content: string) =>
      withChanged('v5-sqlite', ({ files }) => ({ files: { ...files, 'src/app.ts': content } }));
    expect(() => composed(sqlite, filling('// <<nowhere>>\na();\n'))).toThrow('the file has no slot nowhere');
    expect(() => composed(sqlite, filling('a();\n'))).toThrow(
      'v5-sqlite fills no slot of a file that is there already',
    );
  });
});
