import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Caller, localTenant, type Scope } from '#kernel/call.ts';
import { toCards } from '#kernel/tool/card.ts';
import { createRegistry } from '#kernel/tool/registry.ts';
import { type AnyTool, defineTool, defineToolset, rare, type ToolFacts } from '#kernel/tool/tool.ts';
import { createListing } from './listing.ts';
import type { AnswerParts, ListingChoice } from './mcp-deps.ts';

const tool = (facts: Partial<ToolFacts> & { readonly name: string }): AnyTool =>
  defineTool({
    title: 'A tool',
    summary: 'Does something.',
    guide: { when: ['it is needed'], not: ['it is not'] },
    effect: 'read',
    faults: [],
    input: z.strictObject({
      text: z.string().max(5).regex(/a/).describe('what'),
      count: z.int().min(1).max(9).optional(),
      pattern: z.looseObject({ minimum: z.int().min(2) }).optional(),
      maxLength: z.array(z.string()).max(3).optional(),
      offset: z.int().max(100_000).optional(),
      context: z.boolean().optional().meta(rare),
    }),
    output: z.object({
      items: z.array(z.object({ deep: z.string() })),
      total: z.int(),
      either: z.union([z.string(), z.int()]),
      anything: z.unknown(),
    }),
    run: () => ({ items: [], total: 0, either: 0, anything: 0 }),
    ...facts,
  });

const sets = [
  defineToolset<never>({
    name: 'one',
    faultForm: 'numeric',
    tools: [
      tool({ name: 'one/firstThing', listed: true }),
      tool({ name: 'one/write', effect: 'delete', listed: true }),
      tool({ name: 'one/gated', effect: 'update', gated: true, listed: true }),
      tool({ name: 'one/hidden', listed: true, expose: ['http', 'cli'] }),
      tool({ name: 'one/extra' }),
    ],
  }),
  defineToolset<never>({
    name: 'two',
    faultForm: 'plain',
    tools: [
      tool({ name: 'two_read' }),
      tool({ name: 'any', forwards: true, effect: 'delete', scope: 'read', listed: true }),
    ],
  }),
  defineToolset<never>({
    name: 'many',
    faultForm: 'plain',
    tools: Array.from({ length: 230 }, (_, i) => tool({ name: `many_${i}` })),
  }),
];
const registry = createRegistry(sets.flatMap(toCards), {});

const caller = (...scopes: Scope[]): Caller => ({ tenant: localTenant, actor: 'a', scopes: new Set(scopes) });
const admin = caller('admin');

const listingOf = (
  choice: Partial<ListingChoice> = {},
  permits = { mutation: false, readOnly: false },
  answers: AnswerParts = 'both',
) =>
  createListing({
    registry,
    permits,
    answers,
    listing: { toolNames: 'listed', toolsets: 'default', readOnly: false, ...choice },
  });

const names = (listing: ReturnType<typeof listingOf>, who = admin) =>
  listing.page(who, undefined)?.tools.map(({ name }) => name);

describe('the tool list', () => {
  test('shows the default tools under names that every client accepts', () => {
    expect(names(listingOf())).toEqual(['one_first_thing', 'one_write', 'one_gated', 'any']);
  });

  test('shows exactly the chosen toolsets, or all MCP tools', () => {
    expect(names(listingOf({ toolsets: ['two'] }))).toEqual(['two_read', 'any']);
    expect(names(listingOf({ toolsets: 'all' }))).not.toContain('one_hidden');
    expect(names(listingOf({ toolsets: 'all' }))).toContain('one_extra');
  });

  test('shows exactly the chosen tools, whatever the toolsets', () => {
    expect(names(listingOf({ tools: ['two_read', 'one/extra'] }))).toEqual(['one_extra', 'two_read']);
    expect(names(listingOf({ tools: ['one/extra'], toolsets: 'all' }))).toEqual(['one_extra']);
  });

  test('can use canonical names, without repeating them in the title', () => {
    expect(listingOf().page(admin, undefined)?.tools[0]).toMatchObject({
      name: 'one_first_thing',
      title: 'A tool (one/firstThing)',
    });
    const canonical = listingOf({ toolNames: 'canonical' }).page(admin, undefined)?.tools[0];
    expect(canonical).toMatchObject({ name: 'one/firstThing', title: 'A tool' });
  });

  test('omits writing tools on a read-only server, by either setting', () => {
    expect(names(listingOf({ readOnly: true }))).toEqual(['one_first_thing', 'any']);
    expect(names(listingOf({}, { mutation: true, readOnly: true }))).toEqual(['one_first_thing', 'any']);
  });

  test('omits tools that the caller may not call', () => {
    const listing = listingOf();
    expect(names(listing, caller('read'))).toEqual(['one_first_thing', 'any']);
    expect(names(listing, caller('write'))).toEqual(names(listing));
  });
});

