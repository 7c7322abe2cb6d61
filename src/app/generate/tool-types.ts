import type { Card } from '#kernel/tool/card.ts';

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const literal = (value: unknown): string => JSON.stringify(value);
const union = (types: readonly string[]): string =>
  types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ');
const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text);

function toObjectType(schema: Schema): string {
  const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const fields = properties.map(([name, inner]) => {
    const key = isName(name) ? name : literal(name);
    return required.has(name) ? `${key}: ${toType(inner)}` : `${key}?: ${union([toType(inner), 'undefined'])}`;
  });
  const others = schema['additionalProperties'];
  const hasOthers = others === true || (isSchema(others) && Object.keys(others).length >= 0);
  // A schema with both kinds of fields cannot be one TypeScript object, because the named fields have other types.
  if (fields.length === 0) return hasOthers ? `Record<string, ${toType(others)}>` : 'Record<string, unknown>';
  return `{ ${fields.join('; ')} }`;
}

function toType(schema: unknown): string {
  if (!isSchema(schema)) return 'unknown';
  if ('const' in schema) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map(literal));
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return union(choices.map((choice) => toType(choice)));
  if (Array.isArray(schema['allOf'])) return schema['allOf'].map((part) => `(${toType(part)})`).join(' & ');
  const { type } = schema;
  if (Array.isArray(type)) return union(type.map((one: unknown) => toType({ ...schema, type: one })));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `(${toType(schema['items'])})[]`;
    case 'object':
      return toObjectType(schema);
    default:
      return 'unknown';
  }
}

/** Input and output of every tool that the dashboard can call. */
export function renderToolTypes(cards: readonly Card[]): string {
  const lines = cards
    .filter((card) => card.expose.includes('http'))
    .map(
      ({ listedName, inputSchema, outputSchema }) =>
        `  ${listedName}: { input: ${toType(inputSchema)}; output: ${toType(outputSchema)} };`,
    );
  return `// Generated from the registry by \`npm run generate\`.\nexport interface Tools {\n${lines.join('\n')}\n}\n`;
}
