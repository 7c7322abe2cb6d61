import { parse } from '@babel/parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Database, databases } from '../base/base-entries.ts';
import type { GeneratedService } from '../tools/generate-service.ts';
import { whyServiceIsReserved } from './check-service.ts';
import { awkwardFields, everyField } from './fields.fixture.ts';
import { generateService } from './generate-service.ts';
import { requestsFor } from './requests.fixture.ts';
import type { ServiceRequest } from './service-plan.ts';

const messages = (database: Database, fields: ServiceRequest['fields'] = everyField) =>
  generateService({ name: 'messages', database, fields });

/** Parses TypeScript and rejects duplicate declarations. */
const parseFile = (content: string) => parse(content, { sourceType: 'module', plugins: ['typescript'] });

const contentOf = ({ files, name }: GeneratedService, part: string): string =>
  files[`src/services/${name}/${name}.${part}.ts`]?.content ?? '';

describe('[KN17] generate_service', () => {
  it.each(databases)('returns the documented shape for %s', (database) => {
    const answer = messages(database);
    expect(answer).toMatchObject({ name: 'messages', database, fieldCount: everyField.length });
    const kinds = Object.fromEntries(Object.values(answer.files).map(({ path, type }) => [path, type]));
    expect(kinds).toEqual({
      'src/services/messages/messages.service.ts': 'service',
      'src/services/messages/messages.class.ts': 'service',
      'src/services/messages/messages.schema.ts': 'schema',
      'src/services/messages/messages.hooks.ts': 'hooks',
      'src/services/messages/messages.shared.ts': 'schema',
      ...(database === 'mongodb' ? {} : { 'migrations/20200101000000_messages.ts': 'schema' }),
      'test/services/messages/messages.test.ts': 'test',
    });
    for (const [path, file] of Object.entries(answer.files)) {
      expect(file.path).toBe(path);
      expect(file.size).toBe(new TextEncoder().encode(file.content).length);
      expect(file.content).toMatch(/[^\n]\n$/);
      expect(file.content).not.toMatch(/\n{3}|[ \t]\n|undefined;|\bnull;\n\n$/);
    }
  });

  it.each(databases)('writes files that parse, for any valid request on %s', (database) => {
    fc.assert(
      fc.property(requestsFor(database), (request) => {
        for (const { path, content } of Object.values(generateService(request).files))
          expect(() => parseFile(content), path).not.toThrow();
      }),
      { numRuns: 60 },
    );
  });

  it('negative control: rejects a file that does not parse', () => {
    expect(() => parseFile('const a = 1;\nconst a = 2;\n')).toThrow('already been declared');
    expect(() => parseFile('export const class = 1;\n')).toThrow('Unexpected keyword');
  });

  it('returns the same bytes for the same request, without a date', () => {
    fc.assert(
      fc.property(fc.constantFrom(...databases).chain(requestsFor), (request) => {
        expect(JSON.stringify(generateService(request))).toBe(
          JSON.stringify(generateService(structuredClone(request))),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('uses field names only as property names', () => {
    for (const database of databases)
      for (const { path, content } of Object.values(messages(database, awkwardFields).files))
        expect(() => parseFile(content), path).not.toThrow();
  });

  it('avoids name clashes for any service name', () => {
    const words = databases.flatMap((database) =>
      Object.values(messages(database).files).flatMap(({ content }) => content.match(/[A-Za-z_$][\w$]*/g) ?? []),
    );
    const endings = new Set(words.filter((word) => word.startsWith('messages')).map((word) => word.slice(8)));
    const typeEndings = new Set(words.filter((word) => word.startsWith('Messages')).map((word) => word.slice(8)));
    /** The service whose name would clash: for `schemaHooks` it is `schema`. */
    const namesakes = new Set(
      words.flatMap((word) =>
        [...(/^[a-z]/.test(word) ? endings : typeEndings)]
          .filter((ending) => ending !== '' && word.endsWith(ending))
          .map((ending) => word.slice(0, word.length - ending.length))
          .filter((name) => /^[A-Za-z][a-z0-9]*$/.test(name))
          .map((name) => name.toLowerCase()),
      ),
    );
    expect(namesakes).toContain('schema');
    // In TypeScript a type import may share its name with a value; in JavaScript it may not.
    for (const name of [...namesakes].filter((one) => whyServiceIsReserved(one) === undefined))
      for (const database of databases)
        expect(() => generateService({ name, database, fields: everyField, typescript: false }), name).not.toThrow();
  });

  it('maps every field type to a column type', () => {
    const migration = (database: Database) =>
      messages(database).files['migrations/20200101000000_messages.ts']?.content;
    for (const line of [
      "table.text('string');",
      "table.double('numberRequired').notNullable();",
      "table.timestamp('date', { useTz: true });",
      "table.string('objectId', 24);",
      "table.jsonb('arrayRequired').notNullable();",
      "table.unique(['stringUnique'], { indexName: 'messages_stringUnique_unique' });",
    ])
      expect(migration('postgresql')).toContain(line);
    expect(migration('postgresql')).not.toContain("table.unique(['arrayUnique']");
    for (const line of ["table.text('object');", "table.text('date');", "table.unique(['arrayUnique'],"])
      expect(migration('sqlite')).toContain(line);
  });

  it('imports only what it uses', () => {
    const plain = [{ name: 'text', type: 'string', required: true }] as const;
    for (const database of databases) {
      const answer = messages(database, plain);
      expect(contentOf(answer, 'schema')).not.toMatch(/BadRequest|nullable|Conversions/);
      expect(contentOf(answer, 'hooks')).not.toContain('Conflict');
    }
    expect(contentOf(messages('mongodb', plain), 'class')).not.toContain('createIndex');
  });

  it('names the field of a duplicate value from the SQLite message, for any driver', () => {
    const [, pattern = ''] = /= \/(UNIQUE .*)\/\.exec/.exec(contentOf(messages('sqlite'), 'hooks')) ?? [];
    const fieldIn = (said: string) => new RegExp(pattern).exec(said)?.[1];
    const statement = "Error: insert into `messages` (`title`) values ('UNIQUE constraint failed: a.b') - ";
    expect(fieldIn(`${statement}UNIQUE constraint failed: messages.title`)).toBe('title');
    expect(fieldIn(`${statement}SQLITE_CONSTRAINT: UNIQUE constraint failed: messages.title`)).toBe('title');
    expect(fieldIn(`${statement}NOT NULL constraint failed: messages.title`)).toBeUndefined();
  });

  it('keeps index names short and unique', () => {
    const long = (letter: string) => ({ name: letter.repeat(60), type: 'string', unique: true }) as const;
    const { files } = generateService({ name: 'n'.repeat(50), database: 'postgresql', fields: [long('a'), long('b')] });
    const text = Object.values(files).find(({ path }) => path.startsWith('migrations/'))?.content ?? '';
    const indexes = [...text.matchAll(/indexName: '(\w+)'/g)].map(([, name = '']) => name);
    expect(indexes).toHaveLength(2);
    expect(new Set(indexes).size).toBe(2);
    for (const name of indexes) expect(name.length).toBeLessThanOrEqual(63);
  });

  it('lists edits for other applications and notes for the reader', () => {
    const { edits, notes } = messages('mongodb');
    expect(edits.map(({ file }) => file)).toEqual([
      'src/services/index.ts',
      'src/declarations.ts',
      'src/app.ts',
      'src/services/messages/messages.class.ts',
      'src/validators.ts',
      'src/client.ts',
      'package.json',
      'src/services/messages/messages.hooks.ts',
    ]);
    for (const edit of edits) for (const said of Object.values(edit)) expect(said).not.toBe('');
    expect(notes[0]).toBe(
      'The files are for Feathers v5, in TypeScript; they do not fit a v4 application. For one in JavaScript ask again with typescript: false.',
    );
    expect(notes.join(' ')).not.toContain('migrate');
    expect(messages('sqlite').notes.join(' ')).toContain('npm run migrate');
    const users = generateService({ name: 'users', database: 'sqlite', fields: everyField });
    expect(users.notes.join(' ')).toContain('has a service users already');
  });
});
