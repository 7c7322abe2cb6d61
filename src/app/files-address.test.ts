import { expect, test } from 'vitest';
import { createFilesAddress } from './files-address.ts';

test('where nobody serves files, they are where a server would be', async () => {
  expect(await createFilesAddress('http://here:1').baseUrl()).toBe('http://here:1');
});

test('whoever serves them is asked once, when the first address is signed', async () => {
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

test('one that could not open is asked again', async () => {
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
