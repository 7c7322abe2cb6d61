/** Checks for the applications of every version: they compile, pass their own tests, start, answer and log users in. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '#domains/knowledge/base/base-entries.ts';
import type { TemplateChoice } from '#domains/knowledge/templates/compose-template.ts';
import { startMongodb } from '#tests/support/mongodb/start-mongodb.ts';
import { makeBarePath, npm } from '#tests/support/npm.ts';
import {
  addFiles,
  composed,
  everyChoice,
  installOnce,
  isWholeMatrix,
  nameOf,
  npmIn,
  packagesOf,
  type Running,
  run,
  sharedPackages,
  startTree,
  writeTree,
} from './harness.ts';
import { createBrowser, profile, startProvider } from './oauth-provider.ts';
import { createTreeDatabase } from './tree-database.ts';

export interface Applications {
  readonly version: TemplateChoice['version'];
  /** The choices of the ordinary run, one per database. */
  readonly few: readonly (readonly [database: Database, auth: boolean, typescript: boolean])[];
  /** Its message about a secret that is too short. */
  readonly shortSecret: string;
  /** Further HTTP checks; the token is empty without authentication. */
  proveAnswers?(url: string, token: string): Promise<void>;
}

const programs = {
  tsc: 'typescript/bin/tsc',
  mocha: 'mocha/bin/mocha.js',
  knex: 'knex/bin/cli.js',
  tsx: 'tsx/dist/cli.mjs',
} as const;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const toAnswer = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: await response.json(),
});

const bearer = (token: string) => (token === '' ? {} : { Authorization: `Bearer ${token}` });

export const sendJson = async (url: string, data: object, token = ''): Promise<Answer> => {
  const headers = { 'Content-Type': 'application/json', ...bearer(token) };
  return toAnswer(await fetch(url, { method: 'POST', headers, body: JSON.stringify(data) }));
};

const readJson = async (url: string, token = ''): Promise<Answer> =>
  toAnswer(await fetch(url, { headers: bearer(token) }));

/** Signs up and logs in if there are users, and returns the token. */
async function proveUsers({ auth }: TemplateChoice, url: string): Promise<string> {
  const user = { email: 'one@example.com', password: 'long enough' };
  const signedUp = await sendJson(`${url}/users`, user);
  const loggedIn = await sendJson(`${url}/authentication`, { strategy: 'local', ...user });
  expect(signedUp.status).toBe(auth ? 201 : 404);
  expect(signedUp.body).not.toHaveProperty('password');
  expect(loggedIn.status).toBe(auth ? 201 : 404);
  // No provider is configured.
  if (auth) expect(await readJson(`${url}/oauth/example`)).toMatchObject({ status: 404 });
  return auth ? (loggedIn.body as { accessToken: string }).accessToken : '';
}

/** To the provider and back: the visitor becomes a user. */
async function proveProvider(tree: string, entry: string, url: string): Promise<void> {
  const provider = await startProvider();
  const oauth = { redirect: '/', example: provider.settings };
  const settings = { DATABASE_URL: url, NODE_CONFIG: JSON.stringify({ authentication: { oauth } }) };
  let app: Running | undefined;
  try {
    app = await startTree(tree, [entry], settings);
    const goTo = createBrowser(app.url);
    const there = await goTo('/oauth/example');
    expect(`${there.origin}${there.pathname}`).toBe(provider.settings['authorize_url']);
    expect(there.searchParams.get('client_id')).toBe('our-key');
    expect(there.searchParams.get('redirect_uri')).toBe(`${app.url}/oauth/example/callback`);
    const comeBack = async (query: string) => {
      const { hash } = await goTo(`/oauth/example/callback?code=once${query}`);
      return new URLSearchParams(hash.slice(1)).get('access_token');
    };
    // A link from another person's login must not log in the visitor who opens it.
    expect(await comeBack('&state=of-somebody-else')).toBeNull();
    const { searchParams } = await goTo('/oauth/example');
    const token = (await comeBack(`&state=${searchParams.get('state')}`)) ?? '';
    expect(await readJson(`${app.url}/users`, token)).toMatchObject({
      status: 200,
      body: { total: 1, data: [{ email: profile.email }] },
    });
    // Clients cannot log in by claiming what the provider would have said.
    const claim = { strategy: 'example', access_token: 'of-seven', profile };
    expect(await sendJson(`${app.url}/authentication`, claim)).toMatchObject({ status: 401 });
  } finally {
    await app?.stop();
    await provider.stop();
  }
}

