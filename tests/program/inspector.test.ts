import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, programFile, type Run, type Served, serveProgram } from '#tests/support/program.ts';

const inspector = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);

const inspect = (args: readonly string[], env: Readonly<Record<string, string>>): Promise<Run> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [inspector, '--cli', '--format', 'json', '-q', ...args],
      { env: { ...process.env, ...env } },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr }),
    );
  });

interface Listed {
  readonly result: { readonly tools: readonly { readonly name: string }[] };
  readonly schemaFindings?: readonly unknown[];
}

/** Strict: a schema that some client rejects is an error. */
function expectListed(run: Run): void {
  expect(run.code, run.stderr).toBe(0);
  const listed = JSON.parse(run.stdout) as Listed;
  expect(listed.result.tools.map((tool) => tool.name)).toContain('tools_call');
  expect(listed.schemaFindings ?? []).toEqual([]);
}

describe.each(['legacy', 'modern'])('the MCP Inspector, %s era', (era) => {
  const { folder, remove } = makeFolder();
  const env = { FOURFOLD_HOME: folder, MCP_CATALOG_PATH: `${folder}/mcp.json` };
  let served: Served;

  beforeAll(async () => {
    served = await serveProgram(env);
  });
  afterAll(async () => {
    await served.stop();
    remove();
  });

  it('reports no problem over stdio', async () => {
    expectListed(
      await inspect(
        [
          '--strict',
          '--protocol-era',
          era,
          '--method',
          'tools/list',
          '--',
          process.execPath,
          programFile,
          '--toolsets',
          'all',
        ],
        env,
      ),
    );
  });

  it('reports no problem over HTTP', async () => {
    const header = ['--header', `Authorization: Bearer ${served.key}`];
    expectListed(
      await inspect([`${served.url}/mcp`, '--strict', '--protocol-era', era, '--method', 'tools/list', ...header], env),
    );
  });

  it('calls a tool over HTTP', async () => {
    const header = ['--header', `Authorization: Bearer ${served.key}`];
    const call = ['--method', 'tools/call', '--tool-name', 'tools_call', '--tool-arg', 'name=health_check'];
    const run = await inspect([`${served.url}/mcp`, '--protocol-era', era, ...call, ...header], env);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain('"status":"ok"');
  });
});
