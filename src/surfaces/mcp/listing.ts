import type { Caller } from '#kernel/call.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { type Annotations, type Card, type JsonSchema, toAnnotations } from '#kernel/tool/card.ts';
import { findAccessFault, strongestEffect } from '#kernel/tool/gate.ts';
import { type Effect, rareMark } from '#kernel/tool/tool.ts';
import { type McpDeps, mcpLimits } from './mcp-deps.ts';

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: Annotations;
}

export interface ToolPage {
  readonly tools: readonly ListedTool[];
  readonly nextCursor?: string;
}

type ListingDeps = Pick<McpDeps, 'registry' | 'permits' | 'listing' | 'answers'>;

function bareType(property: unknown): JsonSchema {
  if (!isObject(property)) return {};
  if (typeof property['type'] === 'string') return { type: property['type'] };
  return Array.isArray(property['anyOf']) ? { anyOf: property['anyOf'].map(bareType) } : {};
}

/** Each conversation pays for every byte of a listed schema: deeper levels are only in the reference. */
function topLevel(schema: JsonSchema): JsonSchema {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  // An unconstrained type is omitted: strict clients complain about an empty schema.
  const types = Object.entries(properties)
    .map(([name, property]) => [name, bareType(property)] as const)
    .filter(([, type]) => Object.keys(type).length > 0);
  const required = schema['required'];
  return {
    type: 'object',
    properties: Object.fromEntries(types),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  };
}

const lengths: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems']);

/** Models do not count characters: a length limit is reported when it is exceeded. Nor do they need our own mark. */
const isLength = (key: string, value: unknown): boolean =>
  (lengths.has(key) && typeof value === 'number') || key === rareMark;

/** Callers rarely exceed it. */
const looseMaximum = 100_000;

/** Limits that callers rarely exceed: a minimum of one, an id pattern, additional properties. */
function isLenientLimit(key: string, value: unknown): boolean {
  if (key === 'minimum') return value === 0 || value === 1;
  if (key === 'maximum') return typeof value === 'number' && value >= looseMaximum;
  if (key === 'additionalProperties') return typeof value === 'boolean';
  return isLength(key, value) || (key === 'pattern' && typeof value === 'string');
}

type IsLeftOut = typeof isLength;

/** A property that few calls need. The default list leaves it out; tools_find shows it. */
const isRare: IsLeftOut = (_key, value) => isObject(value) && value[rareMark] === true;
/** An omitted constraint is reported when a call violates it. */
const isLenientLimitOrRare: IsLeftOut = (key, value) => isLenientLimit(key, value) || isRare(key, value);

function slimInput(schema: unknown, isLeftOut: IsLeftOut): unknown {
  if (Array.isArray(schema)) return schema.map((item) => slimInput(item, isLeftOut));
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !isLeftOut(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, slimInput(value, isLeftOut)]));
}

function describe({ summary, guide }: Card): string {
  const when = guide.when.length === 0 ? '' : ` Use when ${guide.when.join('; ')}.`;
  const not = guide.not === undefined || guide.not.length === 0 ? '' : ` Not when ${guide.not.join('; ')}.`;
  return `${summary}${when}${not}`.slice(0, mcpLimits.descriptionChars);
}

/** The effect of the strongest tool that this caller may call through a forwarding tool. */
function effectOf(card: Card, caller: Caller, { registry, permits }: ListingDeps): Effect {
  if (card.forwards === false) return card.effect;
  return strongestEffect(card, registry.cards, (other) => findAccessFault(other, caller, permits) === undefined);
}

function isListed(card: Card, { listing }: ListingDeps): boolean {
  if (!card.expose.includes('mcp')) return false;
  if (listing.tools !== undefined) return listing.tools.includes(card.name);
  if (listing.toolsets === 'default') return card.listed;
  return listing.toolsets === 'all' || listing.toolsets.includes(card.toolset);
}

/** A tool behind the mutation gate stays listed: its error explains how to open the gate. */
function isOutOfReach(card: Card, caller: Caller, { permits, listing }: ListingDeps): boolean {
  return (
    findAccessFault(card, caller, { mutation: true, readOnly: permits.readOnly || listing.readOnly }) !== undefined
  );
}

function toListed(card: Card, caller: Caller, deps: ListingDeps): ListedTool {
  const name = deps.listing.toolNames === 'listed' ? card.listedName : card.name;
  // Models do not choose a tool by its output: only a list of whole toolsets shows it, together with the whole input.
  const isSparing = deps.listing.toolsets === 'default' && deps.listing.tools === undefined;
  // A tool with an output schema must answer with structured content.
  const showsOutput = !isSparing && deps.answers !== 'text';
  return {
    name,
    title: name === card.name ? card.title : `${card.title} (${card.name})`,
    description: describe(card),
    inputSchema: slimInput(
      card.inputSchema,
      isSparing && card.exactInput !== true ? isLenientLimitOrRare : isLength,
    ) as JsonSchema,
    ...(showsOutput ? { outputSchema: topLevel(card.outputSchema) } : {}),
    annotations: toAnnotations({ ...card, effect: effectOf(card, caller, deps) }),
  };
}

function toPages(tools: readonly ListedTool[]): readonly ToolPage[] {
  const pages: ToolPage[] = [];
  const count = mcpLimits.listPageCount;
  for (let from = 0; from === 0 || from < tools.length; from += count) {
    const next = from + count < tools.length ? { nextCursor: `tools-${pages.length + 1}` } : {};
    pages.push({ tools: tools.slice(from, from + count), ...next });
  }
  return pages;
}

interface CallerListing {
  readonly pages: readonly ToolPage[];
  readonly first: string;
}

/** The list depends only on the settings and the caller's scopes, which do not change while the program runs. */
export function createListing(deps: ListingDeps) {
  const byScopes = new Map<string, CallerListing>();

  function listedFor(caller: Caller): CallerListing {
    const scopes = [...caller.scopes].sort().join();
    let listed = byScopes.get(scopes);
    if (listed === undefined) {
      const cards = deps.registry.cards.filter((card) => isListed(card, deps) && !isOutOfReach(card, caller, deps));
      const pages = toPages(cards.map((card) => toListed(card, caller, deps)));
      listed = { pages, first: JSON.stringify(pages[0]) };
      byScopes.set(scopes, listed);
    }
    return listed;
  }

  return {
    /** JSON of the first page, computed once. */
    firstPage: (caller: Caller): string => listedFor(caller).first,
    /** Undefined for an unknown cursor. */
    page: (caller: Caller, cursor: string | undefined): ToolPage | undefined =>
      cursor === undefined
        ? listedFor(caller).pages[0]
        : listedFor(caller).pages.find((_, index) => index > 0 && cursor === `tools-${index}`),
  };
}
