import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';
import { cleanEnv, makeFolder, programFile, runProgram } from '#tests/support/program.ts';
import { quietEnv } from '../notebooks/notebook-program.ts';

function makeEnv() {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  return { ...quietEnv, FOURFOLD_HOME: join(folder, 'home') };
}

async function startWith(...flags: readonly string[]) {
  const client = new Client({ name: 'tester', version: '1' });
  const env = { ...cleanEnv(), ...makeEnv() } as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [programFile, ...flags], env }));
  onTestFinished(() => client.close());
  return {
    client,
    async listed() {
      const { tools } = await client.listTools();
      return tools.map(({ name }) => name).sort();
    },
  };
}

it('--tools lists exactly those tools, by any spelling, and the others stay callable', async () => {
  const { client, listed } = await startWith('--tools', 'recall,instructions/governanceHash,scratch_read');
  expect(await listed()).toEqual(['instructions_governance_hash', 'recall', 'scratch_read']);
  const { structuredContent } = await client.callTool({ name: 'remember', arguments: { text: 'the red cable' } });
  expect(structuredContent).toMatchObject({ remembered: [{ kind: 'note' }] });
});

it('--toolsets lists only the tools of those toolsets', async () => {
  const { listed } = await startWith('--toolsets', 'notebooks');
  const names = await listed();
  expect(names).toContain('scratch_create');
  expect(names.filter((name) => !name.startsWith('scratch_'))).toEqual([]);
});

it.each([
  ['--tools', 'recal', 'recall'],
  ['--toolsets', 'notebook', 'notebooks'],
])('%s with a wrong name ends the start and names the nearest', async (flag, wrong, nearest) => {
  const { code, stdout, stderr } = await runProgram([flag, wrong], makeEnv());
  expect(code).not.toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain(`"${wrong}" is unknown`);
  expect(stderr).toContain(nearest);
  expect(stderr).not.toContain('    at ');
});
