import { describe, expect, it } from 'vitest';
import { ownerOf } from './owners.ts';

describe('ownerOf', () => {
  it('[IN31] uses the first matching rule', () => {
    const rules = [
      { pattern: '^auth-', owner: 'security' },
      { pattern: '-ui$', owner: 'design' },
    ];
    expect(ownerOf('auth-ui', rules)).toBe('security');
    expect(ownerOf('login-ui', rules)).toBe('design');
    expect(ownerOf('other', rules)).toBeUndefined();
    expect(ownerOf('other', [...rules, { pattern: '*', owner: 'all' }])).toBe('all');
  });

  it.each(['(', '(a+)+$', '(a|a)*b', 'a*a*a*a*b', 'x'.repeat(201)])(
    '[IN31] %j matches nothing and does not fail',
    (pattern) => {
      const rules = [
        { pattern, owner: 'unknown' },
        { pattern: '^a', owner: 'a-team' },
      ];
      expect(ownerOf(`${'a'.repeat(119)}c`, rules)).toBe('a-team');
    },
  );
});
