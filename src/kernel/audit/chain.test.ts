import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AuditRow, genesisMac, rowMac } from './chain.ts';

const key = Buffer.from('a key');
const row = {
  tenant: 't',
  seq: 1,
  topic: 'pad',
  id: 'p',
  what: 'create',
  hash: 'h',
  actor: 'ada',
  tool: 'pads/create',
  at: 1_000,
} as const satisfies Omit<AuditRow, 'mac'>;

test('computes the same MAC for the same row after the same row', () => {
  expect(rowMac(key, genesisMac, row)).toBe(rowMac(key, genesisMac, { ...row }));
  expect(rowMac(key, genesisMac, row)).toMatch(/^[0-9a-f]{64}$/);
});

test('depends on every column, the previous row and the key', () => {
  const mac = rowMac(key, genesisMac, row);
  for (const column of Object.keys(row)) {
    const value = row[column as keyof typeof row];
    const edited = { ...row, [column]: typeof value === 'number' ? value + 1 : `${value}x` };
    expect(rowMac(key, genesisMac, edited), column).not.toBe(mac);
  }
  expect(rowMac(key, 'other', row)).not.toBe(mac);
  expect(rowMac(Buffer.from('b key'), genesisMac, row)).not.toBe(mac);
});

test('changes when a letter moves from one column to the next', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (topic, id) => {
      const moved = { ...row, topic: topic.slice(0, -1), id: topic.slice(-1) + id };
      expect(rowMac(key, genesisMac, moved)).not.toBe(rowMac(key, genesisMac, { ...row, topic, id }));
    }),
  );
});

test('differs for different rows and for different previous rows', () => {
  const text = fc.string({ maxLength: 6 });
  const anyRow = fc.record({
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
  const pair = fc.tuple(anyRow, anyRow).chain(([a, b]) => fc.constantFrom([a, a] as const, [a, b] as const));
  const macs = fc.tuple(text, text).chain(([a, b]) => fc.constantFrom([a, a] as const, [a, b] as const));
  fc.assert(
    fc.property(pair, macs, ([a, b], [before, other]) => {
      const isSame = before === other && JSON.stringify(a) === JSON.stringify(b);
      expect(rowMac(key, before, a) === rowMac(key, other, b)).toBe(isSame);
    }),
  );
});

test('a quote in one column is not read as the end of that column', () => {
  const moved = { ...row, actor: `ada","${row.tool}`, tool: '' };
  expect(rowMac(key, genesisMac, moved)).not.toBe(rowMac(key, genesisMac, row));
});
