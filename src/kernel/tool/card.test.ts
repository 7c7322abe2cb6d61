import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toAnnotations, toCard } from './card.ts';
import type { AnyTool, Effect } from './tool.ts';

const tool = (part: Partial<AnyTool> = {}): AnyTool => ({
  name: 'a/makeIt',
  title: 'Make it',
  summary: 'Makes it.',
  guide: { when: ['it is wanted'] },
  effect: 'read',
  faults: [],
  input: z.strictObject({}),
  output: z.object({}),
  run: () => ({}),
  ...part,
});
const cardOf = (part: Partial<AnyTool> = {}) => toCard(tool(part), 'set', 'plain');
const schemasOf = (input: z.ZodType, output: z.ZodType = z.object({})) => {
  const { inputSchema, outputSchema } = cardOf({ input, output });
  return { input: inputSchema, output: outputSchema };
};

describe('the card of a tool', () => {
  it('is plain data that survives serialisation', () => {
    const card = cardOf({ rate: { limit: 1, windowMs: 2 } });
    expect(JSON.parse(JSON.stringify(card))).toEqual(card);
    expect(card).toMatchObject({ name: 'a/makeIt', listedName: 'a_make_it', toolset: 'set', faultForm: 'plain' });
    expect(card).not.toHaveProperty('run');
  });

  it.each<[Effect, object]>([
    ['read', { scope: 'read', audit: 'none', idempotent: true, stable: true }],
    ['create', { scope: 'write', audit: 'row', idempotent: false, stable: false }],
    ['update', { scope: 'write', audit: 'row', idempotent: false, stable: false }],
    ['delete', { scope: 'write', audit: 'row', idempotent: true, stable: false }],
  ])('of a %s has the defaults of its effect', (effect, expected) => {
    expect(cardOf({ effect })).toMatchObject({
      ...expected,
      listed: false,
      gated: false,
      streams: false,
      forwards: false,
      answer: 'whole',
      aliases: [],
      expose: ['mcp', 'http', 'cli'],
    });
  });

  it('keeps the values that the tool declares', () => {
    const said = {
      scope: 'admin',
      audit: 'none',
      idempotent: true,
      listed: true,
      gated: true,
      answer: 'page',
    } as const;
    expect(cardOf({ effect: 'create', ...said, expose: ['cli'] })).toMatchObject({ ...said, expose: ['cli'] });
  });
});

describe('the schemas on a card', () => {
  it('lose parts that only cost bytes', () => {
    const { input, output } = schemasOf(
      z.strictObject({ at: z.iso.datetime(), n: z.int() }),
      z.object({ list: z.array(z.object({ n: z.int() })) }),
    );
    expect(input).toEqual({
      type: 'object',
      properties: { at: { type: 'string', format: 'date-time' }, n: { type: 'integer' } },
      required: ['at', 'n'],
      additionalProperties: false,
    });
    expect(output).toEqual({
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
      },
      required: ['list'],
    });
  });

  it('do not describe the names of an open map, unless they follow a pattern', () => {
    const { input } = schemasOf(
      z.object({ open: z.record(z.string(), z.unknown()), ruled: z.record(z.string().regex(/^x/), z.int()) }),
    );
    expect(input['properties']).toEqual({
      open: { type: 'object', additionalProperties: true },
      ruled: {
        type: 'object',
        propertyNames: { type: 'string', pattern: '^x' },
        additionalProperties: { type: 'integer' },
      },
    });
  });

  it('keep meaningful limits and patterns', () => {
    expect(
      schemasOf(
        z.object({
          id: z
            .string()
            .regex(/^[a-z]$/)
            .max(5),
          n: z.int().min(1).max(9),
        }),
      ).input,
    ).toMatchObject({
      properties: { id: { pattern: '^[a-z]$', maxLength: 5 }, n: { minimum: 1, maximum: 9 } },
    });
  });

  it('keep a property named like a keyword, and data that looks like a schema', () => {
    const schema = z.object({
      format: z.string(),
      pattern: z.string(),
      $schema: z.string(),
      additionalProperties: z.literal(false),
      how: z.looseObject({}).default({ format: 'x', pattern: 'y', $schema: 'z' }),
    });
    const { input, output } = schemasOf(schema, schema);
    for (const { properties } of [input, output] as { properties: Record<string, { default?: unknown }> }[]) {
      expect(Object.keys(properties)).toEqual(['format', 'pattern', '$schema', 'additionalProperties', 'how']);
      expect(properties['how']?.default).toEqual({ format: 'x', pattern: 'y', $schema: 'z' });
    }
  });

  it('mark members with a default as optional in the input and present in the output', () => {
    const schema = z.object({ limit: z.int().default(5) });
    const { input, output } = schemasOf(schema, schema);
    expect([input['required'], output['required']]).toEqual([undefined, ['limit']]);
  });
});

describe('the hints of a tool', () => {
  it.each<[Effect, object]>([
    ['read', { readOnlyHint: true }],
    ['create', { readOnlyHint: false, destructiveHint: false }],
    ['update', { readOnlyHint: false, destructiveHint: true }],
    ['delete', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
  ])('of a %s follow from its effect', (effect, expected) => {
    expect(toAnnotations(cardOf({ effect }))).toEqual({ openWorldHint: false, ...expected });
  });
});
