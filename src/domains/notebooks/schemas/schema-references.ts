import { isObject } from '#kernel/json/is-object.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { dataKeywords, namedSchemas } from '../validators/schema/prepare.ts';
import type { SchemaRow } from './schema-store.ts';

type JsonMap = Readonly<Record<string, unknown>>;

interface ExternalReference {
  /** The JSON pointer of the keyword. */
  readonly at: string;
  readonly keyword: string;
  /** As written. */
  readonly ref: string;
  /** Without the fragment. */
  readonly uri: string;
}

interface SchemaReferences {
  /** The ids of the schema and its parts. */
  readonly ids: ReadonlySet<string>;
  readonly external: readonly ExternalReference[];
  /** References into the schema itself that have no target. */
  readonly dangling: readonly Omit<ExternalReference, 'uri'>[];
}

const referenceKeywords: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$schema']);
const escapePart = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
const withoutFragment = (uri: string): string => uri.split('#', 1)[0]!;

/** Undefined for an invalid URI. */
function resolve(ref: string, base: string): string | undefined {
  return URL.canParse(ref, base) ? withoutFragment(new URL(ref, base).href) : undefined;
}

function hasTarget(root: unknown, pointer: string): boolean {
  let here: unknown = root;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) here = here[Number(name)];
    else here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
    if (here === undefined) return false;
  }
  return true;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface SchemaNode {
  readonly value: unknown;
  readonly at: string;
  readonly base: string;
  /** The enclosing part with its own id. */
  readonly resource: JsonMap;
  /** The keys are names, not keywords. */
  readonly isNamed: boolean;
}

/** Not recursive, because an untrusted schema may be deep. */
function findReferences(schema: JsonMap, rootUri: string): SchemaReferences {
  const ids = new Set<string>([rootUri]);
  const anchors = new Set<string>();
  const found: (Omit<ExternalReference, 'uri'> & Pick<SchemaNode, 'base' | 'resource'>)[] = [];
  const open: SchemaNode[] = [{ value: schema, at: '', base: rootUri, resource: schema, isNamed: false }];

  function enter(node: SchemaNode & { readonly value: JsonMap }): Pick<SchemaNode, 'base' | 'resource'> {
    const { value, base, resource } = node;
    for (const key of ['$anchor', '$dynamicAnchor']) {
      if (typeof value[key] === 'string') anchors.add(value[key]);
    }
    const id = value['$id'];
    if (typeof id !== 'string') return { base, resource };
    // An anchor of draft 7.
    if (id.startsWith('#')) anchors.add(id.slice(1));
    const own = id.startsWith('#') ? undefined : resolve(id, base);
    if (own === undefined) return { base, resource };
    ids.add(own);
    return { base: own, resource: value };
  }

  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { value, at, isNamed } = node;
    if (Array.isArray(value)) {
      value.forEach((item: unknown, i) => void open.push({ ...node, value: item, at: `${at}/${i}`, isNamed: false }));
      continue;
    }
    if (!isObject(value)) continue;
    const own = isNamed ? node : enter({ ...node, value });
    for (const [key, member] of Object.entries(value)) {
      const inside = `${at}/${escapePart(key)}`;
      if (!isNamed && referenceKeywords.has(key) && typeof member === 'string') {
        found.push({ at: inside, keyword: key, ref: member, base: own.base, resource: own.resource });
      } else if (isNamed || !dataKeywords.has(key)) {
        const { base, resource } = own;
        open.push({ value: member, at: inside, base, resource, isNamed: !isNamed && namedSchemas.has(key) });
      }
    }
  }

  const external: ExternalReference[] = [];
  const dangling: Omit<ExternalReference, 'uri'>[] = [];
  for (const { at, keyword, ref, base, resource } of found.toSorted((a, b) => (a.at < b.at ? -1 : 1))) {
    if (ref.startsWith('#')) {
      const target = decode(ref.slice(1));
      const exists = target === '' || (target.startsWith('/') ? hasTarget(resource, target) : anchors.has(target));
      if (!exists) dangling.push({ at, keyword, ref });
      continue;
    }
    const uri = resolve(ref, base) ?? ref;
    if (!ids.has(uri)) external.push({ at, keyword, ref, uri });
  }
  return { ids, external, dangling };
}

const rootUri = 'scratchpad://cell/schema';
/** The supported dialects and their vocabularies. */
const standardUri = /^https?:\/\/json-schema\.org\/(?:draft-07\/schema|draft\/(?:2019-09|2020-12)\/)/;

const sharedUri = (name: string): string => `scratchpad://schemas/${encodeURIComponent(name)}`;
const shown = (ref: string): string => (ref.length > 200 ? `${ref.slice(0, 200)}…` : ref);

/** All URIs that refer to the schemas of a pad. */
function urisOf(rows: readonly SchemaRow[]): ReadonlySet<string> {
  const uris = new Set<string>();
  for (const { schema_id, name, schema } of rows) {
    for (const each of [schema_id, name]) {
      if (each === null) continue;
      uris.add(sharedUri(each));
      if (URL.canParse(each)) uris.add(new URL(each).href);
    }
    const { ids } = findReferences(JSON.parse(schema) as Readonly<Record<string, unknown>>, rootUri);
    for (const id of ids) uris.add(id);
  }
  return uris;
}

const toWarning = ({ at, keyword, ref }: ExternalReference): string =>
  keyword === '$schema'
    ? `${at}: ${shown(ref)} is not a supported dialect; use draft 7, 2019-09 or 2020-12`
    : `${at}: ${shown(ref)} is not a schema of this scratchpad, and nothing is fetched; cells cannot be validated with it until scratch_upsert_schema adds a schema with that name or $id`;

/** References that neither the schema nor its pad can resolve. */
export function findUnresolvedReferences(schema: object, padSchemas: readonly SchemaRow[]): readonly string[] {
  const { external, dangling } = findReferences(schema as Readonly<Record<string, unknown>>, rootUri);
  const uris = external.length === 0 ? new Set<string>() : urisOf(padSchemas);
  const missing = external.filter(({ uri }) => !standardUri.test(uri) && !uris.has(uri));
  return [
    ...dangling.map(({ at, ref }) => `${at}: ${shown(ref)} has no target in the schema`),
    ...missing.map(toWarning),
  ].slice(0, notebookLimits.warningsCount);
}

export const refersToOthers = (schema: object): boolean =>
  findReferences(schema as Readonly<Record<string, unknown>>, rootUri).external.length > 0;
