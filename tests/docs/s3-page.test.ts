import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { startS3 } from '#tests/support/s3/s3-server.ts';
import { programCommands, toWords } from './shell-blocks.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/how-to/keep-files-on-s3.md', import.meta.url)), 'utf8');
const aFileUrl = /fourfold:\/\/files\/[0-9a-f]{64}/;

it('docs/how-to/keep-files-on-s3.md: the settings and every command work as written', async () => {
  const s3 = await startS3();
  const { folder, remove } = makeFolder();
  onTestFinished(async () => {
    await s3.close();
    remove();
  });
  const home = join(folder, 'home');
  const cwd = join(folder, 'work');
  for (const made of [home, cwd]) mkdirSync(made);
  const secretFile = join(folder, 's3-secret');
  writeFileSync(secretFile, s3.secretKey);
  writeFileSync(join(cwd, 'invoice.txt'), 'Invoice 7, total 12.00 EUR');
  const settings = (/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
    .replace('https://s3.example.com', s3.endpoint)
    .replace('AKIAEXAMPLE', s3.accessKeyId)
    .replace('/etc/fourfold/s3-secret', secretFile);
  writeFileSync(join(home, 'config.json'), settings);

  const commands = programCommands(page);
  expect(commands.length).toBeGreaterThan(4);
  let fileUrl = '';
  let output = '';
  for (const command of commands) {
    const words = toWords(command).map((word) => (aFileUrl.test(word) ? fileUrl : word));
    const run = await runProgram(words, { FOURFOLD_HOME: home, FOURFOLD_LOG_LEVEL: 'error' }, '', cwd);
    expect(run.code, `${command}: ${run.stderr}${run.stdout}`).toBe(0);
    fileUrl = aFileUrl.exec(run.stdout)?.[0] ?? fileUrl;
    output += run.stdout;
  }
  expect(output).toContain('s3://uploads/fourfold can be read');
  expect(output).toContain('X-Amz-Expires=60');
});
