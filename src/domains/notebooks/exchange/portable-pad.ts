import { isObject } from '#kernel/json/is-object.ts';
import { isEmpty, type JsonMap, textList, without } from './json-map.ts';

/** A cell as files carry it and as `scratch_create` takes it. */
export interface PortableCell {
  readonly cell_id?: string;
  readonly language: string;
  readonly content: string;
  readonly validate?: true;
  readonly json_schema?: JsonMap | string;
  /** Without tags; left out when empty. */
  readonly metadata?: JsonMap;
  readonly tags?: readonly string[];
}

/** A pad as files carry it. Without an id when the file names none. */
export interface PortablePad {
  readonly scratch_id?: string;
  readonly metadata: JsonMap;
  readonly cells: readonly PortableCell[];
}

/** A pad out of a file, and what of the file it does not show. */
export interface ReadPad {
  readonly pad: PortablePad;
  readonly warnings: readonly string[];
}

/** Any cell-like map, as a tool answers it or a file holds it; what is empty or of another type is left out. */
export function toPortableCell(cell: JsonMap & { readonly language: string; readonly content: string }): PortableCell {
  const { cell_id, language, content, validate, json_schema } = cell;
  const metadata = isObject(cell['metadata']) ? cell['metadata'] : {};
  const bare = without(metadata, 'tags');
  const tags = [...new Set([...textList(cell['tags']), ...textList(metadata['tags'])])];
  return {
    ...(typeof cell_id === 'string' ? { cell_id } : {}),
    language,
    content,
    ...(validate === true ? { validate } : {}),
    ...(isObject(json_schema) || typeof json_schema === 'string' ? { json_schema } : {}),
    ...(isEmpty(bare) ? {} : { metadata: bare }),
    ...(tags.length === 0 ? {} : { tags }),
  };
}

/** What the server works out by itself is no part of a file. */
const computed = ['cell_tags'];

const isNothing = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** The pad's metadata without what is computed, and without canonical fields that say nothing. */
export function toPortableMetadata(metadata: JsonMap): JsonMap {
  const canonical = ['title', 'description', 'summary', 'namespace', 'tags'];
  return without(metadata, ...computed, ...canonical.filter((key) => isNothing(metadata[key])));
}
