import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '#domains/knowledge/base/base-entries.ts';
import { awkwardFields, everyField, mostFields } from '#domains/knowledge/services/fields.fixture.ts';
import { generateService } from '#domains/knowledge/services/generate-service.ts';
import { sampleRequests } from '#domains/knowledge/services/requests.fixture.ts';
import type { ServiceRequest } from '#domains/knowledge/services/service-plan.ts';
import type { TemplateChoice } from '#domains/knowledge/templates/compose-template.ts';
import { stripTypes } from '#domains/knowledge/templates/strip-types.ts';
import type { GeneratedService } from '#domains/knowledge/tools/generate-service.ts';
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
import { checkFormat } from './tree-format.ts';

const choice = (database: TemplateChoice['database'], auth: boolean, typescript = true): TemplateChoice => ({
  database,
  auth,
  typescript,
  version: 'v5',
});

/** One per database, with and without authentication, and one in JavaScript. */
const few = [
  choice('sqlite', true),
  choice('postgresql', false),
  choice('mongodb', true),
  choice('sqlite', false, false),
];

// Needed before the tests are named: a name says if the application was only compiled.
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
const knex = ({ typescript }: TemplateChoice, tree: string, command: string, env: NodeJS.ProcessEnv) =>
  typescript ? tsx(tree, ['knex.ts', command], env) : run(tree, [program('knex/bin/cli.js'), command], env);

const contents = ({ files }: GeneratedService): readonly (readonly [string, string])[] =>
  Object.values(files).map(({ path, content }) => [path, content] as const);

/** The application with the services written over it, without other edits. */
function makeTree(of: TemplateChoice, services: readonly Pick<ServiceRequest, 'name' | 'fields'>[]): string {
  const tree = writeTree(composed(of), installed);
  trees.push(tree);
  const { database, typescript } = of;
  for (const service of services) addFiles(tree, contents(generateService({ ...service, database, typescript })));
  return tree;
}

interface TreeDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A separate database. Undefined without a server for it. */
async function makeDatabase(
  { database, auth, typescript }: TemplateChoice,
  tree: string,
): Promise<TreeDatabase | undefined> {
  if (database === 'postgresql') return createTestDatabase();
  if (database === 'sqlite') return { url: join(tree, 'matrix.sqlite'), drop: async () => {} };
  if (!('url' in mongodb)) return undefined;
  return { url: `${mongodb.url}/services_${auth}_${typescript}_${process.pid}`, drop: async () => {} };
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
  // In addition to the users of an application with authentication.
  { name: 'user', fields: [{ name: 'email', type: 'string', unique: true } as const] },
];

/** Types, functions and variables that the generated files use. */
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

/** Compiles, migrates up and down, and runs the tests of the application and its services. */
async function prove(of: TemplateChoice): Promise<void> {
  const tree = makeTree(of, mixed);
  addFiles(tree, [of.typescript ? ['test/edges.test.ts', edgesTest] : ['test/edges.test.js', stripTypes(edgesTest)]]);
  const treeDatabase = await makeDatabase(of, tree);
  try {
    if (of.typescript) await tsc(tree);
    if (treeDatabase === undefined) return;
    const { url } = treeDatabase;
    if (of.database !== 'mongodb') {
      const env = { DATABASE_URL: url };
      const migrated = await knex(of, tree, 'migrate:latest', env);
      expect(migrated).toContain(`Batch 1 run: ${of.auth ? 6 : 5} migrations`);
      expect(await knex(of, tree, 'migrate:rollback', env)).toContain('Batch 1 rolled back');
    }
    const said = await mocha(tree, url);
    for (const service of ['everything', 'order', '_2fa', 'edges', 'user'])
      expect(said).toContain(`the ${service} service`);
    expect(said).toContain('values at the edge');
    expect(said).toMatch(/\d{3} passing/);
  } finally {
    await treeDatabase?.drop();
  }
}

