import { isObject } from '#kernel/json/is-object.ts';
import { isEmpty, type JsonMap, textList, without } from './json-map.ts';

/** A cell in a file, and in the input of `scratch_create`. */
export interface PortableCell {
  readonly cell_id?: string;
  readonly language: string;
  readonly content: string;
  readonly validate?: true;
  readonly json_schema?: JsonMap | string;
  /** Without tags; undefined if empty. */
  readonly metadata?: JsonMap;
  readonly tags?: readonly string[];
}

/** A pad in a file. The id is undefined if the file has none. */
export interface PortablePad {
  readonly scratch_id?: string;
  readonly metadata: JsonMap;
  readonly cells: readonly PortableCell[];
}

/** `warnings` lists what the pad lost of the file. */
export interface ReadPad {
  readonly pad: PortablePad;
  readonly warnings: readonly string[];
}

/** From the answer of a tool or from a file; omits empty fields and fields of a wrong type. */
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

const isBlank = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** Without computed fields and without empty named fields. */
export function toPortableMetadata(metadata: JsonMap): JsonMap {
  const canonical = ['title', 'description', 'summary', 'namespace', 'tags'];
  return without(metadata, 'cell_tags', ...canonical.filter((key) => isBlank(metadata[key])));
}
