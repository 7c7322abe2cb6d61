import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Json, type KnowledgeProgram, openKnowledge } from './knowledge-program.ts';

interface Generated {
  readonly name: string;
  readonly database: string;
  readonly fieldCount: number;
  readonly files: Readonly<Record<string, { path: string; content: string; type: string; size: number }>>;
  readonly edits: readonly { file: string; why: string; change: string }[];
  readonly notes: readonly string[];
}

let program: KnowledgeProgram;
beforeAll(async () => {
  program = await openKnowledge({ FOURFOLD_TOOLSETS: 'knowledge' });
});
afterAll(() => program.close());

const text = { name: 'text', type: 'string', required: true };
const request = { name: 'messages', database: 'sqlite', fields: [text] };
const generate = (args: Json) => program.call<Generated>('generate_service', args);

/** The documented schema, without parts that cost clients tokens. */
const documented = {
  name: { type: 'string' },
  database: { type: 'string', enum: ['mongodb', 'postgresql', 'sqlite'] },
  fields: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        type: { type: 'string', enum: ['string', 'number', 'boolean', 'date', 'objectId', 'array', 'object'] },
        required: { type: 'boolean' },
        unique: { type: 'boolean' },
      },
      required: ['name', 'type'],
    },
  },
};
/** In addition to the documented schema. */
const extra = { typescript: { type: 'boolean' } };

