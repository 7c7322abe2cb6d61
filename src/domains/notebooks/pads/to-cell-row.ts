import { notebookLimits } from '../notebook-limits.ts';
import type { CellInput } from '../notebook-model.ts';
import type { CellRow } from './cell-store.ts';
import { overLimit } from './pad-faults.ts';
import { uniteTags } from './pad-tags.ts';

/** The columns of a cell that the caller decides. */
export type CellFields = Omit<CellRow, 'cell_id' | 'position' | 'revision'> & { readonly tagList: readonly string[] };

export function toMapText(map: Readonly<Record<string, unknown>>, what: string, maxBytes: number): string {
  const text = JSON.stringify(map);
  if (Buffer.byteLength(text) > maxBytes) throw overLimit(`${what} has more than ${maxBytes} bytes`, maxBytes);
  return text;
}

function toSchemaText(schema: CellInput['json_schema']): string | null {
  if (schema === undefined) return null;
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) > notebookLimits.cellSchemaBytes) {
    throw overLimit(
      `the json_schema of a cell has more than ${notebookLimits.cellSchemaBytes} bytes; store it with scratch_upsert_schema and refer to it`,
      notebookLimits.cellSchemaBytes,
    );
  }
  return text;
}

/** A control character takes up to six bytes in JSON, so shorter contents need no exact count. */
function limitJsonBytes(content: string, bytes: number): void {
  const most = notebookLimits.cellJsonBytes;
  if (bytes * 6 <= most) return;
  const jsonBytes = Buffer.byteLength(JSON.stringify(content));
  if (jsonBytes > most) {
    throw overLimit(`the content of a cell has ${jsonBytes} bytes as JSON; an answer can hold at most ${most}`, most);
  }
}

/** `maxBytes` 0: limited only by what an answer can hold. */
export function toCellFields(input: CellInput, maxBytes: number): CellFields {
  const bytes = Buffer.byteLength(input.content);
  if (maxBytes > 0 && bytes > maxBytes)
    throw overLimit(`the cell has ${bytes} bytes; the maximum is ${maxBytes}`, maxBytes);
  limitJsonBytes(input.content, bytes);
  const { tags: innerTags, ...metadata } = input.metadata ?? {};
  const tagList = uniteTags(input.tags, innerTags);
  return {
    language: input.language,
    validate: input.validate ? 1 : 0,
    tags: JSON.stringify(tagList),
    tagList,
    content_bytes: bytes,
    json_schema: toSchemaText(input.json_schema),
    metadata: toMapText(metadata, 'the metadata of a cell', notebookLimits.cellMetadataBytes),
    content: input.content,
  };
}
