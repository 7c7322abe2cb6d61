import { isObject } from '#kernel/json/is-object.ts';

type JsonMap = Readonly<Record<string, unknown>>;

/** A place in a schema that names another one. */
export interface OutsideReference {
  /** JSON pointer of the keyword. */
  readonly at: string;
  readonly keyword: string;
  /** As it is written there. */
  readonly ref: string;
  /** What it names, without the part behind `#`. */
  readonly uri: string;
}

export interface References {
  /** The names that the schema and its parts give themselves. */
  readonly ids: ReadonlySet<string>;
  /** To what the schema itself does not hold. */
  readonly outside: readonly OutsideReference[];
  /** Into the schema itself, to a place that is not there. */
  readonly dangling: readonly Omit<OutsideReference, 'uri'>[];
}

const referring: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$schema']);
/** Their values are data, whatever it looks like. */
const data: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);
/** Their members are called as the user likes. */
const named: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas', 'dependencies'],
]);

const escapePart = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
const withoutFragment = (uri: string): string => uri.split('#', 1)[0]!;

/** Undefined when it is no name that could be followed. */
function resolve(ref: string, base: string): string | undefined {
  return URL.canParse(ref, base) ? withoutFragment(new URL(ref, base).href) : undefined;
}

function hasPlace(root: unknown, pointer: string): boolean {
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

interface Place {
  readonly value: unknown;
  readonly at: string;
  readonly base: string;
  /** The part with an id of its own that this stands in. */
  readonly resource: JsonMap;
  /** Its keys are names, not keywords. */
  readonly isNamed: boolean;
}

/** What a schema refers to. Without recursion: a schema is a stranger's and may be deep. */
export function findReferences(schema: JsonMap, rootUri: string): References {
  const ids = new Set<string>([rootUri]);
  const anchors = new Set<string>();
  const found: (Omit<OutsideReference, 'uri'> & Pick<Place, 'base' | 'resource'>)[] = [];
  const open: Place[] = [{ value: schema, at: '', base: rootUri, resource: schema, isNamed: false }];

  function enter(place: Place & { readonly value: JsonMap }): Pick<Place, 'base' | 'resource'> {
    const { value, base, resource } = place;
    for (const key of ['$anchor', '$dynamicAnchor']) {
      if (typeof value[key] === 'string') anchors.add(value[key]);
    }
    const id = value['$id'];
    if (typeof id !== 'string') return { base, resource };
    // Draft 7 makes anchors so.
    if (id.startsWith('#')) anchors.add(id.slice(1));
    const own = id.startsWith('#') ? undefined : resolve(id, base);
    if (own === undefined) return { base, resource };
    ids.add(own);
    return { base: own, resource: value };
  }

  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, at, isNamed } = place;
    if (Array.isArray(value)) {
      value.forEach((item: unknown, i) => void open.push({ ...place, value: item, at: `${at}/${i}`, isNamed: false }));
      continue;
    }
    if (!isObject(value)) continue;
    const own = isNamed ? place : enter({ ...place, value });
    for (const [key, member] of Object.entries(value)) {
      const inside = `${at}/${escapePart(key)}`;
      if (!isNamed && referring.has(key) && typeof member === 'string') {
        found.push({ at: inside, keyword: key, ref: member, base: own.base, resource: own.resource });
      } else if (isNamed || !data.has(key)) {
        const { base, resource } = own;
        open.push({ value: member, at: inside, base, resource, isNamed: !isNamed && named.has(key) });
      }
    }
  }

  const outside: OutsideReference[] = [];
  const dangling: Omit<OutsideReference, 'uri'>[] = [];
  for (const { at, keyword, ref, base, resource } of found.toSorted((a, b) => (a.at < b.at ? -1 : 1))) {
    if (ref.startsWith('#')) {
      const place = decode(ref.slice(1));
      const isThere = place === '' || (place.startsWith('/') ? hasPlace(resource, place) : anchors.has(place));
      if (!isThere) dangling.push({ at, keyword, ref });
      continue;
    }
    const uri = resolve(ref, base) ?? ref;
    if (!ids.has(uri)) outside.push({ at, keyword, ref, uri });
  }
  return { ids, outside, dangling };
}
