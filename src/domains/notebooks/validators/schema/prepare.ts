import { isObject } from '#kernel/json/is-object.ts';

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

/** Keywords whose value is data and no schema. */
const dataKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);
/** Keywords whose members are named by the user: what is called `enum` there is a name and no keyword. */
const namedSchemas: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependentSchemas',
  'dependencies',
]);
const references: ReadonlySet<string> = new Set(['$id', '$ref', '$schema', '$dynamicRef', '$recursiveRef']);

const isDraft7 = (dialect: string): boolean => dialect.startsWith('http://json-schema.org/draft-07/schema');

/**
 * The library takes no schema that calls itself `file:`, because it could read files; ours cannot, and a schema may be
 * called anything. Under another scheme the name means the same.
 */
const renameFile = (uri: string): string => (/^file:/i.test(uri) ? `x-file:${uri.slice(5)}` : uri);

/**
 * A copy of a schema as the library understands it rightly:
 * - `file:` ids get another scheme;
 * - `$vocabulary` stays only where it makes a dialect of the whole document, for it changes what other schemas mean;
 * - in draft 7 a `$ref` hides its siblings, also an `$id`, and may point into a part that has an id of its own.
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
