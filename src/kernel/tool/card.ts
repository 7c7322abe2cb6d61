import { z } from 'zod';
import { toListedName } from './names.ts';
import type { AnyTool, FaultForm, ToolFacts, Toolset } from './tool.ts';

export type JsonSchema = { readonly [key: string]: unknown };

type OptionalFact =
  | 'exactInput'
  | 'rate'
  | 'deadlineMs'
  | 'guide'
  | 'guarantees'
  | 'command'
  | 'positionals'
  | 'failOn'
  | 'bulk';

/** A tool as data: listed, searched, documented and generated. Holds no code, so it loads without its domain. */
export interface Card extends Required<Omit<ToolFacts, OptionalFact>>, Pick<ToolFacts, OptionalFact> {
  readonly listedName: string;
  readonly toolset: string;
  readonly faultForm: FaultForm;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
}

/** Members whose value maps names to schemas: their keys are data, even if they look like keywords. */
const schemaMaps: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);
/** Members whose value is data, not a schema. */
const plainValues: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);

function slimMember(key: string, value: unknown, io: 'input' | 'output'): unknown {
  if (plainValues.has(key)) return value;
  if (!schemaMaps.has(key)) return slim(value, io);
  return Object.fromEntries(Object.entries(value as JsonSchema).map(([name, schema]) => [name, slim(schema, io)]));
}

const isEmptySchema = (value: unknown): boolean =>
  value !== null && typeof value === 'object' && Object.keys(value).length === 0;

const isAnyString = (value: unknown): boolean => JSON.stringify(value) === '{"type":"string"}';

/** Clients pay for every byte of a schema: `format` implies the 250-character `pattern`. */
function slim(node: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(node)) return node.map((item) => slim(item, io));
  if (node === null || typeof node !== 'object') return node;
  const record = { ...(node as Record<string, unknown>) };
  delete record['$schema'];
  if ('format' in record) delete record['pattern'];
  // An output may gain a field without breaking a client that validates it.
  if (io === 'output' && record['additionalProperties'] === false) delete record['additionalProperties'];
  // For a record of anything, `{}` means the same and strict clients warn about it; JSON keys are strings anyway.
  if (isEmptySchema(record['additionalProperties'])) record['additionalProperties'] = true;
  if (isAnyString(record['propertyNames'])) delete record['propertyNames'];
  const { type } = record;
  // Some clients accept only a single type.
  if (Array.isArray(type)) {
    delete record['type'];
    record['anyOf'] = type.map((one: unknown) => ({ type: one }));
  }
  if (record['maximum'] === Number.MAX_SAFE_INTEGER) delete record['maximum'];
  if (record['minimum'] === Number.MIN_SAFE_INTEGER) delete record['minimum'];
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, slimMember(key, value, io)]));
}

const toSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema =>
  slim(z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline', cycles: 'ref' }), io) as JsonSchema;

export function toCard(tool: AnyTool, toolset: string, faultForm: FaultForm): Card {
  const { input, output, name, title, summary, ...rest } = tool;
  const { run: _run, readsWhen: _readsWhen, unlimitedWhen: _unlimitedWhen, ...others } = rest;
  const { findFailure: _findFailure, reusesAnswers: _reusesAnswers, ...facts } = others;
  return {
    name,
    title,
    summary,
    listed: false,
    stable: facts.effect === 'read',
    idempotent: facts.effect === 'read' || facts.effect === 'delete',
    expose: ['mcp', 'http', 'cli'],
    audit: facts.effect === 'read' ? 'none' : 'row',
    gated: false,
    scope: facts.effect === 'read' ? 'read' : 'write',
    streams: false,
    forwards: false,
    stripsNul: false,
    aliases: [],
    answer: 'whole',
    ...facts,
    listedName: toListedName(name),
    toolset,
    faultForm,
    inputSchema: toSchema(input, 'input'),
    outputSchema: toSchema(output, 'output'),
  };
}

/** The command line may access local files; other surfaces hide a tool that only it offers. */
export const isCommandOnly = ({ expose }: Card): boolean => expose.every((surface) => surface === 'cli');

export const toCards = <D>(toolset: Toolset<D>): readonly Card[] =>
  toolset.tools.map((tool) => toCard(tool as AnyTool, toolset.name, toolset.faultForm));

/**
 * The two in the middle are only meaningful for a writing tool, so a reading tool has none. Clients assume that a
 * repeated call has a further effect.
 */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

/** Hints follow from the effect; they are never written by hand. */
export const toAnnotations = ({ effect, idempotent }: Pick<Card, 'effect' | 'idempotent'>): Annotations =>
  effect === 'read'
    ? { readOnlyHint: true, openWorldHint: false }
    : {
        readOnlyHint: false,
        destructiveHint: effect === 'update' || effect === 'delete',
        ...(idempotent ? { idempotentHint: true } : {}),
        openWorldHint: false,
      };
