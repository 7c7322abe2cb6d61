import { stripTypeScriptTypes } from 'node:module';
import { parse } from '@babel/parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Database, databases } from '../base/base-entries.ts';
import { awkwardFields, everyField, mostFields } from './fields.fixture.ts';
import { generateService, type ServiceFile } from './generate-service.ts';
import { requestsFor } from './requests.fixture.ts';
import type { ServiceRequest } from './service-plan.ts';

const filesOf = (request: ServiceRequest): readonly ServiceFile[] => Object.values(generateService(request).files);
const inJavaScript = (request: ServiceRequest) => filesOf({ ...request, typescript: false });

/** Parses JavaScript, where a type is an error. Drops positions and parentheses. */
function read(content: string): unknown {
  const { program } = parse(content, { sourceType: 'module', attachComment: false });
  const places = new Set(['start', 'end', 'loc', 'extra']);
  return JSON.parse(JSON.stringify(program, (key, value: unknown) => (places.has(key) ? undefined : value)));
}

const twins = (request: ServiceRequest): readonly (readonly [typed: ServiceFile, plain: ServiceFile])[] => {
  const plain = inJavaScript(request);
  return filesOf(request).map((typed, at) => [typed, plain[at]!]);
};

const requests = fc.constantFrom(...databases).chain(requestsFor);
const fixedRequests = (database: Database): readonly ServiceRequest[] =>
  [everyField, awkwardFields, mostFields].map((fields) => ({ name: 'messages', database, fields }));

describe('[KN17] a service in JavaScript', () => {
  it.each(databases)('has the same files as TypeScript, for %s', (database) => {
    for (const [typed, plain] of twins({ name: 'messages', database, fields: everyField })) {
      expect(plain).toMatchObject({ path: typed.path.replace(/\.ts$/, '.js'), type: typed.type });
      expect(plain.size).toBe(new TextEncoder().encode(plain.content).length);
      expect(plain.size).toBeLessThan(typed.size);
      expect(plain.content).toMatch(/[^\n]\n$/);
      expect(plain.content).not.toMatch(/^\n|\n{3}|[ \t]\n/);
    }
  });

  it('is TypeScript by default', () => {
    const request = { name: 'messages', database: 'sqlite', fields: everyField } as const;
    expect(filesOf({ ...request, typescript: true })).toEqual(filesOf(request));
    expect(inJavaScript(request)).not.toEqual(filesOf(request));
  });

  // Node removes types with another implementation than ours.
  it('equals the program that Node makes of the TypeScript', () => {
    const check = (request: ServiceRequest) => {
      for (const [typed, plain] of twins(request))
        expect(read(plain.content), plain.path).toEqual(read(stripTypeScriptTypes(typed.content)));
    };
    for (const request of databases.flatMap(fixedRequests)) check(request);
    fc.assert(fc.property(requests, check), { numRuns: 15 });
  });

  it('negative control: rejects a remaining type and another program', () => {
    expect(() => read('export const a = (b: string) => b;\n')).toThrow('Unexpected token');
    expect(() => read('export const a = b as string;\n')).toThrow('Missing semicolon');
    expect(() => read("import type { A } from './a.js';\n")).toThrow('Unexpected token');
    expect(read('a(b);\n')).toEqual(read('a((b))\n'));
    expect(read('a(b);\n')).not.toEqual(read('a(c);\n'));
  });

  it('imports other files by their real names', () => {
    for (const database of databases) {
      const files = inJavaScript({ name: 'messages', database, fields: everyField });
      const names = new Set(files.map(({ path }) => path.replace(/^.*\//, './')));
      const imported = files.flatMap(({ content }) =>
        [...content.matchAll(/ from '(\.[^']*)';/g)].map(([, from]) => from!),
      );
      expect(imported.length).toBeGreaterThan(4);
      for (const from of imported.filter((one) => one.startsWith('./'))) expect(names).toContain(from);
      expect(imported.filter((one) => !one.endsWith('.js'))).toEqual([]);
    }
  });

  it('is deterministic', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const plain = { ...request, typescript: false };
        expect(JSON.stringify(generateService(plain))).toBe(JSON.stringify(generateService(structuredClone(plain))));
      }),
      { numRuns: 20 },
    );
  });

  it.each(databases)('mentions only JavaScript files in edits and notes for %s', (database) => {
    const { edits, notes } = generateService({ name: 'messages', database, fields: everyField, typescript: false });
    expect(edits.map(({ file }) => file)).toEqual([
      'src/services/index.js',
      'src/app.js',
      ...(database === 'mongodb' ? ['src/services/messages/messages.class.js'] : []),
      'src/validators.js',
      'package.json',
      'src/services/messages/messages.hooks.js',
    ]);
    expect(JSON.stringify(edits)).not.toMatch(/\.ts\b|interface|type of/);
    expect(notes[0]).toContain('in JavaScript; they do not fit a v4 application');
    expect(notes[0]).toContain('ask again with typescript: true');
  });
});
