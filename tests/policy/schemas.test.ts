import { expect, test } from 'vitest';
import { z } from 'zod';
import { toCard } from '#kernel/tool/card.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { cardFixture } from './card.fixture.ts';
import { findSchemaViolations } from './schemas.ts';
import { loadCards } from './toolsets.ts';

test('every schema is one that clients accept', async () => {
  expect(findSchemaViolations(await loadCards())).toEqual([]);
});

/** The card that a tool with these schemas gets. */
const cardOf = (input: z.ZodType, output: z.ZodType = z.object({})) => {
  const { name, title, summary, guide, effect, faults } = cardFixture();
  return toCard(
    defineTool({ name, title, summary, guide, effect, faults, input, output, run: () => ({}) }),
    'pads',
    'numeric',
  );
};

const one = z.strictObject({ kind: z.literal('one') });
const two = z.strictObject({ kind: z.literal('two') });
const tree: z.ZodType = z.strictObject({
  get left() {
    return tree.optional();
  },
});

test.for([
  ['its input is not an object', z.string()],
  ['its input has oneOf at its top', z.discriminatedUnion('kind', [one, two])],
  ['its input has anyOf at its top', z.union([one, two])],
  ['its input lets unknown arguments pass', z.object({ id: z.string() })],
  ['its input lets unknown arguments pass', z.looseObject({ id: z.string() })],
  ['its input says nothing about value', z.strictObject({ value: z.unknown() })],
] as const)('rejects a tool: %s', ([violation, input]) => {
  expect(findSchemaViolations([cardOf(input)])).toContain(`pads/keepOne: ${violation}`);
});

test.for(['anyOf', 'oneOf', 'allOf', 'not', 'if', 'enum'])('rejects %s at the top of a schema', (key) => {
  const schema = { ...cardFixture().inputSchema, [key]: [] };
  const found = findSchemaViolations([cardFixture({ inputSchema: schema, outputSchema: schema })]);
  expect(found).toEqual([
    `pads/keepOne: its input has ${key} at its top`,
    `pads/keepOne: its output has ${key} at its top`,
  ]);
});

test('finds a reference at any depth', () => {
  const found = findSchemaViolations([cardOf(z.strictObject({ wrapped: z.array(tree) }))]);
  expect(found).toContainEqual(expect.stringMatching(/its input has a reference at \/wrapped\/items/));
});

test('finds an output that is not an object', () => {
  expect(findSchemaViolations([cardOf(one, z.array(one))])).toEqual(['pads/keepOne: its output is not an object']);
  expect(findSchemaViolations([cardOf(one, z.union([one, two]))])).toContain(
    'pads/keepOne: its output has anyOf at its top',
  );
});

test('accepts nested unions, open maps and properties named like keywords', () => {
  const input = z.strictObject({
    choice: z.union([z.string(), z.int()]),
    metadata: z.record(z.string(), z.unknown()),
    $ref: z.string().default('anyOf'),
    anyOf: z.enum(['a', 'b']),
    free: z.unknown().describe('Any JSON value; it is kept as it is'),
  });
  expect(findSchemaViolations([cardOf(input)])).toEqual([]);
});