describe('[KN17] services written over an application', () => {
  const what = ({ database, typescript }: TemplateChoice): string => {
    if (database !== 'mongodb' || 'url' in mongodb)
      return `${typescript ? 'compile, migrate' : 'migrate'} and pass their tests`;
    return `${typescript ? 'only compile' : 'are only written'}, as there is no MongoDB: ${mongodb.reason}`;
  };
  for (const of of isWholeMatrix ? everyChoice('v5') : few)
    test(`on ${nameOf(of)} ${what(of)}`, { timeout: 600_000 }, () => prove(of));

  test.each(databases)(
    'with any fields compile on %s, also under stricter settings',
    { timeout: 600_000 },
    async (database) => {
      const named = awkwardNames.map((name) => ({ name, fields: notes.fields }));
      const sampled = sampleRequests(database, isWholeMatrix ? 40 : 8);
      const tree = makeTree(choice(database, false), [{ name: 'most', fields: mostFields }, ...named, ...sampled]);
      rmSync(join(tree, 'test/app.test.ts'));
      const strict = ['noUnusedLocals', 'noUnusedParameters', 'noUncheckedIndexedAccess', 'exactOptionalPropertyTypes'];
      await tsc(tree, ...strict.map((flag) => `--${flag}`));
    },
  );

  test('negative control: reports a type error and a failing test', {
    timeout: 600_000,
  }, async () => {
    const of = choice('sqlite', false);
    const tree = makeTree(of, [notes]);
    const { files } = generateService({ ...notes, database: 'sqlite' });
    const change = (path: string, from: string, to: string) => {
      const { content } = files[path]!;
      expect(content).toContain(from);
      return [path, content.replace(from, to)] as const;
    };
    const url = join(tree, 'broken.sqlite');
    addFiles(tree, [change('src/services/notes/notes.class.ts', "name: 'notes'", 'name: 5')]);
    await expect(tsc(tree)).rejects.toThrow('src/services/notes/notes.class.ts');
    addFiles(tree, contents(generateService({ ...notes, database: 'sqlite' })));
    addFiles(tree, [change('src/services/notes/notes.hooks.ts', '[answerErrors, ', '[')]);
    await expect(mocha(tree, `${url}-1`)).rejects.toThrow('lets no two records have the same title');
    addFiles(tree, contents(generateService({ ...notes, database: 'sqlite' })));
    addFiles(tree, [change('src/services/notes/notes.schema.ts', 'done: Boolean, ', '')]);
    await expect(mocha(tree, `${url}-2`)).rejects.toThrow('answers what it was given');
  });

  test.each([true, false])(
    'are registered by the first edit if folders are not scanned (TypeScript: %s)',
    { timeout: 600_000 },
    async (typescript) => {
      // Names that already exist there.
      const service = { ...notes, name: 'app' };
      const tree = makeTree(choice('sqlite', false, typescript), [service]);
      const [edit] = generateService({ ...service, database: 'sqlite', typescript }).edits;
      const [, statement, call] = /^(import .*?;) and in services\(\): (app\..*;)$/.exec(edit!.change)!;
      const head = "import type { Application } from '../declarations.js';";
      const body = `export const services = async (app: Application) => {\n  ${call}\n};\n`;
      const index = `${head}\n${statement}\n\n${body}`;
      addFiles(tree, [[edit!.file, typescript ? index : stripTypes(index)]]);
      if (typescript) await tsc(tree);
      expect(await mocha(tree, join(tree, 'edited.sqlite'))).toContain('the app service');
    },
  );

  test('negative control: reports a remaining type and a wrong import in JavaScript', {
    timeout: 600_000,
  }, async () => {
    const tree = makeTree(choice('sqlite', false, false), [notes]);
    const { files } = generateService({ ...notes, database: 'sqlite', typescript: false });
    const path = 'src/services/notes/notes.class.js';
    const { content } = files[path]!;
    const url = join(tree, 'broken.sqlite');
    addFiles(tree, [[path, content.replace('(app)', '(app: Application)')]]);
    await expect(mocha(tree, url)).rejects.toThrow(/SyntaxError|Unexpected token/);
    addFiles(tree, [[path, `import '../../declarations.js';\n${content}`]]);
    await expect(mocha(tree, url)).rejects.toThrow('declarations.js');
  });

  test('are formatted, in both languages', async () => {
    const plain = [{ name: 'score', type: 'number' } as const];
    const asked = [notes, { name: 'everything', fields: everyField }, { name: 'elephants', fields: plain }];
    const written = databases.flatMap((database) =>
      [true, false].map((typescript) => ({
        files: new Map(asked.flatMap((one) => contents(generateService({ ...one, database, typescript })))),
      })),
    );
    expect(await checkFormat(written)).toContain('No fixes applied');
  });

  test('answer over HTTP and require a login after the corresponding edit', { timeout: 600_000 }, async () => {
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
    const hooks = files[path]!.content.replace('all: [answerErrors', "all: [authenticate('jwt'), answerErrors");
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
