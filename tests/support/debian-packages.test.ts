import { expect, it } from 'vitest';
import { findDebianPackage } from './debian-packages.ts';

it('finds the programs of an installed package without installing anything', async () => {
  const { programs } = await findDebianPackage('no-such-package', ['sh', 'env']);
  expect(programs?.sh).toMatch(/\/sh$/);
  expect(programs?.env).toMatch(/\/env$/);
});

it('returns no programs of a package that does not exist', async () => {
  const found = await findDebianPackage('no-such-package', ['no-such-program']).catch(String);
  expect(JSON.stringify(found)).toContain('no-such-package');
});
