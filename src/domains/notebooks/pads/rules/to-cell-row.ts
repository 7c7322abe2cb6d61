import type { Fault } from '#kernel/fault/fault.ts';
import { notebookFaults } from '../../notebook-faults.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import type { CellInput } from '../../notebook-model.ts';
import type { CellRow } from '../pad-store.ts';
import { uniteTags } from './tags.ts';

/** Of a cell, as far as the caller decides it. */
export type GivenCell = Omit<CellRow, 'cell_id' | 'position' | 'revision'> & { readonly tagList: readonly string[] };

export const overLimit = (why: string, limit: number): Fault =>
  notebookFaults.CAPACITY_LIMIT_REACHED({ why }, { limit });

/** The JSON text of an open map; one that is too long is refused. */
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
      `the json_schema of a cell has more than ${notebookLimits.cellSchemaBytes} bytes; keep it with scratch_upsert_schema and refer to it`,
      notebookLimits.cellSchemaBytes,
    );
  }
  return text;
}

/** A control character can take six times its length in JSON; what cannot come near the limit is not looked through. */
function refuseUnreadable(content: string, bytes: number): void {
  const most = notebookLimits.cellJsonBytes;
  if (bytes * 6 <= most) return;
  const jsonBytes = Buffer.byteLength(JSON.stringify(content));
  if (jsonBytes > most) {
    throw overLimit(`the content of a cell has ${jsonBytes} bytes as JSON; no answer holds more than ${most}`, most);
  }
}

/** `maxBytes` 0: as long as it likes, as far as it can be read again. */
export function toGivenCell(input: CellInput, maxBytes: number): GivenCell {
  const bytes = Buffer.byteLength(input.content);
  if (maxBytes > 0 && bytes > maxBytes)
    throw overLimit(`a cell has ${bytes} bytes; at most ${maxBytes} may be`, maxBytes);
  refuseUnreadable(input.content, bytes);
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

export function refuseManyCellTags(cellTags: readonly string[]): void {
  if (cellTags.length > notebookLimits.cellTagsCount) {
    throw overLimit(
      `the cells of a scratchpad have at most ${notebookLimits.cellTagsCount} tags in all`,
      notebookLimits.cellTagsCount,
    );
  }
}
