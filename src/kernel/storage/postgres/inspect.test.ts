import { expect, test } from 'vitest';
import { findIsolationProblem, findServerProblem } from './inspect.ts';

const good = { version: '15.4', number: 150_004, fsync: 'on', full_page_writes: 'on', encoding: 'UTF8' };

test('finds no problem in a durable server', () => {
  expect(findServerProblem(good)).toBeUndefined();
});

test.each([
  [{ version: '14.9', number: 140_009 }, 'older than 15'],
  [{ fsync: 'off' }, 'fsync = on'],
  [{ full_page_writes: 'off' }, 'full_page_writes = on'],
  [{ encoding: 'SQL_ASCII' }, 'encoding UTF8'],
])('reports %o together with a remedy', (flaw, why) => {
  expect(findServerProblem({ ...good, ...flaw })).toContain(why);
});

const role = { role: 'app', is_superuser: 0, bypasses: 0 };
const table = { name: 'pads', is_owned: 0, has_tenant: 1, is_enforced: 1, ours: 1, policies: 1 };
const shared = { ...table, name: 'leases', has_tenant: 0, is_enforced: 0, ours: 0, policies: 0 };

test('accepts a restricted role, protected tables and an unprotected table without a tenant column', () => {
  expect(findIsolationProblem(role, [table, shared], ['pads'])).toBeUndefined();
});

test.each([
  ['a superuser', { is_superuser: 1 }, {}, 'is a superuser'],
  ['a role that bypasses', { bypasses: 1 }, {}, 'BYPASSRLS'],
  ['an owner', {}, { is_owned: 1 }, 'owns the table pads'],
  ['a table whose security is not forced', {}, { is_enforced: 0 }, 'pads is not under its policy'],
  ['a table without a policy', {}, { ours: 0, policies: 0 }, 'pads is not under its policy'],
  ['a table with an additional policy', {}, { policies: 2 }, 'pads is not under its policy'],
  ['a tenant table that is not there', {}, { name: 'other' }, 'pads is missing'],
  ['a tenant table without its column', {}, { has_tenant: 0 }, 'pads is missing'],
])('reports %s', (_, roleFlaw, tableFlaw, why) => {
  expect(findIsolationProblem({ ...role, ...roleFlaw }, [{ ...table, ...tableFlaw }], ['pads'])).toContain(why);
});
