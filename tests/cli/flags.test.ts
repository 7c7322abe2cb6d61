import { expect, it } from 'vitest';
import { flagMeanings } from '#config/names.ts';
import type { Admin } from '#surfaces/cli/admin.ts';
import { adminCommands } from '#surfaces/cli/admin-commands.ts';
import { sharedFlags } from '#surfaces/cli/field.ts';

const clashes = (flags: readonly string[]): readonly string[] => flags.filter((flag) => flagMeanings.has(flag));

it('gives no flag of a command the name of a setting', () => {
  const flags = adminCommands.flatMap((make) => make({} as Admin).fields.map((field) => field.flag));
  expect(flags.length).toBeGreaterThan(5);
  expect(clashes([...flags, ...sharedFlags])).toEqual([]);
  expect(clashes(['to', 'port'])).toEqual(['port']);
});
