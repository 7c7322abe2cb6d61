import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GeneratedService, generateService } from '#domains/knowledge/services/generate-service.ts';
import { awkwardFields, everyField, mostFields } from '#domains/knowledge/services/planted-fields.ts';
import { sampleRequests } from '#domains/knowledge/services/planted-requests.ts';
import type { ServiceRequest } from '#domains/knowledge/services/service-request.ts';
import { databases, type TemplateChoice } from '#domains/knowledge/templates/template-choice.ts';
import { startMongodb } from '#tests/support/mongodb/start-mongodb.ts';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import {
  addFiles,
  composed,
  everyChoice,
  installOnce,
  isWholeMatrix,
  nameOf,
  run,
  startTree,
  writeTree,
} from './harness.ts';
import { edges, edgesTest } from './services-edges.ts';

const choice = (database: TemplateChoice['database'], auth: boolean, typescript = true): TemplateChoice => ({
  database,
  auth,
  typescript,
  version: 'v5',
});

/** One a database, with and without authentication among them. */
const few = [choice('sqlite', true), choice('postgresql', false), choice('mongodb', true)];
const all = everyChoice('v5').filter(({ typescript }) => typescript);

// Before the tests are named: the name of one says when it could only be compiled.
const mongodb = await startMongodb();
let installed: string;
const trees: string[] = [];

beforeAll(async () => {
  installed = await installOnce('v5');
}, 300_000);

afterAll(async () => {
  for (const tree of trees) rmSync(tree, { recursive: true, force: true });
  await mongodb.stop();
});

const program = (path: string): string => join(installed, 'node_modules', path);
const tsc = (tree: string, ...args: readonly string[]) => run(tree, [program('typescript/bin/tsc'), ...args]);
const mocha = (tree: string, url: string) => run(tree, [program('mocha/bin/mocha.js')], { TEST_DATABASE_URL: url });
const tsx = (tree: string, args: readonly string[], env: NodeJS.ProcessEnv) =>
  run(tree, [program('tsx/dist/cli.mjs'), ...args], env);

const contents = ({ files }: GeneratedService): readonly (readonly [string, string])[] =>
  Object.values(files).map(({ path, content }) => [path, content] as const);

/** The application with the services written over it, and no other edit. */
function makeTree(of: TemplateChoice, services: readonly Pick<ServiceRequest, 'name' | 'fields'>[]): string {
  const tree = writeTree(composed(of), installed);
  trees.push(tree);
  for (const service of services) addFiles(tree, contents(generateService({ ...service, database: of.database })));
  return tree;
}

interface Place {
  readonly url: string;
  drop(): Promise<void>;
}

/** A database of its own; undefined where there is no server for it. */
async function makeDatabase({ database, auth }: TemplateChoice, tree: string): Promise<Place | undefined> {
  if (database === 'postgresql') return createTestDatabase();
  if (database === 'sqlite') return { url: join(tree, 'matrix.sqlite'), drop: async () => {} };
  if (!('url' in mongodb)) return undefined;
  return { url: `${mongodb.url}/services_${auth}_${process.pid}`, drop: async () => {} };
}

const notes: Pick<ServiceRequest, 'name' | 'fields'> = {
  name: 'notes',
  fields: [
    { name: 'title', type: 'string', required: true, unique: true },
    { name: 'score', type: 'number' },
    { name: 'done', type: 'boolean' },
    { name: 'due', type: 'date' },
    { name: 'owner', type: 'objectId' },
    { name: 'tags', type: 'array' },
  ],
};
const mixed = [
  { name: 'everything', fields: everyField },
  { name: 'order', fields: awkwardFields },
  edges,
  { name: '2fa', fields: [{ name: 'code', type: 'string', required: true } as const] },
];

/** Types, functions and variables that the files themselves name. */
const awkwardNames = [
  'type',
  'query',
  'data',
  'record',
  'date',
  'app',
  'create',
  'object',
  'hook',
  'validate',
  'mongodb',
];

