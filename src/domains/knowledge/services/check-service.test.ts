import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Database, databases } from '../base/base-entries.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { checkService, sanitizeName } from './check-service.ts';
import { awkwardFields, everyField } from './fields.fixture.ts';
import type { ServiceRequest } from './service-plan.ts';

const text = { name: 'text', type: 'string' } as const;
const plan = (name: string, fields: ServiceRequest['fields'] = [text], database: Database = 'sqlite') =>
  checkService({ name, database, fields });
const named = (...names: readonly string[]) => names.map((name) => ({ name, type: 'string' }) as const);

describe('[KN18] the name of a service', () => {
  it.each([
    ['messages', 'messages'],
    ['User-Profiles', 'userprofiles'],
    ['  my service ', 'myservice'],
    ['2fa', '_2fa'],
    ['__init__', 'init'],
    ['Größe', 'gre'],
    ['order', 'order'],
    ['select', 'select'],
    ['users', 'users'],
    ['a'.repeat(knowledgeLimits.nameChars), 'a'.repeat(knowledgeLimits.nameChars)],
  ])('turns %j into %j', (given, name) => {
    expect(plan(given).name).toBe(name);
  });

  it('consists of letters and digits, does not begin with a digit, and is stable under sanitising', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        const name = sanitizeName(given);
        expect(name).toMatch(/^(?:[a-z][a-z0-9]*|_[0-9][a-z0-9]*|)$/);
        expect(sanitizeName(name)).toBe(name);
      }),
    );
  });

  it.each([
    ['', 'has no letter'],
    ['  ', 'has no letter'],
    ['!!!', 'has no letter'],
    ['ひらがな', 'has no letter'],
    ['..', 'looks like a path'],
    ['../../etc/passwd', 'looks like a path'],
    ['api/notes', 'looks like a path'],
    ['C:\\notes', 'looks like a path'],
    ['__proto__', 'is a member of every object'],
    ['constructor', 'is a member of every object'],
    ['Prototype', 'is a member of every object'],
    ['service', 'is taken by Feathers'],
    ['Services', 'is taken by Feathers'],
    ['index', 'is taken by Feathers'],
    ['schema', 'is taken by Feathers'],
    ['authentication', 'is taken by Feathers'],
    ['class', 'is a word of JavaScript'],
    ['de-lete', 'is a word of JavaScript'],
    ['con', 'is the name of a device'],
    ['a'.repeat(knowledgeLimits.nameChars + 1), 'has 51 characters'],
    ['9'.repeat(knowledgeLimits.nameChars), 'has 51 characters'],
  ])('rejects %j', (given, why) => {
    expect(() => plan(given)).toThrow(why);
  });

  it('is shortened in the error message', () => {
    expect(() => plan(`/${'x'.repeat(10_000)}`)).toThrow(/^.{0,200}$/);
  });
});

describe('[KN18] the fields of a service', () => {
  it('accept every type and option, and names that are reserved elsewhere', () => {
    for (const database of databases) {
      expect(plan('a', everyField, database).fields).toEqual(everyField);
      expect(plan('a', awkwardFields, database).fields).toEqual(awkwardFields);
    }
  });

  it('default to not required and not unique', () => {
    expect(plan('a').fields).toEqual([{ ...text, required: false, unique: false }]);
  });

  it('need at least one and allow a maximum number', () => {
    const many = (count: number) => named(...Array.from({ length: count }, (_, at) => `f${at}`));
    expect(() => plan('a', [])).toThrow('has no fields; give at least one');
    expect(plan('a', many(knowledgeLimits.fieldsCount)).fields).toHaveLength(knowledgeLimits.fieldsCount);
    expect(() => plan('a', many(knowledgeLimits.fieldsCount + 1))).toThrow('has 101 fields; give at most 100');
    expect(() => plan('a', many(500))).toThrow('has 500 fields');
  });

  it.each(['', ' ', 'a b', 'a-b', 'a.b', '$limit', '$select', '1st', 'naïve', "a'b", 'a;drop table a', 'a\nb', 'a`b'])(
    'reject the name %j',
    (name) => {
      expect(() => plan('a', named(name))).toThrow('cannot be used; begin with a letter');
    },
  );

  it.each([
    'id',
    '_id',
    'ID',
    '_Id',
    '__proto__',
    '__v',
    'constructor',
    'prototype',
    'toString',
    'toJSON',
    '_bsontype',
  ])('reject the reserved name %s', (name) => {
    for (const database of databases) expect(() => plan('a', named(name), database)).toThrow('is reserved');
  });

  it('reject PostgreSQL system columns, only on PostgreSQL', () => {
    expect(() => plan('a', named('xmin'), 'postgresql')).toThrow('is a system column');
    expect(plan('a', named('xmin'), 'sqlite').fields).toHaveLength(1);
  });

  it('limit the length of a name', () => {
    const longest = 'f'.repeat(knowledgeLimits.fieldNameChars);
    expect(plan('a', named(longest)).fields[0]?.name).toBe(longest);
    expect(() => plan('a', named(`${longest}f`))).toThrow('has 61 characters; give at most 60');
  });

  it('reject duplicate names, ignoring case on SQLite', () => {
    for (const database of databases)
      expect(() => plan('a', named('x', 'y', 'x'), database)).toThrow('The field "x" occurs twice');
    expect(() => plan('a', named('dueDate', 'duedate'), 'sqlite')).toThrow('are one column in SQLite');
    expect(plan('a', named('dueDate', 'duedate'), 'postgresql').fields).toHaveLength(2);
    expect(plan('a', named('dueDate', 'duedate'), 'mongodb').fields).toHaveLength(2);
  });

  it('limit unique fields to the number of MongoDB indexes', () => {
    const unique = (count: number) =>
      named(...Array.from({ length: count }, (_, at) => `f${at}`)).map((field) => ({ ...field, unique: true }));
    expect(plan('a', [...unique(63), text], 'mongodb').fields).toHaveLength(64);
    expect(() => plan('a', unique(64), 'mongodb')).toThrow('has 64 unique fields; give at most 63 on MongoDB');
    expect(plan('a', unique(100), 'postgresql').fields).toHaveLength(100);
  });

  it('reject any other name with INVALID_SERVICE', () => {
    fc.assert(
      fc.property(fc.constantFrom(...databases), fc.string({ unit: 'binary' }), (database, name) => {
        try {
          expect(plan('a', named(name), database).fields[0]?.name).toBe(name);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_SERVICE' });
        }
      }),
    );
  });
});
