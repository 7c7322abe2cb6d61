import { expect, test } from 'vitest';
import { faults } from '../../fault/kernel-faults.ts';
import { fromDriver, isRetryable, isRolledBack, StatementError, toStoreFault } from './errors.ts';

const said = (code: string, part: object = {}) =>
  Object.assign(new Error('duplicate key value'), { severity: 'ERROR', code, ...part });

test('never repeats row values from a server message', () => {
  const error = fromDriver(said('23505', { detail: 'Key (id)=(a secret) already exists.' }), 'insert\n  into t');
  expect(error).toBeInstanceOf(StatementError);
  expect(error.message).toBe('PostgreSQL 23505: duplicate key value (in: insert into t)');
  expect(JSON.stringify(error)).not.toContain('secret');
});

test('does not repeat a value that does not fit its column', () => {
  expect(
    fromDriver(said('22P02', { message: 'invalid input syntax for type bigint: "a secret"' })).message,
  ).not.toContain('secret');
});

test.each([
  ['57P01', 'ended the connection'],
  ['08006', 'connection was lost'],
  ['28P01', 'rejects the user'],
  ['3D000', 'does not exist'],
  ['53300', 'max_connections'],
  ['53100', 'disk of the server is full'],
  ['53200', 'out of memory'],
  ['53000', 'lacks a resource'],
  ['53400', 'lacks a resource'],
  ['55000', 'does not accept connections'],
  ['57P02', 'is recovering'],
  ['57P03', 'starting or stopping'],
  ['57P04', 'database was dropped'],
  ['57P05', 'idle for too long'],
])('reports the server error %s as STORE_UNAVAILABLE', (code, why) => {
  expect(fromDriver(said(code))).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(why) });
});

test('treats an error in our own statement as a bug', () => {
  for (const code of ['23505', '42P01', '55006', '55P03', '57014', 'XX000']) {
    expect(fromDriver(said(code))).toBeInstanceOf(StatementError);
  }
});

test.each([
  ['ECONNREFUSED', 'nothing listens'],
  ['ENOTFOUND', 'host is unknown'],
  ['EPIPE', 'connection was lost'],
])('reports the socket error %s as STORE_UNAVAILABLE', (code, why) => {
  const error = Object.assign(new Error('socket'), { code });
  expect(fromDriver(error)).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining(why) });
});

test('treats a driver error without a code as a lost connection', () => {
  expect(fromDriver(new Error('Connection terminated unexpectedly'))).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(fromDriver(new Error('timeout exceeded when trying to connect'))).toMatchObject({ code: 'STORE_BUSY' });
});

test('retries only serialisation failures and deadlocks, and reports STORE_BUSY at the end', () => {
  expect(['40001', '40P01', '23505', '57014'].map((code) => isRetryable(fromDriver(said(code))))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(toStoreFault(fromDriver(said('40P01')), 'write')).toMatchObject({ code: 'STORE_BUSY' });
});

test('reports a write on a standby, and treats a read that writes as a bug', () => {
  expect(toStoreFault(fromDriver(said('25006')), 'write')).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(toStoreFault(fromDriver(said('25006')), 'read')).toBeInstanceOf(StatementError);
});

test('a failed COMMIT is known to be rolled back only if the server says so and stays connected', () => {
  const known = ['23505', '40001', '57014', 'P0001'];
  const unknown = ['57P01', '57P02', '58030', 'XX000', '25P03', '08006'];
  expect(known.map((code) => isRolledBack(fromDriver(said(code))))).toEqual(known.map(() => true));
  expect(unknown.map((code) => isRolledBack(fromDriver(said(code))))).toEqual(unknown.map(() => false));
  expect(isRolledBack(faults.STORE_UNAVAILABLE({ why: 'gone' }))).toBe(false);
});
