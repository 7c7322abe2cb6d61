import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTenant, toTenantId } from '../call.ts';
import { Fault } from '../fault/fault.ts';
import { createCursors, cursorLimits } from './cursor.ts';

const cursors = createCursors(Buffer.alloc(32, 7));
const codeOf = (work: () => unknown): string => {
  try {
    return `opened ${JSON.stringify(work())}`;
  } catch (error) {
    return error instanceof Fault ? error.code : String(error);
  }
};

describe('a cursor', () => {
  it('returns the sealed state', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), (state) => {
        const json = JSON.stringify(state);
        fc.pre(json.length < 1_000);
        expect(JSON.stringify(cursors.open('list', localTenant, cursors.seal('list', localTenant, state)))).toBe(json);
      }),
    );
  });

  it('is rejected for another tool, tenant or key', () => {
    const text = cursors.seal('list', localTenant, { after: 'a' });
    expect(codeOf(() => cursors.open('search', localTenant, text))).toBe('INVALID_PARAMS');
    expect(codeOf(() => cursors.open('list', toTenantId('other'), text))).toBe('INVALID_PARAMS');
    expect(codeOf(() => createCursors(Buffer.alloc(32, 8)).open('list', localTenant, text))).toBe('INVALID_PARAMS');
    expect(codeOf(() => cursors.open('list', localTenant, text))).toBe('opened {"after":"a"}');
  });

  it.each(['', ',', '\0', '\n', '"', '","', '/'])(
    'separates tool name and tenant unambiguously, with %j between them',
    (between) => {
      const text = cursors.seal(`list${between}a`, toTenantId('b'), 1);
      expect(codeOf(() => cursors.open('list', toTenantId(`a${between}b`), text))).toBe('INVALID_PARAMS');
    },
  );

  it('is rejected with any one character changed', () => {
    const text = cursors.seal('list', localTenant, { after: 'entry-17', at: 1_767_225_600_000 });
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let i = 0; i < text.length; i += 1) {
      for (const letter of alphabet) {
        const forged = text.slice(0, i) + letter + text.slice(i + 1);
        if (forged !== text) expect(codeOf(() => cursors.open('list', localTenant, forged))).toBe('INVALID_PARAMS');
      }
    }
  });

  it('is rejected when cut, padded, spelt differently, empty, random or far too long', () => {
    const text = cursors.seal('list', localTenant, { after: 'a' });
    const forgeries = [
      ...Array.from(text, (_, i) => text.slice(0, i)),
      `${text}=`,
      `${text} `,
      ` ${text}`,
      `${text}\n`,
      'null',
      '{"after":"a"}',
      randomBytes(64).toString('base64url'),
      'A'.repeat(cursorLimits.cursorChars),
      'A'.repeat(5_000_000),
    ];
    for (const forged of forgeries) {
      expect(
        codeOf(() => cursors.open('list', localTenant, forged)),
        forged.slice(0, 40),
      ).toBe('INVALID_PARAMS');
    }
  });

  it('that is too large is a bug of the tool that seals it', () => {
    expect(() => cursors.seal('list', localTenant, 'x'.repeat(cursorLimits.cursorChars))).toThrow(
      /^bug: the cursor of list/,
    );
  });
});
