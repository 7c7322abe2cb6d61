import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { makeFolder } from '#tests/support/program.ts';
import { type Json, type KnowledgeProgram, openKnowledge } from './knowledge-program.ts';

interface Template {
  readonly error?: string;
  readonly dependencies: readonly string[];
  readonly featureFlags: readonly string[];
  readonly files: Readonly<Record<string, { readonly path: string; readonly content: string; readonly size: number }>>;
}

let program: KnowledgeProgram;
beforeAll(async () => {
  program = await openKnowledge({ FOURFOLD_TOOLSETS: 'knowledge' });
});
afterAll(() => program.close());

const template = (args: Json, from = program) => from.call<Template>('get_feathers_template', args);
const pathsOf = ({ files }: Template) => Object.keys(files);

describe('get_feathers_template', () => {
  test('is listed with the documented schema', async () => {
    const { tools } = await program.client.listTools();
    const { inputSchema } = tools.find(({ name }) => name === 'get_feathers_template')!;
    expect(inputSchema).toMatchObject({ type: 'object', required: ['database'] });
    expect(inputSchema.properties).toEqual({
      database: { type: 'string', enum: ['mongodb', 'postgresql', 'sqlite'] },
      auth: { type: 'boolean' },
      typescript: { type: 'boolean' },
      version: { type: 'string', enum: ['v4', 'v5', 'both'] },
    });
  });

  it('[KN15] returns the files of a tree by path, with their sizes', async () => {
    const { dependencies, featureFlags, files, ...rest } = await template({ database: 'postgresql', auth: true });
    expect(rest).toEqual({ database: 'postgresql', auth: true, typescript: true, version: 'v5' });
    for (const [path, file] of Object.entries(files)) {
      expect(file).toEqual({ path, content: file.content, size: new TextEncoder().encode(file.content).length });
    }
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'src/app.ts', 'config/test.json', 'test/app.test.ts']),
    );
    const { content } = files['package.json']!;
    const { dependencies: packages, devDependencies } = JSON.parse(content) as Record<string, object>;
    expect(dependencies).toEqual([...Object.keys(packages!), ...Object.keys(devDependencies!)].toSorted());
    expect(featureFlags).toEqual(expect.arrayContaining(['koa', 'socketio', 'knex', 'postgresql', 'authentication']));
  });

  it('defaults to TypeScript, version 5 and no authentication', async () => {
    const answer = await template({ database: 'sqlite' });
    expect(answer).toMatchObject({ database: 'sqlite', auth: false, typescript: true, version: 'v5' });
    expect(pathsOf(answer).some((path) => path.includes('users'))).toBe(false);
  });

  it('returns no TypeScript if JavaScript was requested', async () => {
    const answer = await template({ database: 'mongodb', auth: true, typescript: false });
    expect(answer).toMatchObject({ typescript: false });
    expect(pathsOf(answer).filter((path) => path.endsWith('.ts'))).toEqual([]);
    expect(answer.dependencies).not.toContain('typescript');
  });

  it('prefers version 5 for both and echoes both', async () => {
    const { version: _both, ...both } = { version: '', ...(await template({ database: 'sqlite', version: 'both' })) };
    const { version: _v5, ...v5 } = { version: '', ...(await template({ database: 'sqlite' })) };
    expect(await template({ database: 'sqlite', version: 'both' })).toMatchObject({ version: 'both' });
    expect(both).toEqual(v5);
    expect((await template({ database: 'sqlite', version: 'v4' })).featureFlags).toContain('express');
  });

  it.each([
    ['an unknown database', { database: 'oracle' }, /^Error: .*database/],
    ['no database', {}, /^Error: .*database/],
    ['an unknown version', { database: 'sqlite', version: 'all' }, /^Error: .*version/],
    ['a text for a boolean', { database: 'sqlite', auth: 'yes' }, /^Error: .*auth/],
    ['an unknown argument', { database: 'sqlite', language: 'js' }, /^Error: .*language/],
  ])('rejects %s', async (_what, args, message) => {
    expect(await program.fail('get_feathers_template', args)).toMatch(message);
  });
});

describe("get_feathers_template with a user's knowledge base", () => {
  const { folder, remove } = makeFolder();
  let own: KnowledgeProgram;

  const put = (id: string, more: Json) => {
    const fragment = { id, title: id, version: 'v5', ...more };
    writeFileSync(join(folder, 'templates', `${id}.json`), JSON.stringify([fragment]));
  };

  beforeAll(async () => {
    mkdirSync(join(folder, 'templates'));
    // Replaces the shipped fragment and matches nothing.
    put('v5-mongodb', { databases: ['none'] });
    put('company', { requires: ['v5-base'], featureFlags: ['company'], files: { 'COMPANY.md': '# Größe\n' } });
    put('broken', {
      databases: ['postgresql'],
      requires: ['v5-sql'],
      files: { 'src/app.ts': '// <<nowhere>>\na();\n' },
    });
    own = await openKnowledge({ FOURFOLD_KNOWLEDGE_DIRS: folder });
  });
  afterAll(async () => {
    await own.close();
    remove();
  });

  it("includes what a user's fragment adds", async () => {
    const { featureFlags, files } = await template({ database: 'sqlite' }, own);
    expect(featureFlags).toContain('company');
    expect(files['COMPANY.md']).toEqual({ path: 'COMPANY.md', content: '# Größe\n', size: 10 });
  });

  it('[KN16] returns the documented no-match payload, which is not an error', async () => {
    expect(await template({ database: 'mongodb', typescript: false }, own)).toEqual({
      error: 'No matching templates found for the specified configuration',
      database: 'mongodb',
      auth: false,
      typescript: false,
      version: 'v5',
    });
    expect(await template({ database: 'mongodb', version: 'both' }, own)).toMatchObject({ version: 'both' });
  });

  it('names a broken fragment', async () => {
    expect(await own.fail('get_feathers_template', { database: 'postgresql' })).toMatch(
      /^Error: .*broken.*src\/app\.ts.*the file has no slot nowhere/,
    );
  });
});
