import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyVersion } from './entries.fixture.ts';
import { bumpVersion, compareVersions, parseVersion } from './version.ts';

describe('versions', () => {
  it('a bump is higher and well-formed', () => {
    fc.assert(
      fc.property(anyVersion, fc.constantFrom('patch', 'minor', 'major'), (version, bump) => {
        const next = bumpVersion(version, bump);
        expect(parseVersion(next)).toBeDefined();
        expect(compareVersions(next, version)).toBeGreaterThan(0);
      }),
    );
  });

  it('compareVersions is an order', () => {
    fc.assert(
      fc.property(anyVersion, anyVersion, anyVersion, (a, b, c) => {
        expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0);
        expect(compareVersions(a, a)).toBe(0);
        const [low, mid, high] = [a, b, c].sort(compareVersions) as [string, string, string];
        expect(compareVersions(low, mid)).toBeLessThanOrEqual(0);
        expect(compareVersions(low, high)).toBeLessThanOrEqual(0);
      }),
    );
    expect(compareVersions('1.10.0', '1.9.9')).toBeGreaterThan(0);
  });

  it.each(['', '1', '1.0', 'v1.0.0', '1.0.0-beta', '01.0.0', ' 1.0.0', '1.0.0.0', '9999999999.0.0'])(
    'rejects %j',
    (text) => {
      expect(parseVersion(text)).toBeUndefined();
    },
  );

  it('bumps each part separately', () => {
    expect(bumpVersion('1.2.3', 'patch')).toBe('1.2.4');
    expect(bumpVersion('1.2.3', 'minor')).toBe('1.3.0');
    expect(bumpVersion('1.2.3', 'major')).toBe('2.0.0');
    expect(bumpVersion('whatever', 'patch')).toBe('1.0.1');
  });
});
