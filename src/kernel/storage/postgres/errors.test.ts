import { expect, test } from 'vitest';
import { faults } from '../../fault/kernel-faults.ts';
import { fromDriver, isRetryable, isRolledBack, StatementError, toStoreFault } from './errors.ts';

const said = (code: string, part: object = {}) =>
  Object.assign(new Error('duplicate key value'), { severity: 'ERROR', code, ...part });

test('what the server says about a row stays on the server', () => {
  const error = fromDriver(said('23505', { detail: 'Key (id)=(a secret) already exists.' }), 'insert\n  into t');
  expect(error).toBeInstanceOf(StatementError);
  expect(error.message).toBe('PostgreSQL 23505: duplicate key value (in: insert into t)');
  expect(JSON.stringify(error)).not.toContain('secret');
});

test('a value that does not fit is not repeated', () => {
  expect(
    fromDriver(said('22P02', { message: 'invalid input syntax for type bigint: "a secret"' })).message,
  ).not.toContain('secret');
});

test.each([
  ['57P01', 'ended the connection'],
  ['08006', 'connection was lost'],
  ['28P01', 'refuses the user'],
  ['3D000', 'does not exist'],
  ['53300', 'max_connections'],
  ['53100', 'disk of the server is full'],
  ['53200', 'out of memory'],
  ['53000', 'not enough'],
  ['53400', 'not enough'],
  ['55000', 'takes no connections'],
  ['57P02', 'coming back'],
  ['57P03', 'starting or stopping'],
  ['57P04', 'database was dropped'],
  ['57P05', 'silent for too long'],
])('the server’s %s is told as trouble of the store', (code, why) => {
  expect(fromDriver(said(code))).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(why) });
});

test('what a statement of ours did wrong is no trouble of the store', () => {
  for (const code of ['23505', '42P01', '55006', '55P03', '57014', 'XX000']) {
    expect(fromDriver(said(code))).toBeInstanceOf(StatementError);
  }
});

test.each([
  ['ECONNREFUSED', 'nothing listens'],
  ['ENOTFOUND', 'host is not known'],
  ['EPIPE', 'connection was lost'],
])('the socket’s %s is told as trouble of the store', (code, why) => {
  const error = Object.assign(new Error('socket'), { code });
  expect(fromDriver(error)).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(why) });
});

test('a driver’s error without any code is the connection’s', () => {
  expect(fromDriver(new Error('Connection terminated unexpectedly'))).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(fromDriver(new Error('timeout exceeded when trying to connect'))).toMatchObject({ code: 'STORE_BUSY' });
});

test('only serialisation failures and deadlocks are tried again, and in the end they are STORE_BUSY', () => {
  expect(['40001', '40P01', '23505', '57014'].map((code) => isRetryable(fromDriver(said(code))))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(toStoreFault(fromDriver(said('40P01')), 'write')).toMatchObject({ code: 'STORE_BUSY' });
});

test('a standby takes no writes, and a read that writes is a bug', () => {
  expect(toStoreFault(fromDriver(said('25006')), 'write')).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(toStoreFault(fromDriver(said('25006')), 'read')).toBeInstanceOf(StatementError);
});

test('a failed COMMIT is known to have kept nothing only when the server says so and goes on', () => {
  const known = ['23505', '40001', '57014', 'P0001'];
  const unknown = ['57P01', '57P02', '58030', 'XX000', '25P03', '08006'];
  expect(known.map((code) => isRolledBack(fromDriver(said(code))))).toEqual(known.map(() => true));
  expect(unknown.map((code) => isRolledBack(fromDriver(said(code))))).toEqual(unknown.map(() => false));
  expect(isRolledBack(faults.STORE_UNAVAILABLE({ why: 'gone' }))).toBe(false);
});
