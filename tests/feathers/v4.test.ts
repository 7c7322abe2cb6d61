import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases, type TemplateChoice } from '#domains/knowledge/templates/template-choice.ts';
import { startMongodb } from '#tests/support/mongodb/start-mongodb.ts';
import { makeBarePath, npm } from '#tests/support/npm.ts';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import {
  addFiles,
  composed,
  everyChoice,
  installOnce,
  isWholeMatrix,
  nameOf,
  npmIn,
  packagesOf,
  run,
  sharedPackages,
  startTree,
  writeTree,
} from './harness.ts';

const choice = (database: TemplateChoice['database'], auth: boolean, typescript: boolean): TemplateChoice => ({
  database,
  auth,
  typescript,
  version: 'v4',
});

/** One a database, so that both languages and both kinds of access are among them. */
const few = [choice('sqlite', true, false), choice('postgresql', false, true), choice('mongodb', true, true)];

// Before the tests are named: the name of one says when it could only be compiled.
const mongodb = await startMongodb();
let installed: string;

beforeAll(async () => {
  installed = await installOnce('v4');
}, 300_000);

afterAll(() => mongodb.stop());

interface Place {
  readonly url: string;
  drop(): Promise<void>;
}

/** A database of its own; undefined where there is no server for it. */
async function makeDatabase({ database, auth, typescript }: TemplateChoice, tree: string): Promise<Place | undefined> {
  if (database === 'postgresql') return createTestDatabase();
  if (database === 'sqlite') return { url: join(tree, 'matrix.sqlite'), drop: async () => {} };
  if (!('url' in mongodb)) return undefined;
  return { url: `${mongodb.url}/v4_${auth}_${typescript}_${process.pid}`, drop: async () => {} };
}

const programs = { tsc: 'typescript/bin/tsc', mocha: 'mocha/bin/mocha.js' } as const;
const program = (name: keyof typeof programs): string => join(installed, 'node_modules', programs[name]);

const sendJson = async (url: string, data: object, token = ''): Promise<{ status: number; body: unknown }> => {
  const headers = { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(data) });
  return { status: response.status, body: await response.json() };
};

async function logIn(url: string): Promise<string> {
  const credentials = { email: 'one@example.com', password: 'long enough' };
  expect(await sendJson(`${url}/messages`, { text: 'Hello' })).toMatchObject({ status: 401 });
  expect(await sendJson(`${url}/users`, credentials)).toMatchObject({ status: 201 });
  const { body } = await sendJson(`${url}/authentication`, { strategy: 'local', ...credentials });
  return (body as { accessToken: string }).accessToken;
}

/** Starts it as on a server, speaks to it over HTTP and ends it. */
async function proveStart({ auth, typescript }: TemplateChoice, tree: string, url: string): Promise<void> {
  if (typescript) await run(tree, [program('tsc'), '-p', 'tsconfig.build.json']);
  const app = await startTree(tree, [typescript ? 'lib/index.js' : 'src/index.js'], { DATABASE_URL: url });
  const token = auth ? await logIn(app.url) : '';
  const made = await sendJson(`${app.url}/messages`, { text: 'Hello' }, token);
  const refused = await sendJson(`${app.url}/messages`, { text: '' }, token);
  const code = await app.stop();
  expect(made).toMatchObject({ status: 201, body: { text: 'Hello' } });
  expect(refused).toMatchObject({ status: 400, body: { name: 'BadRequest' } });
  expect(code).toBe(0);
}

/** Compiles, runs the application's own tests, and starts it. */
async function prove(combination: TemplateChoice): Promise<void> {
  const tree = composed(combination);
  expect(sharedPackages('v4')).toMatchObject(packagesOf(tree));
  const folder = writeTree(tree, installed);
  const place = await makeDatabase(combination, folder);
  try {
    if (combination.typescript) await run(folder, [program('tsc')]);
    if (place === undefined) return;
    expect(await run(folder, [program('mocha')], { TEST_DATABASE_URL: place.url })).toMatch(/\d+ passing/);
    await proveStart(combination, folder, place.url);
  } finally {
    await place?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('an application for Feathers v4', () => {
  const note = ({ database, typescript }: TemplateChoice): string => {
    const isThere = database !== 'mongodb' || 'url' in mongodb;
    if (isThere) return `${typescript ? 'compiles, ' : ''}passes its tests, starts and answers`;
    return `${typescript ? 'compiles only' : 'is only written'}, as there is no MongoDB: ${mongodb.reason}`;
  };

  for (const combination of isWholeMatrix ? everyChoice('v4') : few) {
    test(`on ${nameOf(combination)} ${note(combination)}`, { timeout: 180_000 }, () => prove(combination));
  }

  test('that does not compile, or whose tests fail, is told with what was said', { timeout: 60_000 }, async () => {
    const tree = writeTree(composed(choice('sqlite', false, true)), installed);
    addFiles(tree, [
      ['src/broken.ts', "export const port: number = 'none';\n"],
      ['test/broken.test.ts', "it('fails', () => { throw new Error('as planted'); });\n"],
    ]);
    await expect(run(tree, [program('tsc')])).rejects.toThrow('src/broken.ts(1,14): error TS2322');
    await expect(run(tree, [program('mocha')])).rejects.toThrow('as planted');
    rmSync(tree, { recursive: true, force: true });
  });

  test.runIf(isWholeMatrix).for(databases)(
    'on %s is installed by npm as it is, and its scripts run',
    { timeout: 400_000 },
    async (database) => {
      const folder = mkdtempSync(join(tmpdir(), 'ff-v4-'));
      const combination = choice(database, true, true);
      const tree = writeTree(composed(combination), folder);
      const place = await makeDatabase(combination, tree);
      try {
        // Nothing but node, npm and a shell: no compiler for a package that wants one.
        await npm(['install', '--no-audit', '--no-fund'], tree, { PATH: makeBarePath(folder) });
        await npmIn(tree, ['run', 'check']);
        if (place === undefined) return;
        const url = database === 'mongodb' ? `${place.url}_installed` : place.url;
        expect(await npmIn(tree, ['test'], { TEST_DATABASE_URL: url })).toMatch(/\d+ passing/);
      } finally {
        await place?.drop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
