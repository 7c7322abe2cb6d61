import { expect, test } from 'vitest';
import { settingsTable } from '#config/settings.ts';
import { nodesOf, type Parsed, parse } from './parsed.ts';
import { readProgram } from './tree.ts';

/** Settings that the program offers but does not use. */
function findIdleSettings(files: readonly Parsed[], names: readonly string[]): readonly string[] {
  const read = new Set(
    files
      .filter(({ path }) => !path.startsWith('src/config/'))
      .flatMap(({ program }) => nodesOf(program, 'Identifier').map(({ name }) => name)),
  );
  return names.filter((name) => !read.has(name)).map((name) => `nothing reads the setting ${name}`);
}

/** The file is used where settings are loaded. */
const names = Object.keys(settingsTable).filter((name) => name !== 'config');

test('every setting is used', () => {
  expect(findIdleSettings(readProgram().map(parse), names)).toEqual([]);
});

test('finds a setting that only the table or a comment names', () => {
  const files = [
    { path: 'src/config/settings.ts', text: 'export const table = { port: 1, colour: 2 };' },
    { path: 'src/app/a.ts', text: 'listen(settings.port); // settings.colour' },
  ].map(parse);
  expect(findIdleSettings(files, ['port', 'colour'])).toEqual(['nothing reads the setting colour']);
});
