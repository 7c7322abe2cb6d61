import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { readLines } from './read-lines.ts';

function plant(bytes: Uint8Array | string): string {
  const folder = mkdtempSync(join(tmpdir(), 'ff-lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'lines'), bytes);
  return join(folder, 'lines');
}

test('yields complete lines of any length with their number and end position', async () => {
  const sizes = fc.array(fc.oneof(fc.nat(20), fc.nat(600_000), fc.constantFrom(262_143, 262_144)), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(sizes, async (lengths) => {
      const lines = lengths.map((length, i) => `${String(i).repeat(length)}\n`);
      const found: string[] = [];
      for await (const { number, bytes, endsAt } of readLines(plant(lines.join('')))) {
        found.push(bytes.toString());
        expect(number).toBe(found.length);
        expect(endsAt).toBe(found.join('').length);
      }
      expect(found).toEqual(lines);
    }),
    { numRuns: 30 },
  );
});

const drain = async (file: string, lineBytes: number) => {
  for await (const line of readLines(file, lineBytes)) expect(line.bytes.length).toBeGreaterThan(0);
};

test('rejects a line over the limit without reading all of it', async () => {
  const file = plant(`short\n${'x'.repeat(2_000_000)}`);
  await expect(drain(file, 300_000)).rejects.toMatchObject({
    code: 'IMPORT_INVALID',
    message: expect.stringContaining('Line 2'),
  });
});

test('rejects a last line without a line end', async () => {
  await expect(drain(plant('whole\nhal'), 1_000)).rejects.toMatchObject({
    message: expect.stringContaining('truncated'),
  });
});
