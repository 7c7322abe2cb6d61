import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLoopbackHost, toHostName } from './host-guard.ts';

test('separates the host name from port and case', () => {
  expect(['LocalHost:80', 'a.b.example.com.', '[::1]:443', '127.0.0.1'].map(toHostName)).toEqual([
    'localhost',
    'a.b.example.com',
    '[::1]',
    '127.0.0.1',
  ]);
});

test('returns a plain host name or undefined for any input', () => {
  const letters = fc.constantFrom(...'localhst127.0:[]@/\\?# \t,;%evil-_');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(letters).map((all) => all.join('')),
      ),
      (text) => {
        const name = toHostName(text);
        if (name === undefined) return;
        expect(name).toMatch(/^[a-z0-9._:[\]-]+$/);
        // Nothing before the name may be dropped: `evil@localhost` must never become `localhost`.
        expect(text.toLowerCase().startsWith(name)).toBe(true);
        expect(text.slice(name.length)).toMatch(/^\.?(:\d+)?$/);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('accepts loopback names only, not lookalikes', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])
    expect([host, isLoopbackHost(host)]).toEqual([host, true]);
  for (const host of [
    '0.0.0.0',
    '::',
    '127.0.0.1.example.com',
    '1127.0.0.1',
    '128.0.0.1',
    'localhost.example.com',
    '',
  ]) {
    expect([host, isLoopbackHost(host)]).toEqual([host, false]);
  }
});
