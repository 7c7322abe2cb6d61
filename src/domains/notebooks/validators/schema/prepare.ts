import { isObject } from '#kernel/json/is-object.ts';

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

/** Keywords whose value is data, not a schema. */
export const dataKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);
/** Keywords whose members have names of the user's choice: `enum` is not a keyword there. */
export const namedSchemas: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependentSchemas',
  'dependencies',
]);
const references: ReadonlySet<string> = new Set(['$id', '$ref', '$schema', '$dynamicRef', '$recursiveRef']);

const isDraft7 = (dialect: string): boolean => dialect.startsWith('http://json-schema.org/draft-07/schema');

/** The library rejects `file:` ids, because it could read files. Ours cannot, so another scheme is as good. */
const renameFile = (uri: string): string => (/^file:/i.test(uri) ? `x-file:${uri.slice(5)}` : uri);

/**
 * A copy of a schema, adapted to the library:
 * - `file:` ids get another scheme;
 * - `$vocabulary` stays only at the root, because elsewhere it would affect other schemas;
 * - in draft 7 a `$ref` hides its siblings, including `$id`, and may point into a part with its own id.
 */
export function prepareSchema(schema: Json, defaultDialect: string): Json {
  const dialect = isObject(schema) && typeof schema['$schema'] === 'string' ? schema['$schema'] : defaultDialect;
  const isOld = isDraft7(dialect);

  function toMember(name: string, value: Json, resource: JsonObject, isRoot: boolean): Json {
    if (references.has(name) && typeof value === 'string')
      return renameFile(isOld && name === '$ref' ? crossResources(value, resource) : value);
    if (dataKeywords.has(name)) return value;
    if (name === '$vocabulary') return isRoot ? value : undefined;
    if (!namedSchemas.has(name) || !isObject(value)) return copy(value, resource, false);
    return mapMembers(value, (member) => copy(member, resource, false));
  }

  function copy(value: Json, resource: JsonObject, isRoot: boolean): Json {
    if (Array.isArray(value)) return value.map((item) => copy(item, resource, false));
    if (!isObject(value)) return value;
    const hidesId = isOld && typeof value['$ref'] === 'string';
    const own = !hidesId && isResource(value) ? value : resource;
    return mapMembers(value, (member, name) =>
      hidesId && name === '$id' ? undefined : toMember(name, member, own, isRoot),
    );
  }

  return isObject(schema) ? copy(schema, schema, true) : schema;
}

function mapMembers(value: JsonObject, change: (member: Json, name: string) => Json): JsonObject {
  const entries = Object.entries(value).map(([name, member]) => [name, change(member, name)] as const);
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

const isResource = (value: Json): value is JsonObject & { readonly $id: string } =>
  isObject(value) && typeof value['$id'] === 'string' && !value['$id'].startsWith('#');

/** `#/definitions/a/definitions/b` where `a` has the id `x/` is `x/#/definitions/b`. */
function crossResources(ref: string, resource: JsonObject): string {
  if (!ref.startsWith('#/')) return ref;
  const parts = ref.slice(2).split('/');
  let here: Json = resource;
  let crossed = ref;
  for (const [index, part] of parts.entries()) {
    const name = decodePart(part);
    here = Array.isArray(here)
      ? here[Number(name)]
      : isObject(here) && Object.hasOwn(here, name)
        ? here[name]
        : undefined;
    if (isResource(here)) {
      const rest = parts.slice(index + 1);
      crossed = rest.length === 0 ? here.$id : `${here.$id}#/${rest.join('/')}`;
    }
  }
  return crossed;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}
