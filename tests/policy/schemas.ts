import type { Card, JsonSchema } from '#kernel/tool/card.ts';

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords whose value contains schemas, by kind. Every other keyword contains data. */
const schemaMaps = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];
const schemaLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const singleSchemas = ['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'contains'];

interface Placed {
  readonly path: string;
  readonly schema: JsonSchema;
}

function below(path: string, schema: JsonSchema): readonly Placed[] {
  const maps = schemaMaps.flatMap((key) => Object.entries(isSchema(schema[key]) ? schema[key] : {}));
  const lists = schemaLists.flatMap((key) => {
    const list: unknown = schema[key];
    return Array.isArray(list) ? list.map((one: unknown, i) => [`${key}/${i}`, one] as const) : [];
  });
  const singles = singleSchemas.map((key) => [key, schema[key]] as const);
  return [...maps, ...lists, ...singles].flatMap(([name, one]) =>
    isSchema(one) ? [{ path: `${path}/${name}`, schema: one }] : [],
  );
}

/** A schema and all nested schemas with their paths. A property named `$ref` is data, not a reference. */
function everySchema({ path, schema }: Placed): readonly Placed[] {
  return [{ path, schema }, ...below(path, schema).flatMap(everySchema)];
}

const unions = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'enum'];

/** Clients drop a tool whose schema is not a plain object. */
const findAtTop = (schema: JsonSchema): readonly string[] => [
  ...(schema['type'] === 'object' ? [] : ['is not an object']),
  ...unions.filter((key) => key in schema).map((key) => `has ${key} at its top`),
];

/** Each of these keywords restricts a value. */
const saying = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'];

/** Tools whose arguments another tool validates, each with its reason. */
const openInputs: Readonly<Record<string, string>> = {
  'instructions/dispatch': 'the action it forwards to checks them',
};

function findInInput(schema: JsonSchema, isOpen: boolean): readonly string[] {
  const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : [];
  const silent = properties.filter(
    ([, one]) => isSchema(one) && !saying.some((key) => key in one) && !('description' in one),
  );
  return [
    ...findAtTop(schema),
    ...(schema['additionalProperties'] === false || isOpen ? [] : ['lets unknown arguments pass']),
    ...everySchema({ path: '', schema })
      .filter((placed) => '$ref' in placed.schema || '$defs' in placed.schema)
      .map(({ path }) => `has a reference at ${path === '' ? 'its top' : path}`),
    ...silent.map(([name]) => `says nothing about ${name}`),
  ];
}

/** Schemas that make a client drop or misread a tool. */
export const findSchemaViolations = (cards: readonly Card[]): readonly string[] =>
  cards.flatMap((card) => [
    ...findInInput(card.inputSchema, card.name in openInputs).map(
      (violation) => `${card.name}: its input ${violation}`,
    ),
    ...findAtTop(card.outputSchema).map((violation) => `${card.name}: its output ${violation}`),
  ]);
