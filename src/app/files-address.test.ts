import { expect, test } from 'vitest';
import { createFilesAddress } from './files-address.ts';

test('uses the fallback address when no surface serves files', async () => {
  expect(await createFilesAddress('http://here:1').baseUrl()).toBe('http://here:1');
});

test('opens the file server once, when the first URL is signed', async () => {
  const address = createFilesAddress('http://here:1');
  let askedCount = 0;
  address.servedBy(async () => {
    askedCount += 1;
    return 'http://there:2';
  });
  expect(askedCount).toBe(0);
  expect(await Promise.all([address.baseUrl(), address.baseUrl()])).toEqual(['http://there:2', 'http://there:2']);
  expect(askedCount).toBe(1);
});

test('opens again after a failed attempt', async () => {
  const address = createFilesAddress('http://here:1');
  let askedCount = 0;
  address.servedBy(async () => {
    askedCount += 1;
    if (askedCount === 1) throw new Error('taken');
    return 'http://there:2';
  });
  await expect(address.baseUrl()).rejects.toThrow('taken');
  expect(await address.baseUrl()).toBe('http://there:2');
});
