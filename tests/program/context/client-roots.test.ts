import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';
import { cleanEnv, makeFolder, programFile, serveProgram } from '#tests/support/program.ts';
import { quietEnv } from '../notebooks/notebook-program.ts';

function makeProjects() {
  const { folder: made, remove } = makeFolder();
  const folder = realpathSync(made);
  onTestFinished(remove);
  for (const path of ['web/.git', 'web/src', 'shop']) mkdirSync(join(folder, path), { recursive: true });
  return { folder, env: { ...quietEnv, FOURFOLD_HOME: join(folder, 'home') } };
}

/** The real client; `roots` are what it answers when it is asked. */
function makeClient(roots: readonly string[]) {
  const capabilities = { roots: { listChanged: true } };
  const client = new Client({ name: 'tester', version: '1' }, { capabilities });
  let current = roots;
  let askedCount = 0;
  client.setRequestHandler('roots/list', async () => {
    askedCount += 1;
    return { roots: current.map((path) => ({ uri: pathToFileURL(path).href })) };
  });
  return {
    client,
    askedCount: () => askedCount,
    async moveTo(path: string) {
      current = [path];
      await client.notification({ method: 'notifications/roots/list_changed' });
    },
    async inboxOf(text: string, more: Readonly<Record<string, unknown>> = {}) {
      const { structuredContent } = await client.callTool({ name: 'remember', arguments: { text, ...more } });
      const { remembered } = structuredContent as { remembered: readonly { id: string }[] };
      return remembered[0]!.id;
    },
  };
}

it('[CX13] over stdio notes go to the workspace of the folder that the client works in', async () => {
  const { folder, env } = makeProjects();
  const agent = makeClient([join(folder, 'web/src')]);
  const whole = { ...cleanEnv(), ...env } as Record<string, string>;
  await agent.client.connect(
    new StdioClientTransport({ command: process.execPath, args: [programFile], env: whole, cwd: join(folder, 'shop') }),
  );
  onTestFinished(() => agent.client.close());
  await agent.client.listTools();
  expect(agent.askedCount()).toBe(0);
  expect(await agent.inboxOf('the red cable')).toMatch(/^note:inbox-web-[0-9a-f]{6}-/);
  expect(await agent.inboxOf('the blue cable')).toMatch(/^note:inbox-web-/);
  expect(agent.askedCount()).toBe(1);
  expect(await agent.inboxOf('the grey cable', { namespace: 'desk' })).toMatch(/^note:inbox-desk-/);
  await agent.moveTo(join(folder, 'shop'));
  expect(await agent.inboxOf('the green cable')).toMatch(/^note:inbox-shop-/);
});

it('[CX13] over HTTP too, where the client keeps a session', async () => {
  const { folder, env } = makeProjects();
  const served = await serveProgram(env);
  onTestFinished(() => served.stop());
  const agent = makeClient([join(folder, 'web')]);
  const requestInit = { headers: { authorization: `Bearer ${served.key}` } };
  await agent.client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit }));
  onTestFinished(() => agent.client.close());
  expect(await agent.inboxOf('the red cable')).toMatch(/^note:inbox-web-/);
});

it('[CX13] the setting comes before the folder of the client', async () => {
  const { folder, env } = makeProjects();
  const agent = makeClient([join(folder, 'web')]);
  const whole = { ...cleanEnv(), ...env, WORKSPACE_ID: 'chosen' } as Record<string, string>;
  await agent.client.connect(new StdioClientTransport({ command: process.execPath, args: [programFile], env: whole }));
  onTestFinished(() => agent.client.close());
  expect(await agent.inboxOf('the red cable')).toMatch(/^note:inbox-chosen-/);
  expect(agent.askedCount()).toBe(0);
});
