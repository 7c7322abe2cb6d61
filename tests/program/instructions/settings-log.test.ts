import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '#tests/support/program.ts';
import { mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { entryFiles, entryInput } from './entries.fixture.ts';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly tool?: string;
  readonly fault?: string;
}

const toLines = (text: string): readonly Line[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

async function openLogged(env: Readonly<Record<string, string>>) {
  const { folder, remove } = makeFolder();
  const file = join(folder, 'fourfold.log');
  const program = await openCatalog(
    { ...mutationOn, FOURFOLD_LOG_LEVEL: 'info', MCP_LOG_FILE: file, ...env },
    entryFiles,
  );
  onTestFinished(async () => {
    await program.close();
    remove();
  });
  return {
    program,
    file,
    /** Calls only: a warning about a slow disk names the tool that it slowed down. */
    tools: () =>
      toLines(readFileSync(file, 'utf8')).flatMap(({ level, tool }) => (level === 'info' && tool ? [tool] : [])),
    async work() {
      await program.value('plain method', 'instructions/get', { id: 'alpha' });
      await program.value('plain method', 'instructions/add', { entry: entryInput('delta') });
      await program.error('plain method', 'instructions/query', { limit: 0 });
    },
  };
}

const soon = { timeout: 120_000, interval: 20 } as const;

it('MCP_LOG_VERBOSE logs every call to stderr and the file, never an argument', async () => {
  const { program, file, tools, work } = await openLogged({ MCP_LOG_VERBOSE: '1' });
  await work();
  await expect.poll(tools, soon).toEqual(['instructions/get', 'instructions/add', 'instructions/query']);
  expect(toLines(readFileSync(file, 'utf8')).at(-1)).toMatchObject({ level: 'info', fault: 'INVALID_PARAMS' });
  await expect.poll(() => toLines(program.said()), soon).toEqual(toLines(readFileSync(file, 'utf8')));
  expect(readFileSync(file, 'utf8')).not.toContain('Body of delta');
});

it('MCP_LOG_MUTATION logs every call that changes something, and no other', async () => {
  const { tools, work } = await openLogged({ MCP_LOG_MUTATION: '1' });
  await work();
  await expect.poll(tools, soon).toEqual(['instructions/add']);
});

it('without them no call is logged', async () => {
  const { file, tools, work } = await openLogged({});
  await work();
  await expect.poll(() => readFileSync(file, 'utf8'), soon).toContain('store migrated');
  expect(tools()).toEqual([]);
});

it('MCP_LOG_ROTATE_BYTES rotates the file', async () => {
  const { program, file } = await openLogged({ MCP_LOG_VERBOSE: '1', MCP_LOG_ROTATE_BYTES: '4096' });
  for (let i = 0; i < 60; i += 1) await program.value('plain method', 'instructions/get', { id: 'alpha' });
  await expect.poll(() => existsSync(`${file}.1`), soon).toBe(true);
  for (const name of [file, `${file}.1`]) expect(statSync(name).size).toBeLessThanOrEqual(4_096);
});

it('MCP_LOG_DIAG also logs connections and invalid messages', async () => {
  const said = async (env: Readonly<Record<string, string>>): Promise<() => readonly string[]> => {
    const { program, file } = await openLogged(env);
    program.child.stdin.write('{"half":\n');
    await program.value('plain method', 'instructions/get', { id: 'alpha' });
    return () => toLines(readFileSync(file, 'utf8')).flatMap(({ level, msg }) => (level === 'debug' ? [msg] : []));
  };
  const withIt = await said({ MCP_LOG_DIAG: '1' });
  await expect.poll(withIt, soon).toEqual(expect.arrayContaining(['client connected', 'invalid line']));
  expect((await said({}))()).toEqual([]);
});

it('a log file in a missing folder is reported in one line, and the program runs', async () => {
  const { folder, remove } = makeFolder();
  const file = join(folder, 'missing', 'fourfold.log');
  const program = await openCatalog({ MCP_LOG_FILE: file, FOURFOLD_LOG_LEVEL: 'info' }, entryFiles);
  onTestFinished(async () => {
    await program.close();
    remove();
  });
  expect(await program.value('plain method', 'instructions/get', { id: 'alpha' })).toHaveProperty('item');
  // Other lines still go to stderr.
  await expect.poll(() => program.said(), soon).toContain('store migrated');
  const lines = program.said().split('\n');
  expect(lines.filter((line) => line.includes(file))).toEqual([
    `fourfold: no log file ${file}: its folder does not exist. Logging to stderr only; create the folder or change the setting logFile.`,
  ]);
  expect(program.said()).not.toContain('    at ');
});
