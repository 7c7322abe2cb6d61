import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, vi } from 'vitest';
import { makeFolder, programFile, runProgram } from '#tests/support/program.ts';
import { missingLine, type PageStep, pageSteps } from './page-steps.ts';
import { toWords } from './shell-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = [
  ...globSync('docs/tutorials/*.md', { cwd: root }),
  'docs/how-to/add-a-feathers-service.md',
  'docs/how-to/ask-where-a-number-came-from.md',
  'docs/how-to/share-scratchpads.md',
  'docs/how-to/validate-what-agents-write.md',
];

/** The whole page in one data folder: calls through a client that stays connected, commands in processes of their own. */
async function follow(steps: readonly PageStep[]): Promise<void> {
  const { folder, remove } = makeFolder();
  const env = { FOURFOLD_HOME: join(folder, 'home'), FOURFOLD_LOG_LEVEL: 'error' };
  const cwd = join(folder, 'project');
  mkdirSync(cwd);
  const client = new Client({ name: 'reader', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [programFile], env, cwd }));

  async function answerOf(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { content } = await client.callTool({ name, arguments: { ...args } });
    const [block] = content;
    return block?.type === 'text' ? JSON.parse(block.text) : undefined;
  }

  try {
    for (const step of steps) {
      if (step.kind === 'call') {
        const { name, args, shown = { ok: true } } = step;
        const isSearch = name === 'scratch_search';
        // By meaning it is found a moment later, as the page says; everything else holds at once.
        const check = async () => expect(await answerOf(name, args)).toMatchObject(shown);
        await (isSearch ? vi.waitFor(check, { timeout: 20_000, interval: 100 }) : check());
        continue;
      }
      let printed = '';
      for (const command of step.commands) {
        const run = await runProgram(toWords(command), env, '', cwd);
        expect(run.code, `${command}: ${run.stderr}`).toBe(0);
        printed += run.stdout;
      }
      expect(missingLine(printed, step.shown), printed).toBeUndefined();
    }
  } finally {
    await client.close();
    remove();
  }
}

const planted = {
  health: '```json\n{"name":"health_check","arguments":{}}\n```\n',
  missing: '```json\n{"name":"scratch_read","arguments":{"scratch_id":"none"}}\n```\n',
};

describe('the pages that show calls and answers', () => {
  it('are found', () => {
    expect(pages).toContain(join('docs', 'tutorials', 'working-memory.md'));
  });

  it.each(pages)(
    '%s: each call and command runs as written and answers as shown',
    { timeout: 60_000 },
    async (page) => {
      const steps = pageSteps(readFileSync(join(root, page), 'utf8'));
      expect(steps.filter(({ kind }) => kind === 'call').length).toBeGreaterThan(0);
      await follow(steps);
    },
  );

  it.each([
    ['an answer that differs', `${planted.health}\`\`\`json\n{"status":"bad"}\n\`\`\`\n`, 'to match object'],
    ['a call that fails', planted.missing, 'to match object'],
    ['a command that fails', '```sh\nfourfold scratch read none\n```\n', 'NOT_FOUND'],
    ['output that differs', '```sh\nfourfold scratch list\n```\n\n```text\n  login-bug\n```\n', 'login-bug'],
  ])('%s is noticed', async (_, page, why) => {
    await expect(follow(pageSteps(page))).rejects.toThrow(why);
  });

  it('an answer without a call, and output without a command, are refused', () => {
    expect(() => pageSteps('```json\n{"ok":true}\n```\n')).toThrow('an answer without its call');
    expect(() => pageSteps('```text\nhello\n```\n')).toThrow('nothing printed this');
  });

  it('lines are looked for whole and in their order', () => {
    expect(missingLine('a  b\nc\n', ['a  b', 'c'])).toBeUndefined();
    expect(missingLine('a  b\nc\n', ['c', 'a  b'])).toBe('a  b');
    expect(missingLine('a  b\n', ['a'])).toBe('a');
  });
});
