import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSealedText } from './sealed-text.ts';

const sealed = createSealedText(randomBytes(32));

describe('text is sealed', () => {
  test('it opens for its owner, and the sealed form differs each time', () => {
    const first = sealed.seal('access-token-ä', 'row-1');
    const second = sealed.seal('access-token-ä', 'row-1');
    expect(first).not.toBe(second);
    expect(first).not.toContain('access-token');
    expect(sealed.open(first, 'row-1')).toBe('access-token-ä');
    expect(sealed.open(sealed.seal('', 'row-1'), 'row-1')).toBe('');
  });

  test('it opens neither for another owner nor with another key', () => {
    const text = sealed.seal('token', 'row-1');
    expect(() => sealed.open(text, 'row-2')).toThrow(expect.objectContaining({ code: 'INTEGRITY_ERROR' }));
    const other = createSealedText(randomBytes(32));
    expect(() => other.open(text, 'row-1')).toThrow(expect.objectContaining({ code: 'INTEGRITY_ERROR' }));
  });

  test('a changed, cut or foreign text does not open', () => {
    const text = sealed.seal('token', 'row-1');
    const changed = text.slice(0, -3) + (text.at(-3) === 'A' ? 'B' : 'A') + text.slice(-2);
    for (const wrong of [changed, text.slice(0, 12), text.replace('v1', 'v2'), '', 'v1.'])
      expect(() => sealed.open(wrong, 'row-1')).toThrow(expect.objectContaining({ code: 'INTEGRITY_ERROR' }));
  });
});
