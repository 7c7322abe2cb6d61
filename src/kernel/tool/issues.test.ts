import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toParamErrors } from './issues.ts';

const errorsOf = (schema: z.ZodType, input: unknown) =>
  toParamErrors(schema.safeParse(input).error?.issues ?? [], input).errors;
const one = (schema: z.ZodType, value: unknown) => {
  const [error, ...more] = errorsOf(z.object({ a: schema }), { a: value });
  expect(more).toEqual([]);
  return error;
};

describe('reports invalid arguments in the format of Ajv', () => {
  it.each<[string, z.ZodType, unknown, string, string, object]>([
    ['of another type', z.string(), 5, 'type', 'must be string', { type: 'string' }],
    ['null', z.string(), null, 'type', 'must be string', { type: 'string' }],
    ['a fraction', z.int(), 1.5, 'type', 'must be integer', { type: 'integer' }],
    ['no record', z.record(z.string(), z.number()), [], 'type', 'must be object', { type: 'object' }],
    ['no tuple', z.tuple([z.string()]), 'x', 'type', 'must be array', { type: 'array' }],
    ['too short', z.string().min(3), 'ab', 'minLength', 'must NOT have fewer than 3 characters', { limit: 3 }],
    ['too long', z.string().max(1), 'ab', 'maxLength', 'must NOT have more than 1 characters', { limit: 1 }],
    ['too few', z.array(z.int()).min(1), [], 'minItems', 'must NOT have fewer than 1 items', { limit: 1 }],
    ['too many', z.array(z.int()).max(1), [1, 2], 'maxItems', 'must NOT have more than 1 items', { limit: 1 }],
    ['too small', z.number().min(3), 2, 'minimum', 'must be >= 3', { comparison: '>=', limit: 3 }],
    ['too large', z.number().max(3), 4, 'maximum', 'must be <= 3', { comparison: '<=', limit: 3 }],
    ['on the lower edge', z.number().gt(3), 3, 'exclusiveMinimum', 'must be > 3', { comparison: '>', limit: 3 }],
    ['on the upper edge', z.number().lt(3), 3, 'exclusiveMaximum', 'must be < 3', { comparison: '<', limit: 3 }],
    ['between steps', z.number().multipleOf(5), 7, 'multipleOf', 'must be multiple of 5', { multipleOf: 5 }],
    [
      'none of the choices',
      z.enum(['x', 'y']),
      'z',
      'enum',
      'must be equal to one of the allowed values: x, y',
      { allowedValues: ['x', 'y'] },
    ],
    ['not the constant', z.literal('x'), 'y', 'const', 'must be equal to constant: "x"', { allowedValue: 'x' }],
    [
      'against a pattern',
      z.string().regex(/^a\/b$/i),
      'c',
      'pattern',
      'must match pattern "^a\\/b$"',
      { pattern: '^a\\/b$' },
    ],
    ['against a format', z.email(), 'x', 'format', 'must match format "email"', { format: 'email' }],
    ['against every choice', z.union([z.string(), z.int()]), true, 'anyOf', 'must match a schema in anyOf', {}],
    ['against a rule of ours', z.string().refine(() => false, 'is not ours'), 'x', 'custom', 'is not ours', {}],
  ])('%s', (_how, schema, value, keyword, message, params) => {
    expect(one(schema, value)).toEqual({
      instancePath: '/a',
      keyword,
      message,
      schemaPath: `#/properties/a/${keyword}`,
      params,
    });
  });

  it('a missing member, at the object that lacks it', () => {
    const schema = z.object({ a: z.string(), b: z.enum(['x']), c: z.object({ d: z.int() }), constructor: z.string() });
    expect(
      errorsOf(schema, { c: {} }).map(({ instancePath, keyword, message, schemaPath }) => [
        instancePath,
        keyword,
        message,
        schemaPath,
      ]),
    ).toEqual([
      ['', 'required', "must have required property 'a'", '#/required'],
      ['', 'required', "must have required property 'b'", '#/required'],
      ['/c', 'required', "must have required property 'd'", '#/properties/c/required'],
      ['', 'required', "must have required property 'constructor'", '#/required'],
    ]);
    expect(errorsOf(schema, {})[0]?.params).toEqual({ missingProperty: 'a' });
  });

  it('unknown members, each one, at their object', () => {
    const errors = errorsOf(z.object({ a: z.strictObject({}) }), { a: { x: 1, y: 2 } });
    expect(errors.map(({ instancePath, keyword, params }) => [instancePath, keyword, params])).toEqual([
      ['/a', 'additionalProperties', { additionalProperty: 'x' }],
      ['/a', 'additionalProperties', { additionalProperty: 'y' }],
    ]);
  });

  it('a deep member by an escaped pointer', () => {
    const schema = z.object({ 'a/b~c': z.array(z.object({ n: z.int() })) });
    expect(errorsOf(schema, { 'a/b~c': [{ n: 1 }, { n: 'x' }] })[0]).toMatchObject({
      instancePath: '/a~1b~0c/1/n',
      schemaPath: '#/properties/a~1b~0c/items/properties/n/type',
    });
  });

  it('a hole in a list as a wrong type, not as missing', () => {
    expect(errorsOf(z.array(z.string()), [undefined])[0]).toMatchObject({ instancePath: '/0', keyword: 'type' });
  });

  it('an invalid member name', () => {
    expect(errorsOf(z.object({ a: z.record(z.string().regex(/^x/), z.int()) }), { a: { y: 1 } })).toMatchObject([
      { instancePath: '/a', keyword: 'propertyNames', params: { propertyName: 'y' } },
    ]);
  });

  it('the discriminating member of a union', () => {
    const schema = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('x') }),
      z.object({ kind: z.literal('y') }),
    ]);
    expect(errorsOf(schema, { kind: 'z' })).toMatchObject([
      { instancePath: '/kind', keyword: 'enum', params: { allowedValues: ['x', 'y'] } },
    ]);
    expect(errorsOf(schema, {})).toMatchObject([{ instancePath: '', keyword: 'required' }]);
  });

  it('arguments that are not an object', () => {
    expect(errorsOf(z.object({}), 5)).toMatchObject([{ instancePath: '', keyword: 'type', schemaPath: '#/type' }]);
  });
});
