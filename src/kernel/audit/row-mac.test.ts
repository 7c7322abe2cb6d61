import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowMac } from './chain.ts';

const auditKey = Buffer.from('the audit key of these tests');

test('no two different rows, and no row after two different ones, have the same mac', () => {
  const text = fc.string({ maxLength: 6 });
  const row = fc.record({
    tenant: text,
    seq: fc.nat(3),
    topic: text,
    id: text,
    what: fc.constantFrom('create', 'update', 'delete'),
    hash: text,
    actor: text,
    tool: text,
    at: fc.nat(3),
  });
  const pair = fc.tuple(row, row).chain(([a, b]) => fc.constantFrom([a, a] as const, [a, b] as const));
  const macs = fc.tuple(text, text).chain(([a, b]) => fc.constantFrom([a, a] as const, [a, b] as const));
  fc.assert(
    fc.property(pair, macs, ([a, b], [before, other]) => {
      const isSame = before === other && JSON.stringify(a) === JSON.stringify(b);
      expect(rowMac(auditKey, before, a) === rowMac(auditKey, other, b)).toBe(isSame);
    }),
  );
});

/** What slides from one column into the next must not go unseen: the columns are not merely joined. */
test('letters that move from one column to the next change the mac', () => {
  const row = {
    tenant: 't',
    seq: 1,
    topic: 'ab',
    id: 'c',
    what: 'create',
    hash: 'h',
    actor: 'x',
    tool: 'y',
    at: 0,
  } as const;
  expect(rowMac(auditKey, '', row)).not.toBe(rowMac(auditKey, '', { ...row, topic: 'a', id: 'bc' }));
  expect(rowMac(auditKey, '', row)).not.toBe(rowMac(auditKey, '', { ...row, actor: 'x","y', tool: '' }));
});
