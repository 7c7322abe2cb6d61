import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { type Entry, entryFiles, entryInput } from './entries.fixture.ts';

async function open(env: Readonly<Record<string, string>>, files: Readonly<Record<string, unknown>> = entryFiles) {
  const program = await openCatalog({ ...mutationOn, ...env }, files);
  onTestFinished(() => program.close());
  const ask = <T = Readonly<Record<string, unknown>>>(name: string, args: Readonly<Record<string, unknown>> = {}) =>
    program.value<T>('plain method', name, args);
  const bodyOf = async (id: string): Promise<string | undefined> =>
    (await ask<{ item?: Entry }>('instructions/get', { id })).item?.body;
  return { program, ask, bodyOf };
}

describe('MCP_CATALOG_MEMOIZE', () => {
  /** Whether a read right after an outside edit missed it. Tries several times, because the time may just be over. */
  async function missesEdits(env: Readonly<Record<string, string>>): Promise<boolean> {
    const { program, bodyOf } = await open(env);
    let hasMissed = false;
    for (let round = 0; round < 5; round += 1) {
      await bodyOf('beta');
      program.writeFile('beta.json', entryInput('beta', { body: `Edit ${round}.` }));
      if ((await bodyOf('beta')) !== `Edit ${round}.`) hasMissed = true;
    }
    await expect.poll(() => bodyOf('beta'), { timeout: 120_000, interval: 200 }).toBe('Edit 4.');
    return hasMissed;
  }

  it('answers from memory for a while and then sees outside edits', async () => {
    expect(await missesEdits({ MCP_CATALOG_MEMOIZE: '1' })).toBe(true);
  });

  it('is off by default: the next read sees every edit', async () => {
    expect(await missesEdits({})).toBe(false);
  });

  it('hides neither own writes nor new entries', async () => {
    const { program, ask, bodyOf } = await open({ MCP_CATALOG_MEMOIZE: '1' });
    await bodyOf('beta');
    await ask('instructions/add', { entry: entryInput('beta', { body: 'Ours.' }), overwrite: true });
    expect(await bodyOf('beta')).toBe('Ours.');
    program.writeFile('late.json', entryInput('late'));
    expect(await bodyOf('late')).toBe('Body of late.');
  });

  it('a write that conflicts with an unseen edit does not overwrite it, and succeeds when repeated', async () => {
    const { program, ask, bodyOf } = await open({ MCP_CATALOG_MEMOIZE: '1' });
    await bodyOf('beta');
    program.writeFile('beta.json', entryInput('beta', { body: 'By hand.' }));
    const patch = { id: 'beta', owner: 'ada' };
    const first = await program.call('plain method', 'instructions/governanceUpdate', patch);
    if (first.error !== undefined) await ask('instructions/governanceUpdate', patch);
    expect(await bodyOf('beta')).toBe('By hand.');
    expect((await ask<{ item: Entry }>('instructions/get', { id: 'beta' })).item.owner).toBe('ada');
  });
});

describe('MCP_READ_RETRIES and MCP_READ_BACKOFF_MS', () => {
  const whole = JSON.stringify(entryInput('late'));

  it('wait for a file that is being written', async () => {
    const { program, bodyOf } = await open({ MCP_READ_RETRIES: '20', MCP_READ_BACKOFF_MS: '50' });
    await bodyOf('beta');
    program.writeFile('late.json', whole.slice(0, 20));
    const reading = bodyOf('late');
    // Answers come in order: after this one, the other call has read the incomplete file.
    await program.client.ping();
    program.writeFile('late.json', whole);
    expect(await reading).toBe('Body of late.');
  });

  it('without retries report it immediately', async () => {
    const { program, ask } = await open({ MCP_READ_RETRIES: '0', MCP_READ_BACKOFF_MS: '10s' });
    await ask('instructions/list');
    program.writeFile('late.json', whole.slice(0, 20));
    const reading = ask('instructions/getEnhanced', { id: 'late' });
    await program.client.ping();
    program.writeFile('late.json', whole);
    expect(await reading).toMatchObject({ notFound: true, problem: { file: 'late.json' } });
  });
});

describe('other settings', () => {
  it('INSTRUCTIONS_WORKSPACE is stored on new entries like WORKSPACE_ID', async () => {
    const { ask } = await open({ INSTRUCTIONS_WORKSPACE: 'space-3', MCP_AGENT_ID: 'agent-3' });
    await ask('instructions/add', { entry: entryInput('delta') });
    const { item } = await ask<{ item: Entry }>('instructions/get', { id: 'delta' });
    expect(item).toMatchObject({ sourceWorkspace: 'space-3', createdByAgent: 'agent-3' });
  });

  it('feedback/health shows FEEDBACK_DIR and FEEDBACK_MAX_ENTRIES', async () => {
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    const { ask } = await open({ FEEDBACK_DIR: join(folder, 'voices'), FEEDBACK_MAX_ENTRIES: '7' });
    expect(await ask('feedback/health')).toMatchObject({ config: { maxEntries: 7, feedbackDir: 'voices' } });
  });
});

it('MCP_IDLE_KEEPALIVE_MS sends a protocol ping and nothing else', async () => {
  const { program } = await open({ MCP_IDLE_KEEPALIVE_MS: '50' });
  const pinged = new Promise<unknown>((resolve) => {
    program.child.stdout.on('data', (chunk: string) => {
      for (const line of chunk.split('\n').filter((text) => text !== '')) {
        const message = JSON.parse(line) as { readonly method?: string; readonly id?: unknown };
        if (message.method === 'ping' && message.id !== undefined) resolve(message.id);
      }
    });
  });
  expect(await pinged).toBeDefined();
  // The client answered it, and the connection continues.
  await program.client.ping();
});

it('doctor lists settings that have no effect', async () => {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  const env = { FOURFOLD_HOME: folder, MCP_HANDSHAKE_TRACE: '1', MCP_USAGE_FLUSH_MS: '75', MCP_CATALOG_MEMOIZE: '1' };
  writeFileSync(join(folder, 'config.json'), '{}');
  const { stdout, stderr } = await runProgram(['doctor'], env);
  expect(stdout + stderr).toContain('without effect in this program: MCP_HANDSHAKE_TRACE, MCP_USAGE_FLUSH_MS');
});
