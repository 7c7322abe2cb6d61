import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toWords } from '#tests/docs/shell-blocks.ts';
import { openKnowledge } from '#tests/program/knowledge/knowledge-program.ts';
import { runProgram } from '#tests/support/program.ts';
import { addFiles, findFreePort, installOnce, isWholeMatrix, npmIn, withOurNode } from './harness.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/tutorials/feathers-service.md', import.meta.url)), 'utf8');

/** The blocks of the page in order: tool calls, answers and commands. */
const blocks = [...page.matchAll(/^```(json|sh)\n([\s\S]*?)^```$/gm)].map(([, kind, text = '']) => ({ kind, text }));

interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}
const isCall = (value: object): value is ToolCall => 'name' in value && 'arguments' in value;

let knowledge: Awaited<ReturnType<typeof openKnowledge>>;
let place: string;
let dev: ChildProcess | undefined;

beforeAll(async () => {
  knowledge = await openKnowledge();
  // Below the shared packages npm install is already done; the whole matrix runs it as on the page.
  place = mkdtempSync(join(isWholeMatrix ? tmpdir() : await installOnce('v5'), 'tutorial-'));
}, 300_000);

afterAll(async () => {
  if (dev?.pid !== undefined) {
    const ended = once(dev, 'close');
    process.kill(-dev.pid, 'SIGTERM');
    await ended;
  }
  await knowledge.close();
  rmSync(place, { recursive: true, force: true });
});

/** Its own process group, so that its children stop with it. */
async function startDev(cwd: string, port: number): Promise<void> {
  const env = { ...process.env, PATH: withOurNode(), PORT: String(port), NODE_ENV: 'development' };
  dev = spawn('npm', ['run', 'dev'], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  const ended = once(dev, 'close').then(() => {
    throw new Error(`npm run dev ended:\n${said.join('\n')}`);
  });
  const listens = new Promise<void>((resolve) => {
    for (const stream of [dev!.stdout!, dev!.stderr!])
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        if (line.includes('listening on')) resolve();
      });
  });
  await Promise.race([listens, ended]);
}

/** `curl <url> [--json <text>]`. */
async function curl(
  [url = '', flag, json]: readonly string[],
  port: number,
): Promise<{ status: number; body: unknown }> {
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: json ?? '' };
  const response = await fetch(url.replace(':3030', `:${port}`), flag === '--json' ? post : {});
  return { status: response.status, body: await response.json() };
}

test('runs the tutorial of a Feathers service as written', { timeout: 400_000 }, async () => {
  const port = await findFreePort();
  const env = { FOURFOLD_HOME: join(place, 'home'), FOURFOLD_LOG_LEVEL: 'error' };
  let cwd = place;
  const done: string[] = [];
  const answers: { status: number; body: unknown }[] = [];

  const runCommand = async (command: string): Promise<void> => {
    const [first = '', ...rest] = [command.split(' ')[0], ...toWords(command)];
    if (first === 'fourfold') expect((await runProgram(rest, env, '', cwd)).code, command).toBe(0);
    else if (first === 'cd') cwd = join(cwd, rest[0] ?? '');
    else if (command === 'npm run dev') await startDev(cwd, port);
    else if (first === 'curl') answers.push(await curl(rest, port));
    else if (first !== 'npm') throw new Error(`the page has an unsupported command: ${command}`);
    else if (command !== 'npm install' || isWholeMatrix) await npmIn(cwd, rest);
    done.push(command);
  };

  for (const { kind, text } of blocks) {
    if (kind === 'sh') for (const command of text.trim().split('\n')) await runCommand(command);
    else {
      const call = JSON.parse(text) as object;
      if (!isCall(call)) continue;
      const answer = await knowledge.call<{ files?: Record<string, { path: string; content: string }> }>(
        call.name,
        call.arguments,
      );
      done.push(call.name);
      // What the agent does with the generated service.
      if (call.name === 'generate_service')
        addFiles(
          cwd,
          Object.values(answer.files ?? {}).map(({ path, content }) => [path, content] as const),
        );
    }
  }

  expect(done).toEqual([
    'get_feathers_template',
    expect.stringMatching(/^fourfold knowledge new/),
    'cd notes-app',
    'npm install',
    'npm test',
    'search_docs',
    'generate_service',
    'npm run check',
    'npm test',
    'npm run migrate',
    'npm run dev',
    expect.stringMatching(/^curl .*--json/),
    expect.stringMatching(/^curl /),
  ]);
  const [made, listed] = answers;
  expect(made).toMatchObject({ status: 201, body: { title: 'Buy milk', done: false } });
  expect(listed).toMatchObject({ status: 200, body: { total: 1, data: [{ title: 'Buy milk' }] } });

  // The last sentences of the page.
  const post = (json: string) => curl(['http://localhost:3030/notes', '--json', json], port);
  expect(await post('{"title":"Buy milk"}')).toMatchObject({ status: 409 });
  expect(await post('{"done":true}')).toMatchObject({ status: 400 });
});
