import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTombstoneFile } from './tombstone-file.ts';

describe('the file of tombstones', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tombstones-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('[TR126] returns what was appended, and leaves out lines that were not signed with its key', () => {
    const path = join(folder, 'tombstones.jsonl');
    const file = createTombstoneFile(path, Buffer.from('a key'));
    expect(file.read()).toEqual(new Map());
    const row = { mac: 'm1', forgotten_at: 1, certificate_id: 'fgt_1' };
    file.append('a', [row]);
    file.append('b', [{ ...row, mac: 'm2' }]);
    createTombstoneFile(path, Buffer.from('another key')).append('a', [{ ...row, mac: 'forged' }]);
    appendFileSync(path, 'not JSON\n');
    expect(file.read()).toEqual(
      new Map([
        ['a', [row]],
        ['b', [{ ...row, mac: 'm2' }]],
      ]),
    );
  });
});
