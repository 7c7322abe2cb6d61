import { expect, test } from 'vitest';
import { settingsTable } from '#config/settings.ts';
import { parse } from './parsed.ts';
import { findIdleSettings } from './settings.ts';
import { readProgram } from './tree.ts';

/** The file is read, and thereby obeyed, where settings are loaded. */
const names = Object.keys(settingsTable).filter((name) => name !== 'config');

test('every setting is obeyed somewhere', () => {
  expect(findIdleSettings(readProgram().map(parse), names)).toEqual([]);
});

test('a setting that nobody reads is found, also when only the table or a comment names it', () => {
  const files = [
    { path: 'src/config/settings.ts', text: 'export const table = { port: 1, colour: 2 };' },
    { path: 'src/app/a.ts', text: 'listen(settings.port); // settings.colour' },
  ].map(parse);
  expect(findIdleSettings(files, ['port', 'colour'])).toEqual(['nothing reads the setting colour']);
});
