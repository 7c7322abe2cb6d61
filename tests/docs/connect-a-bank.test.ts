import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { added, plaidSecrets, startPlaid } from '#tests/support/plaid-double.ts';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { programCommands, toWords } from './shell-blocks.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/how-to/connect-a-bank.md', import.meta.url)), 'utf8');

it('docs/how-to/connect-a-bank.md: with its settings every command succeeds and shows no secret', async () => {
  const plaid = await startPlaid();
  const { folder, remove } = makeFolder();
  onTestFinished(async () => {
    await plaid.close();
    remove();
  });
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'config.json'), /```json\n([\s\S]*?)```/.exec(page)![1]!);
  writeFileSync(join(home, 'plaid-secret'), `${plaidSecrets.secret}\n`);
  const publicToken = /public-sandbox-(\w+)/.exec(page)![1]!;
  plaid.link(publicToken, added('t1', 't2'));
  const env = { FOURFOLD_HOME: home, FOURFOLD_LOG_LEVEL: 'error', FOURFOLD_PLAID_URL: plaid.url };
  const printed: string[] = [];
  for (const command of programCommands(page)) {
    const { code, stdout, stderr } = await runProgram([...toWords(command), '--json'], env, '', folder);
    expect(code, `${command}: ${stderr}`).toBe(0);
    expect(stdout).not.toMatch(new RegExp(`${plaidSecrets.secret}|${plaidSecrets.tokenMark}`));
    printed.push(stdout);
  }
  expect(JSON.parse(printed[1]!)).toMatchObject({ sync_summary: { added: 2, modified: 0, removed: 0 } });
  expect(JSON.parse(printed.at(-1)!)).toMatchObject({ total: 2 });
  expect(plaid.wrong).toEqual([]);
});
