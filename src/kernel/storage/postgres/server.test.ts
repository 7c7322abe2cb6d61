import { expect, test } from 'vitest';
import { findServerFlaw } from './server.ts';

const good = { version: '15.4', number: 150_004, fsync: 'on', full_page_writes: 'on', encoding: 'UTF8' };

test('a server that keeps its word has no flaw', () => {
  expect(findServerFlaw(good)).toBeUndefined();
});

test.each([
  [{ version: '14.9', number: 140_009 }, 'older than 15'],
  [{ fsync: 'off' }, 'fsync = on'],
  [{ full_page_writes: 'off' }, 'full_page_writes = on'],
  [{ encoding: 'SQL_ASCII' }, 'encoding UTF8'],
])('%o is a flaw, told with what to do', (flaw, why) => {
  expect(findServerFlaw({ ...good, ...flaw })).toContain(why);
});
