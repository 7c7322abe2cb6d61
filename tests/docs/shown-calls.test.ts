import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  'docs/how-to/forget-someone.md',
  'docs/how-to/remember-facts.md',
  'docs/how-to/search-the-docs-you-use.md',
  'docs/how-to/see-how-it-is-used.md',
  'docs/how-to/share-scratchpads.md',
  'docs/how-to/validate-what-agents-write.md',
  'docs/how-to/watch-with-prometheus.md',
];

/** The project that the pages assume: docs of its own and an installed package. */
function createProject(folder: string): void {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name": "web-shop", "version": "1.0.0"}');
  writeFileSync(
    join(folder, 'docs', 'deploy.md'),
    '# Deploying\n\n## Roll back a release\n\nRun `deploy --previous`.\n',
  );
  cpSync(join(root, 'node_modules', 'pino'), join(folder, 'node_modules', 'pino'), { recursive: true });
}

/** Follows a page in one data folder: calls through a client that stays connected, each command in its own process. */
async function follow(steps: readonly PageStep[], settings: Readonly<Record<string, string>> = {}): Promise<void> {
  const { folder, remove } = makeFolder();
  const env = { FOURFOLD_HOME: join(folder, 'home'), FOURFOLD_LOG_LEVEL: 'error', ...settings };
  const cwd = join(folder, 'project');
  createProject(cwd);
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
        // Semantic search finds a text a moment after the write; all other answers hold immediately.
        const check = async () => expect(await answerOf(name, args)).toMatchObject(shown);
        await (isSearch ? vi.waitFor(check, { timeout: 120_000, interval: 100 }) : check());
        continue;
      }
      let printed = '';
      for (const command of step.commands) {
        const run = await runProgram(toWords(command), env, '', cwd);
        expect(run.code, `${command}: ${run.stderr}`).toBe(0);
        const [, library] = /search docs .*--library (\S+)/.exec(command) ?? [];
        if (library !== undefined) expect(run.stdout, command).toContain(`  ${library}`);
        printed += run.stdout;
      }
      expect(missingLine(printed, step.shown), printed).toBeUndefined();
    }
  } finally {
    await client.close();
    remove();
  }
}

const healthCall = '```json\n{"name":"health_check","arguments":{}}\n```\n';
const failingCall = '```json\n{"name":"scratch_read","arguments":{"scratch_id":"none"}}\n```\n';

describe('pages that show calls and answers', () => {
  it('include the tutorials', () => {
    expect(pages).toContain(join('docs', 'tutorials', 'working-memory.md'));
  });

  it.each(pages)('%s: every call and command returns what the page shows', { timeout: 600_000 }, async (page) => {
    const steps = pageSteps(readFileSync(join(root, page), 'utf8'));
    expect(steps.filter(({ kind }) => kind === 'call').length).toBeGreaterThan(0);
    // Embedding a whole package takes longer than a test should.
    await follow(steps, page.endsWith('search-the-docs-you-use.md') ? { FOURFOLD_EMBEDDING_MODEL: 'debug' } : {});
  });

  it.each([
    ['a different answer', `${healthCall}\`\`\`json\n{"status":"bad"}\n\`\`\`\n`, 'to match object'],
    ['a failing call', failingCall, 'to match object'],
    ['a failing command', '```sh\nfourfold scratch read none\n```\n', 'NOT_FOUND'],
    ['different output', '```sh\nfourfold scratch list\n```\n\n```text\n  login-bug\n```\n', 'login-bug'],
    ['a library that is not there', '```sh\nfourfold search docs zebra --library pino\n```\n', 'UNKNOWN_LIBRARY'],
  ])('detects %s', async (_, page, why) => {
    await expect(follow(pageSteps(page))).rejects.toThrow(why);
  });

  it('rejects an answer without a call and output without a command', () => {
    expect(() => pageSteps('```json\n{"ok":true}\n```\n')).toThrow('answer without a call');
    expect(() => pageSteps('```text\nhello\n```\n')).toThrow('output without a command');
  });

  it('compares whole lines of output in order', () => {
    expect(missingLine('a  b\nc\n', ['a  b', 'c'])).toBeUndefined();
    expect(missingLine('a  b\nc\n', ['c', 'a  b'])).toBe('a  b');
    expect(missingLine('a  b\n', ['a'])).toBe('a');
  });
});