/** Compiles, migrates there and back, and runs the tests of the application and of its services. */
async function prove(of: TemplateChoice): Promise<void> {
  const tree = makeTree(of, mixed);
  addFiles(tree, [['test/edges.test.ts', edgesTest]]);
  const place = await makeDatabase(of, tree);
  try {
    await tsc(tree);
    if (place === undefined) return;
    const { url } = place;
    if (of.database !== 'mongodb') {
      const env = { DATABASE_URL: url };
      const migrated = await tsx(tree, ['knex.ts', 'migrate:latest'], env);
      expect(migrated).toContain(`Batch 1 run: ${of.auth ? 5 : 4} migrations`);
      expect(await tsx(tree, ['knex.ts', 'migrate:rollback'], env)).toContain('Batch 1 rolled back');
    }
    const said = await mocha(tree, url);
    for (const service of ['everything', 'order', '_2fa', 'edges']) expect(said).toContain(`the ${service} service`);
    expect(said).toContain('values at the edge');
    expect(said).toMatch(/\d{3} passing/);
  } finally {
    await place?.drop();
  }
}

describe('[KN17] services that are written over an application', () => {
  const what = ({ database }: TemplateChoice): string => {
    if (database !== 'mongodb' || 'url' in mongodb) return 'compile, migrate and pass their tests';
    return `only compile, as there is no MongoDB: ${mongodb.reason}`;
  };
  for (const of of isWholeMatrix ? all : few)
    test(`on ${nameOf(of)} ${what(of)}`, { timeout: 240_000 }, () => prove(of));

  test.each(databases)(
    'of any fields compile on %s, under stricter settings too',
    { timeout: 240_000 },
    async (database) => {
      const named = awkwardNames.map((name) => ({ name, fields: notes.fields }));
      const sampled = sampleRequests(database, isWholeMatrix ? 40 : 8);
      const tree = makeTree(choice(database, false), [{ name: 'most', fields: mostFields }, ...named, ...sampled]);
      rmSync(join(tree, 'test/app.test.ts'));
      const strict = ['noUnusedLocals', 'noUnusedParameters', 'noUncheckedIndexedAccess', 'exactOptionalPropertyTypes'];
      await tsc(tree, ...strict.map((flag) => `--${flag}`));
    },
  );

  test('are not taken for good when one has a fault of types, or its test finds something', {
    timeout: 120_000,
  }, async () => {
    const of = choice('sqlite', false);
    const tree = makeTree(of, [notes]);
    const { files } = generateService({ ...notes, database: 'sqlite' });
    const change = (path: string, from: string, to: string) => {
      const { content } = files[path]!;
      expect(content).toContain(from);
      return [path, content.replace(from, to)] as const;
    };
    const url = join(tree, 'planted.sqlite');
    addFiles(tree, [change('src/services/notes/notes.class.ts', "name: 'notes'", 'name: 5')]);
    await expect(tsc(tree)).rejects.toThrow('src/services/notes/notes.class.ts');
    addFiles(tree, contents(generateService({ ...notes, database: 'sqlite' })));
    addFiles(tree, [change('src/services/notes/notes.hooks.ts', '      answerErrors,\n', '')]);
    await expect(mocha(tree, `${url}-1`)).rejects.toThrow('lets no two records have the same title');
    addFiles(tree, contents(generateService({ ...notes, database: 'sqlite' })));
    addFiles(tree, [change('src/services/notes/notes.schema.ts', 'done: Boolean, ', '')]);
    await expect(mocha(tree, `${url}-2`)).rejects.toThrow('answers what it was given');
  });

  test('are registered by the first edit in an application that does not look for folders', {
    timeout: 120_000,
  }, async () => {
    const of = choice('sqlite', false);
    const tree = makeTree(of, [notes]);
    const [edit] = generateService({ ...notes, database: 'sqlite' }).edits;
    const [, statement, call] = /^(import .*?;) and in services\(\): (app\..*;)$/.exec(edit!.change)!;
    const head = "import type { Application } from '../declarations.js';";
    const body = `export const services = async (app: Application) => {\n  ${call}\n};\n`;
    addFiles(tree, [[edit!.file, `${head}\n${statement}\n\n${body}`]]);
    await tsc(tree);
    expect(await mocha(tree, join(tree, 'edited.sqlite'))).toContain('the notes service');
  });

  test('can be written as JavaScript by the command of an edit', { timeout: 120_000 }, async () => {
    const tree = makeTree(choice('sqlite', false, false), [notes]);
    const { edits, files } = generateService({ ...notes, database: 'sqlite' });
    const { change } = edits.find(({ why }) => why.includes('JavaScript'))!;
    const [, args] = /^npx esbuild (.*); then delete/.exec(change)!;
    await run(tree, [program('esbuild/bin/esbuild'), ...args!.split(' ')]);
    for (const path of Object.keys(files)) rmSync(join(tree, path));
    expect(await mocha(tree, join(tree, 'plain.sqlite'))).toContain('the notes service');
  });

  test('can be asked over HTTP, and need a login after the edit for it', { timeout: 120_000 }, async () => {
    const of = choice('sqlite', true);
    const tree = makeTree(of, [notes]);
    const env = { DATABASE_URL: join(tree, 'http.sqlite') };
    await tsx(tree, ['knex.ts', 'migrate:latest'], env);
    const send = async (url: string, body: object, token = '') => {
      const headers = {
        'Content-Type': 'application/json',
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
      };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const note = {
      title: 'one',
      score: 0.5,
      done: false,
      due: '2024-01-31T23:00:00+02:00',
      owner: 'A'.repeat(24),
      tags: [],
    };

    const open = await startTree(tree, [program('tsx/dist/cli.mjs'), 'src/index.ts'], env);
    try {
      const { status, body } = await send(`${open.url}/notes`, note);
      expect(status).toBe(201);
      expect(body).toEqual({ ...note, id: 1, due: '2024-01-31T21:00:00.000Z', owner: 'a'.repeat(24) });
      expect(await send(`${open.url}/notes`, note)).toMatchObject({
        status: 409,
        body: { data: { fields: ['title'] } },
      });
      expect((await send(`${open.url}/notes`, { ...note, id: 7 })).status).toBe(400);
      expect((await send(`${open.url}/notes`, [{ ...note, title: 'two' }])).status).toBe(405);
      const totalOf = async (query: string) => {
        const answer = await fetch(`${open.url}/notes?${query}`);
        return ((await answer.json()) as { total?: number; code?: number }).total ?? answer.status;
      };
      expect(await totalOf('done=false&score=0.5&due=2024-01-31T21:00:00Z')).toBe(1);
      expect(await totalOf('due[$gt]=2024-02-01T00:00:00%2B03:00')).toBe(0);
      expect(await totalOf(`owner=${'A'.repeat(24)}&$select[]=tags&$sort[due]=-1`)).toBe(1);
      expect(await totalOf('$or[0][done]=true&$or[1][due][$lte]=2024-01-31T22:00:00%2B01:00')).toBe(1);
      expect(await totalOf('done=true')).toBe(0);
      expect(await totalOf('tags=1')).toBe(400);
      expect(await totalOf('due=yesterday')).toBe(400);
      expect(await totalOf('title[$regex]=o')).toBe(400);
      expect(await totalOf('$select[]=password')).toBe(400);
    } finally {
      expect(await open.stop()).toBe(0);
    }

    const { files, edits } = generateService({ ...notes, database: 'sqlite' });
    const path = 'src/services/notes/notes.hooks.ts';
    const { change } = edits.find(({ file }) => file === path)!;
    const statement = /^(import .*?;)/.exec(change)![1]!;
    const hooks = files[path]!.content.replace('    all: [\n', "    all: [\n      authenticate('jwt'),\n");
    addFiles(tree, [[path, `${statement}\n${hooks}`]]);
    await tsc(tree);
    expect(await mocha(tree, join(tree, 'guarded.sqlite'))).toContain('the notes service');
    const guarded = await startTree(tree, [program('tsx/dist/cli.mjs'), 'src/index.ts'], env);
    try {
      expect((await fetch(`${guarded.url}/notes`)).status).toBe(401);
      const user = { email: 'one@example.com', password: 'long enough' };
      await send(`${guarded.url}/users`, user);
      const { body } = await send(`${guarded.url}/authentication`, { strategy: 'local', ...user });
      expect((await send(`${guarded.url}/notes`, { title: 'mine' }, String(body['accessToken']))).status).toBe(201);
    } finally {
      expect(await guarded.stop()).toBe(0);
    }
  });
});