export async function proveApplications({ version, few, shortSecret, proveAnswers }: Applications): Promise<void> {
  // Needed before the tests are named: a name says if the application was only compiled.
  const mongodb = await startMongodb();
  let installed: string;
  beforeAll(async () => {
    installed = await installOnce(version);
  }, 300_000);
  afterAll(() => mongodb.stop());

  const program = (name: keyof typeof programs): string => join(installed, 'node_modules', programs[name]);
  const entryOf = ({ typescript }: TemplateChoice) => (typescript ? 'lib/index.js' : 'src/index.js');
  const hasMigrations = (tree: string) => readFileSync(join(tree, 'package.json'), 'utf8').includes('"migrate"');

  async function proveStart(choice: TemplateChoice, tree: string, url: string): Promise<void> {
    if (choice.typescript) await run(tree, [program('tsc'), '-p', 'tsconfig.build.json']);
    const app = await startTree(tree, [entryOf(choice)], { DATABASE_URL: url });
    let code: number | null;
    try {
      expect(await readJson(`${app.url}/nowhere`)).toMatchObject({ status: 404, body: { name: 'NotFound' } });
      const token = await proveUsers(choice, app.url);
      await proveAnswers?.(app.url, token);
    } finally {
      code = await app.stop();
    }
    expect(code).toBe(0);
  }

  /** The secret belongs to this machine: created at the first start, and required on a server. */
  async function proveSecret(choice: TemplateChoice, tree: string, url: string): Promise<void> {
    const { mode } = statSync(join(tree, '.authentication-secret'));
    expect(mode & 0o777).toBe(0o600);
    expect(readFileSync(join(tree, '.gitignore'), 'utf8').split('\n')).toContain('.authentication-secret');
    const onServer = { NODE_ENV: 'production', DATABASE_URL: url, PORT: '0' };
    await expect(run(tree, [entryOf(choice)], onServer)).rejects.toThrow('Set FEATHERS_SECRET');
    const short = run(tree, [entryOf(choice)], { ...onServer, FEATHERS_SECRET: 'short' });
    await expect(short).rejects.toThrow(shortSecret);
  }

  /** Compiles, migrates, runs the application's own tests, starts it and logs in. */
  async function prove(choice: TemplateChoice): Promise<void> {
    const composedTree = composed(choice);
    expect(sharedPackages(version)).toMatchObject(packagesOf(composedTree));
    const tree = writeTree(composedTree, installed);
    const treeDatabase = await createTreeDatabase(choice, tree, mongodb);
    try {
      if (choice.typescript) await run(tree, [program('tsc')]);
      if (treeDatabase === undefined) return;
      const { url } = treeDatabase;
      if (hasMigrations(tree)) {
        const knex = choice.typescript ? [program('tsx'), 'knex.ts'] : [program('knex')];
        await run(tree, [...knex, 'migrate:latest'], { DATABASE_URL: url });
      }
      expect(await run(tree, [program('mocha')], { TEST_DATABASE_URL: url })).toMatch(/\d+ passing/);
      await proveStart(choice, tree, url);
      if (!choice.auth) return;
      await proveProvider(tree, entryOf(choice), url);
      await proveSecret(choice, tree, url);
    } finally {
      await treeDatabase?.drop();
      rmSync(tree, { recursive: true, force: true });
    }
  }

  /** Only node, npm and a shell: packages that need a compiler would fail. */
  async function proveInstall(choice: TemplateChoice): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), `ff-${version}-`));
    const tree = writeTree(composed(choice), folder);
    const treeDatabase = await createTreeDatabase(choice, tree, mongodb);
    try {
      await npm(['install', '--no-audit', '--no-fund'], tree, { PATH: makeBarePath(folder) });
      if (choice.typescript) await npmIn(tree, ['run', 'check']);
      if (treeDatabase === undefined) return;
      if (hasMigrations(tree)) await npmIn(tree, ['run', 'migrate'], { DATABASE_URL: treeDatabase.url });
      expect(await npmIn(tree, ['test'], { TEST_DATABASE_URL: treeDatabase.url })).toMatch(/\d+ passing/);
    } finally {
      await treeDatabase?.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  const note = ({ database, typescript }: TemplateChoice): string => {
    if (database !== 'mongodb' || 'url' in mongodb)
      return `${typescript ? 'compiles, ' : ''}passes its tests, starts and answers`;
    return `${typescript ? 'compiles only' : 'is only written'}, as there is no MongoDB: ${mongodb.reason}`;
  };

  describe(`an application for Feathers ${version}`, () => {
    const fewChoices = few.map(([database, auth, typescript]) => ({ database, auth, typescript, version }));
    for (const choice of isWholeMatrix ? everyChoice(version) : fewChoices)
      test(`on ${nameOf(choice)} ${note(choice)}`, { timeout: 180_000 }, () => prove(choice));

    test('reports the output if it does not compile or its tests fail', { timeout: 600_000 }, async () => {
      const tree = writeTree(composed({ database: 'sqlite', auth: false, typescript: true, version }), installed);
      addFiles(tree, [
        ['src/broken.ts', "export const port: number = 'none';\n"],
        ['test/broken.test.ts', "it('fails', () => { throw new Error('test failure'); });\n"],
      ]);
      await expect(run(tree, [program('tsc')])).rejects.toThrow('src/broken.ts(1,14): error TS2322');
      await expect(run(tree, [program('mocha')])).rejects.toThrow('test failure');
      rmSync(tree, { recursive: true, force: true });
    });

    test.runIf(isWholeMatrix).for(everyChoice(version).filter(({ auth }) => auth))(
      'on $database installs with npm (TypeScript: $typescript) and runs its scripts',
      { timeout: 400_000 },
      proveInstall,
    );
  });
}
