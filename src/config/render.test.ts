import { expect, it } from 'vitest';
import { findIgnoredVariables, ignoredVariables } from './ignored-variables.ts';
import { envNames, flagMeanings } from './names.ts';
import { renderConfigReference, renderEnvExample, renderHelp } from './render-settings.ts';
import { settingsList } from './settings.ts';

it('shows every setting in the help, the reference and the example', () => {
  const [help, reference, example] = [renderHelp(), renderConfigReference(), renderEnvExample()];
  for (const [name, setting] of settingsList) {
    const variables = envNames(name, setting);
    expect(help).toContain(variables[0]);
    expect(reference).toContain(`### ${name}\n`);
    for (const flag of setting.flags ?? []) expect(help).toContain(`--${flag}`);
    for (const variable of variables) {
      expect(reference).toContain(`\`${variable}\``);
      expect(example).toContain(variable);
    }
  }
  for (const name of ignoredVariables) expect(reference).toContain(name);
});

it('keeps the help within its columns and the example commented out', () => {
  expect(
    renderHelp()
      .split('\n')
      .slice(1)
      .filter((line) => line.length > 100),
  ).toEqual([]);
  expect(
    renderEnvExample()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  ).toEqual([]);
});

it('gives each flag and each variable one meaning', () => {
  const variables = settingsList.flatMap(([name, setting]) => envNames(name, setting));
  expect(new Set(variables).size).toBe(variables.length);
  const flags = settingsList.flatMap(([, setting]) => setting.flags ?? []);
  expect(new Set(flags).size).toBe(flags.length);
  expect(flags.filter((flag) => !flagMeanings.has(flag))).toEqual([]);
});

it('has no setting among the ignored variables', () => {
  const variables = Object.fromEntries(
    settingsList.flatMap(([name, setting]) => envNames(name, setting)).map((name) => [name, '1']),
  );
  expect(findIgnoredVariables(variables)).toEqual([]);
  expect(findIgnoredVariables({ MCP_HANDSHAKE_FALLBACKS: '1' })).toEqual(['MCP_HANDSHAKE_FALLBACKS']);
});
