import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TemplateChoice } from '#domains/knowledge/templates/template-choice.ts';
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
  run,
  startTree,
  writeTree,
} from './harness.ts';

const choice = (database: TemplateChoice['database'], auth: boolean, typescript: boolean): TemplateChoice => ({
  database,
  auth,
  typescript,
  version: 'v5',
});

/** One a database, both languages among them. */
const few = [choice('sqlite', true, true), choice('postgresql', true, false), choice('mongodb', true, true)];

// Before the tests are named: the name of one says when it could only be compiled.
const mongodb = await startMongodb();
let installed: string;

beforeAll(async () => {
  installed = await installOnce('v5');
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
  return { url: `${mongodb.url}/v5_${auth}_${typescript}_${process.pid}`, drop: async () => {} };
}

const programs = {
  tsc: 'typescript/bin/tsc',
  mocha: 'mocha/bin/mocha.js',
  knex: 'knex/bin/cli.js',
  tsx: 'tsx/dist/cli.mjs',
} as const;
const program = (name: keyof typeof programs): string => join(installed, 'node_modules', programs[name]);

const sendJson = async (url: string, body: object): Promise<{ status: number; body: unknown }> => {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
};

/** Starts it as on a server, speaks to it over HTTP and ends it. */
async function proveStart({ auth, typescript }: TemplateChoice, tree: string, url: string): Promise<void> {
  if (typescript) await run(tree, [program('tsc'), '-p', 'tsconfig.build.json']);
  const app = await startTree(tree, [typescript ? 'lib/index.js' : 'src/index.js'], { DATABASE_URL: url });
  const nowhere = await fetch(`${app.url}/nowhere`);
  const user = { email: 'one@example.com', password: 'long enough' };
  const signedUp = await sendJson(`${app.url}/users`, user);
  const loggedIn = await sendJson(`${app.url}/authentication`, { strategy: 'local', ...user });
  const code = await app.stop();
  expect(nowhere.status).toBe(404);
  expect(await nowhere.json()).toMatchObject({ name: 'NotFound' });
  expect(signedUp.status).toBe(auth ? 201 : 404);
  expect(signedUp.body).not.toHaveProperty('password');
  expect(loggedIn.status).toBe(auth ? 201 : 404);
  expect(code).toBe(0);
}

/** The secret is of this machine alone: made at the first start, and asked for on a server. */
async function proveSecret({ typescript }: TemplateChoice, tree: string, url: string): Promise<void> {
  const entry = typescript ? 'lib/index.js' : 'src/index.js';
  const { mode } = statSync(join(tree, '.authentication-secret'));
  expect(mode & 0o777).toBe(0o600);
  expect(readFileSync(join(tree, '.gitignore'), 'utf8').split('\n')).toContain('.authentication-secret');
  const onServer = { NODE_ENV: 'production', DATABASE_URL: url };
  await expect(run(tree, [entry], onServer)).rejects.toThrow('Set AUTHENTICATION_SECRET');
  await expect(run(tree, [entry], { ...onServer, AUTHENTICATION_SECRET: 'short', PORT: '0' })).rejects.toThrow(
    'Cannot start: validation failed: /authentication/secret must NOT have fewer than 32 characters',
  );
}

/** Compiles, migrates, runs the application's own tests, and starts it. */
async function prove(combination: TemplateChoice): Promise<void> {
  const { database, typescript } = combination;
  const tree = writeTree(composed(combination), installed);
  const place = await makeDatabase(combination, tree);
  try {
    if (typescript) await run(tree, [program('tsc')]);
    if (place === undefined) return;
    const { url } = place;
    if (database !== 'mongodb') {
      const knex = typescript ? [program('tsx'), 'knex.ts'] : [program('knex')];
      await run(tree, [...knex, 'migrate:latest'], { DATABASE_URL: url });
    }
    expect(await run(tree, [program('mocha')], { TEST_DATABASE_URL: url })).toMatch(/\d+ passing/);
    await proveStart(combination, tree, url);
    if (combination.auth) await proveSecret(combination, tree, url);
  } finally {
    await place?.drop();
    rmSync(tree, { recursive: true, force: true });
  }
}

describe('an application for Feathers v5', () => {
  const note = ({ database, typescript }: TemplateChoice): string => {
    if (database !== 'mongodb' || 'url' in mongodb) return 'compiles, migrates, passes its tests, starts and answers';
    return `${typescript ? 'compiles only' : 'is only written'}, as there is no MongoDB: ${mongodb.reason}`;
  };

  for (const combination of isWholeMatrix ? everyChoice('v5') : few) {
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

  test.runIf(isWholeMatrix).for(everyChoice('v5').filter(({ auth }) => auth))(
    'on $database is installed by npm as it is (TypeScript: $typescript), and its scripts run',
    { timeout: 400_000 },
    async (combination) => {
      const folder = mkdtempSync(join(tmpdir(), 'ff-v5-'));
      const tree = writeTree(composed(combination), folder);
      const place = await makeDatabase(combination, tree);
      try {
        // Nothing but node, npm and a shell: no compiler for a package that wants one.
        await npm(['install', '--no-audit', '--no-fund'], tree, { PATH: makeBarePath(folder) });
        if (combination.typescript) await npmIn(tree, ['run', 'check']);
        if (place === undefined) return;
        if (combination.database !== 'mongodb') await npmIn(tree, ['run', 'migrate'], { DATABASE_URL: place.url });
        expect(await npmIn(tree, ['test'], { TEST_DATABASE_URL: place.url })).toMatch(/\d+ passing/);
      } finally {
        await place?.drop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