describe('generate_service, through a real client', () => {
  test('is listed with the documented schema', async () => {
    const { tools } = await program.client.listTools();
    const { inputSchema, annotations } = tools.find(({ name }) => name === 'generate_service')!;
    expect(inputSchema.properties).toMatchObject({ ...documented, ...extra });
    expect(inputSchema.required).toEqual(['name', 'database', 'fields']);
    expect(annotations).toMatchObject({ readOnlyHint: true });
  });

  it.each(['mongodb', 'postgresql', 'sqlite'])('returns the documented payload for %s', async (database) => {
    const fields = documented.fields.items.properties.type.enum.map((type, at) => ({
      name: `field${at}`,
      type,
      ...(at % 2 === 0 ? { required: true } : { unique: true }),
    }));
    const answer = await generate({ name: 'Team Messages', database, fields });
    expect(answer).toMatchObject({ name: 'teammessages', database, fieldCount: fields.length });
    expect(Object.keys(answer).toSorted()).toEqual(['database', 'edits', 'fieldCount', 'files', 'name', 'notes']);
    const at = (part: string) => `src/services/teammessages/teammessages.${part}.ts`;
    const kinds: Readonly<Record<string, string>> = {
      [at('service')]: 'service',
      [at('class')]: 'service',
      [at('schema')]: 'schema',
      [at('hooks')]: 'hooks',
      [at('shared')]: 'schema',
      ...(database === 'mongodb' ? {} : { 'migrations/20200101000000_teammessages.ts': 'schema' }),
      'test/services/teammessages/teammessages.test.ts': 'test',
    };
    expect(Object.keys(answer.files).toSorted()).toEqual(Object.keys(kinds).toSorted());
    for (const [path, type] of Object.entries(kinds)) {
      const file = answer.files[path]!;
      expect(Object.keys(file).toSorted()).toEqual(['content', 'path', 'size', 'type']);
      expect(file).toMatchObject({ path, type, size: Buffer.byteLength(file.content) });
    }
    for (const { name } of fields) expect(answer.files[at('schema')]!.content).toContain(`    ${name}: `);
    expect(answer.edits[0]).toEqual({
      file: 'src/services/index.ts',
      why: expect.any(String),
      change: expect.any(String),
    });
    expect(answer.notes.length).toBeGreaterThan(0);
  });

  it.each(['mongodb', 'postgresql', 'sqlite'])('returns JavaScript for %s on request', async (database) => {
    const typed = await generate({ ...request, database, typescript: true });
    const plain = await generate({ ...request, database, typescript: false });
    expect(await generate({ ...request, database })).toEqual(typed);
    expect(Object.keys(plain).toSorted()).toEqual(Object.keys(typed).toSorted());
    expect(Object.keys(plain.files)).toEqual(Object.keys(typed.files).map((path) => path.replace(/\.ts$/, '.js')));
    for (const [path, file] of Object.entries(plain.files)) {
      expect(file).toMatchObject({ path, type: typed.files[path.replace(/\.js$/, '.ts')]!.type });
      expect(file.size).toBe(Buffer.byteLength(file.content));
      expect(file.content).not.toMatch(/import type|interface |: Application|as const/);
    }
    expect(plain.files['src/services/messages/messages.class.js']!.content).toMatch(
      /^export class MessagesService extends (?:Knex|MongoDB)Service \{\}$/m,
    );
    expect(plain.edits[0]!.file).toBe('src/services/index.js');
  });

  it('is deterministic and allows extra properties of fields', async () => {
    const first = await generate(request);
    expect(await generate(request)).toEqual(first);
    expect(await generate({ ...request, fields: [{ ...text, description: 'what was said', default: 1 }] })).toEqual(
      first,
    );
  });

  it('returns its payload as JSON text', async () => {
    const { content } = (await program.client.callTool({ name: 'generate_service', arguments: request })) as {
      content: readonly { type: string; text: string }[];
    };
    expect(content).toHaveLength(1);
    expect(JSON.parse(content[0]!.text)).toMatchObject({ name: 'messages', database: 'sqlite', fieldCount: 1 });
  });

  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `f${at}`, type: 'string' }));
  const named = (...names: readonly string[]) => ({ fields: names.map((name) => ({ name, type: 'string' })) });

  it.each([
    ['no name', { name: undefined }, 'name'],
    ['a name that is not a string', { name: 5 }, 'name'],
    ['an empty name', { name: '' }, 'has no letter a-z and no digit; give one'],
    ['a name of symbols', { name: '!?$' }, 'has no letter a-z and no digit; give one'],
    ['a path', { name: '../../etc/passwd' }, 'looks like a path; give one word'],
    ['__proto__', { name: '__proto__' }, 'is reserved'],
    ['constructor', { name: 'constructor' }, 'is reserved'],
    ['service', { name: 'service' }, 'is reserved'],
    ['a word of JavaScript', { name: 'class' }, 'is reserved'],
    ['a name that is too long', { name: 'n'.repeat(100_000) }, 'give at most 50'],
    ['an unknown database', { database: 'mysql' }, 'database'],
    ['no database', { database: undefined }, 'database'],
    ['no fields', { fields: undefined }, 'fields'],
    ['an empty list of fields', { fields: [] }, 'has no fields; give at least one'],
    ['fields that are not an array', { fields: { text } }, 'fields'],
    ['500 fields', { fields: many(500) }, 'has 500 fields; give at most 100'],
    ['an unknown type', { fields: [{ name: 'text', type: 'text' }] }, 'type'],
    ['a field without a type', { fields: [{ name: 'text' }] }, 'type'],
    ['a field without a name', { fields: [{ type: 'string' }] }, 'name'],
    ['a field that is not an object', { fields: ['text'] }, 'fields'],
    ['required that is not a boolean', { fields: [{ ...text, required: 'yes' }] }, 'required'],
    ['two fields of one name', named('text', 'text'), 'occurs twice; give each name once'],
    ['two fields that differ by case', named('text', 'Text'), 'are one column in SQLite'],
    ['the key as a field', named('id'), 'is reserved'],
    ['__proto__ as a field', named('__proto__'), 'is reserved'],
    ['an operator as a field', named('$limit'), 'cannot be used; begin with a letter'],
    ['SQL in a field', named("x'); drop table users; --"), 'cannot be used; begin with a letter'],
    ['typescript that is not a boolean', { typescript: 'no' }, 'typescript'],
    ['an argument that is not known', { colour: 'red' }, 'colour'],
  ])('rejects %s with a one-line message', async (_what, change, said) => {
    const args = Object.fromEntries(
      Object.entries({ ...request, ...change }).filter(([, value]) => value !== undefined),
    );
    const line = await program.fail('generate_service', args);
    expect(line).toMatch(/^Error: .{10,400}$/);
    expect(line).toContain(said);
  });

  it('still works after all of that', async () => {
    expect((await generate({ ...request, name: '2fa' })).name).toBe('_2fa');
    expect((await generate({ ...request, name: 'select', ...named('order', 'from') })).fieldCount).toBe(2);
  });
});