describe('a listed tool', () => {
  test('describes what it does, when to use it and when not', () => {
    expect(listingOf().page(admin, undefined)?.tools[0]?.description).toBe(
      'Does something. Use when it is needed. Not when it is not.',
    );
  });

  test('shows its input without limits that callers rarely exceed', () => {
    const { inputSchema } = listingOf().page(admin, undefined)!.tools[0]!;
    expect(inputSchema).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string', description: 'what' },
        count: { type: 'integer', maximum: 9 },
        // Properties with these names are ordinary properties.
        pattern: { type: 'object', properties: { minimum: { type: 'integer', minimum: 2 } }, required: ['minimum'] },
        maxLength: { type: 'array', items: { type: 'string' } },
        offset: { type: 'integer' },
      },
      required: ['text'],
    });
  });

  test('shows its whole input if a document fixes it, because that schema excludes other properties', () => {
    const exact = defineToolset<never>({
      name: 'exact',
      faultForm: 'plain',
      tools: [tool({ name: 'exact', exactInput: true, listed: true })],
    });
    const listing = createListing({
      registry: createRegistry(toCards(exact), {}),
      permits: { mutation: false, readOnly: false },
      answers: 'both',
      listing: { toolNames: 'listed', toolsets: 'default', readOnly: false },
    });
    const { inputSchema } = listing.page(admin, undefined)!.tools[0]!;
    expect(inputSchema).toEqual(listingOf({ toolsets: 'all' }).page(admin, undefined)!.tools[0]!.inputSchema);
    expect(inputSchema).toMatchObject({ properties: { context: { type: 'boolean' } }, additionalProperties: false });
  });

  test('shows its whole input except lengths when whole toolsets are requested', () => {
    const { inputSchema } = listingOf({ toolsets: 'all' }).page(admin, undefined)!.tools[0]!;
    expect(inputSchema).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string', description: 'what', pattern: 'a' },
        count: { type: 'integer', minimum: 1, maximum: 9 },
        pattern: {
          type: 'object',
          properties: { minimum: { type: 'integer', minimum: 2 } },
          required: ['minimum'],
          additionalProperties: true,
        },
        maxLength: { type: 'array', items: { type: 'string' } },
        offset: { type: 'integer', maximum: 100_000 },
        context: { type: 'boolean' },
      },
      required: ['text'],
      additionalProperties: false,
    });
  });

  test('shows the top level of its output only when whole toolsets are requested', () => {
    const outputOf = (toolsets: ListingChoice['toolsets']) => listingOf({ toolsets }).page(admin, undefined)!.tools[0]!;
    expect(outputOf('default')).not.toHaveProperty('outputSchema');
    expect(outputOf(['one']).outputSchema).toEqual(outputOf('all').outputSchema);
    const textOnly = listingOf({ toolsets: 'all' }, undefined, 'text').page(admin, undefined)!.tools[0]!;
    expect(textOnly).not.toHaveProperty('outputSchema');
    expect(outputOf('all').outputSchema).toEqual({
      type: 'object',
      properties: {
        items: { type: 'array' },
        total: { type: 'integer' },
        either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      },
      required: ['items', 'total', 'either', 'anything'],
    });
  });

  test('carries the hints of the strongest tool it can reach', () => {
    const hints = (listing: ReturnType<typeof listingOf>, who = admin) =>
      listing.page(who, undefined)?.tools.find(({ name }) => name === 'any')?.annotations;
    expect(hints(listingOf())).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hints(listingOf(), caller('read'))).toEqual({ readOnlyHint: true, openWorldHint: false });
    expect(hints(listingOf({}, { mutation: true, readOnly: true }))).toMatchObject({ readOnlyHint: true });
  });
});

test('is split into pages, and an unknown cursor names none', () => {
  const listing = listingOf({ toolsets: 'all' });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = listing.page(admin, cursor)!;
    expect(page.tools.length).toBeLessThanOrEqual(100);
    seen.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(new Set(seen).size).toBe(registry.cards.length - 1);
  expect(listing.page(admin, 'tools-9')).toBeUndefined();
  expect(listing.page(admin, 'tools-0')).toBeUndefined();
  expect(JSON.parse(listing.firstPage(admin))).toEqual(JSON.parse(JSON.stringify(listing.page(admin, undefined))));
});
