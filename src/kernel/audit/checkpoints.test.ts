import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Checkpoint, createCheckpoints } from './checkpoints.ts';

const key = Buffer.from('the key of these tests');
const of = (tenant: string, seq: number): Checkpoint => ({ tenant, seq, mac: `mac ${seq}`, at: seq * 10 });

function plant() {
  const folder = mkdtempSync(join(tmpdir(), 'ff-checkpoints-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'audit-checkpoints.jsonl');
  return { folder, file, checkpoints: createCheckpoints(file, key) };
}

test('returns nothing for a missing file', async () => {
  const { folder, checkpoints } = plant();
  expect(checkpoints.read()).toEqual({ byTenant: new Map(), forgedCount: 0 });
  expect(readdirSync(folder)).toEqual([]);
});

test('reads back the newest checkpoint of each tenant, also in another process', async () => {
  const { file, folder, checkpoints } = plant();
  await checkpoints.write([of('a', 1), of('b', 7)]);
  await checkpoints.write([of('a', 3)]);
  const again = createCheckpoints(file, key).read();
  expect(again).toEqual({
    byTenant: new Map([
      ['a', of('a', 3)],
      ['b', of('b', 7)],
    ]),
    forgedCount: 0,
  });
  expect(readdirSync(folder)).toEqual(['audit-checkpoints.jsonl']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('never replaces a checkpoint by an older one', async () => {
  const { checkpoints } = plant();
  await checkpoints.write([of('a', 9)]);
  await checkpoints.write([of('a', 4)]);
  await checkpoints.write([{ ...of('a', 9), mac: 'another' }]);
  expect(checkpoints.read().byTenant.get('a')).toEqual(of('a', 9));
});

test('treats every line that the key did not sign as forged', async () => {
  const { file, checkpoints } = plant();
  await checkpoints.write([of('a', 5)]);
  const good = readFileSync(file, 'utf8').trimEnd();
  for (const bad of [
    '',
    'rubbish',
    'null',
    '5',
    '[]',
    '{}',
    good.replace('"seq":5', '"seq":4'),
    good.slice(0, -1),
    JSON.stringify({ ...of('a', 6), signature: 'x' }),
  ]) {
    writeFileSync(file, `${bad}\n${good}\n`);
    const { byTenant, forgedCount } = checkpoints.read();
    expect(byTenant.get('a')).toEqual(of('a', 5));
    expect(forgedCount).toBe(bad === '' ? 0 : 1);
  }
});

test('keeps a forged line when the next checkpoint is written', async () => {
  const { file, checkpoints } = plant();
  await checkpoints.write([of('a', 9)]);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"seq":9', '"seq":2'));
  expect(checkpoints.read().forgedCount).toBe(1);
  await checkpoints.write([of('a', 3)]);
  expect(checkpoints.read().forgedCount).toBe(1);
});

test('appends every checkpoint to the copy, which starts with all that are known', async () => {
  const { file, folder, checkpoints } = plant();
  await checkpoints.write([of('a', 1), of('b', 2)]);
  const copyFile = join(folder, 'mounted', 'copy.jsonl');
  const copied = createCheckpoints(file, key, { file: copyFile });
  await copied.write([of('a', 3)]);
  await copied.write([of('a', 3)]);
  await copied.write([of('a', 5)]);
  expect(await copied.listFor('a')).toEqual({ checkpoints: [of('a', 5), of('a', 3), of('a', 5)], forgedCount: 0 });
  expect(await copied.listFor('b')).toEqual({ checkpoints: [of('b', 2), of('b', 2)], forgedCount: 0 });
  writeFileSync(copyFile, readFileSync(copyFile, 'utf8').replace('"seq":3', '"seq":1'));
  expect(await copied.listFor('a')).toMatchObject({ forgedCount: 1 });
});

test('passes new checkpoints to the command, one JSON object per line', async () => {
  const { folder, file } = plant();
  const out = join(folder, 'received');
  const node = `"${process.execPath}"`;
  const program = `process.stdin.pipe(require('fs').createWriteStream(process.argv[1], {flags: 'a'}))`;
  const checkpoints = createCheckpoints(file, key, { command: `${node} -e "${program}" "${out}"` });
  await checkpoints.write([of('a', 1), of('b', 2)]);
  await checkpoints.write([of('a', 4)]);
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([of('a', 1), of('b', 2), of('a', 4)]);
});

test('reports a copy or a command that fails, and keeps the checkpoint', async () => {
  const { folder, file } = plant();
  const reports: string[] = [];
  const report = (target: string, reason: string) => void reports.push(`${target}: ${reason}`);
  const node = `"${process.execPath}"`;
  const command = `${node} -e "process.exit(7)"`;
  const checkpoints = createCheckpoints(file, key, { file: folder, command, report });
  await checkpoints.write([of('a', 1)]);
  expect(reports).toEqual([expect.stringContaining('file: EISDIR'), 'command: exit code 7']);
  expect(checkpoints.read().byTenant.get('a')).toEqual(of('a', 1));
});

test('reports a file that cannot be read, instead of treating it as empty', async () => {
  const { folder } = plant();
  expect(() => createCheckpoints(folder, key).read()).toThrow('EISDIR');
});
