import { expect, test } from 'vitest';
import { faults } from './kernel-faults.ts';
import { toFault } from './to-fault.ts';

test('passes a fault on and reports nothing', () => {
  const fault = faults.STORE_BUSY();
  expect(toFault(fault, { short: () => 'id-1' }, () => expect.unreachable())).toBe(fault);
});

test('reports anything else under the id that it answers with, without its message', () => {
  const reported: string[] = [];
  const fault = toFault(new Error('secret'), { short: () => 'id-1' }, (id) => reported.push(id));
  expect(fault).toMatchObject({ code: 'INTERNAL', details: { id: 'id-1' } });
  expect(reported).toEqual(['id-1']);
  expect(JSON.stringify(fault) + fault.message).not.toContain('secret');
});
