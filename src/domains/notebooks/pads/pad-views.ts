import { toIso } from '#kernel/clock/clock.ts';
import { typeOfLanguage } from '../languages.ts';
import type { FullCell, FullPad, LightCell, LightPad, ListedCell } from '../notebook-model.ts';
import type { SchemaRow } from '../schemas/schema-store.ts';
import { type SharedSchema, toSharedSchema } from '../schemas/schemas.ts';
import type { LightCellRow, ListedCellRow, ReadCellRow } from './cell-store.ts';
import type { PadRow } from './pad-store.ts';
import { parseTags } from './pad-tags.ts';

/** Most pads are only appended to and have growing ids, so their rows are already in order. */
export const byPosition = <Row extends { readonly position: number }>(rows: readonly Row[]): readonly Row[] =>
  rows.every(({ position }, i) => position === i) ? rows : rows.toSorted((a, b) => a.position - b.position);

const parseMap = (text: string): Record<string, unknown> =>
  text === '{}' ? {} : (JSON.parse(text) as Record<string, unknown>);

export function toLightCell(row: LightCellRow): LightCell {
  const { cell_id, position, language, revision } = row;
  const cell = { cell_id, index: position, language, type: typeOfLanguage(language), revision };
  return row.tags === '[]' ? cell : { ...cell, tags: parseTags(row.tags) };
}

/** The metadata of an answer repeats the tags. */
function toMetadata(text: string, tags: readonly string[]): Record<string, unknown> {
  const metadata = parseMap(text);
  if (tags.length > 0) metadata['tags'] = tags;
  return metadata;
}

export const toListedCell = (row: ListedCellRow): ListedCell => ({
  ...toLightCell(row),
  metadata: toMetadata(row.metadata, parseTags(row.tags)),
  ...(row.preview !== null && { preview: row.preview }),
  content_bytes: row.content_bytes,
});

export function toFullCell(row: ReadCellRow, content: string): FullCell {
  const { cell_id, position, language, revision } = row;
  const tags = parseTags(row.tags);
  const cell: FullCell = {
    cell_id,
    index: position,
    language,
    type: typeOfLanguage(language),
    content,
    validate: row.validate === 1,
    metadata: toMetadata(row.metadata, tags),
    tags,
    revision,
  };
  if (row.json_schema !== null) cell.json_schema = JSON.parse(row.json_schema) as unknown;
  return cell;
}

const toSchemaMap = (rows: readonly SchemaRow[]): Record<string, SharedSchema> =>
  Object.fromEntries(rows.map((row) => [row.name ?? row.schema_id, toSharedSchema(row)]));

type PadFields = Omit<LightPad, 'cells'>;

export type PadViewRow = Omit<PadRow, 'has_schemas'>;

/** Without `schemas` the answer has no metadata. */
function toPadFields(row: PadViewRow, schemas: readonly SchemaRow[] | undefined): PadFields {
  const tags = parseTags(row.tags);
  const cellTags = parseTags(row.cell_tags);
  const { scratch_id, title, description, summary, namespace } = row;
  const fields: PadFields = {
    scratch_id,
    title,
    description,
    namespace,
    tags,
    cell_tags: cellTags,
    cell_count: row.cell_count,
    revision: row.revision,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
  if (summary !== null) fields.summary = summary;
  if (schemas === undefined) return fields;
  const metadata = Object.assign(parseMap(row.metadata), { title, description, namespace, tags, cell_tags: cellTags });
  if (summary !== null) metadata['summary'] = summary;
  if (schemas.length > 0) metadata['schemas'] = toSchemaMap(schemas);
  fields.metadata = metadata;
  return fields;
}

/** Without the schemas: they can be long, and the answer to a write does not need them. */
export const toLightPad = (row: PadViewRow, cells: readonly LightCellRow[]): LightPad =>
  Object.assign(toPadFields(row, []), { cells: byPosition(cells).map(toLightCell) });

export const toFullPad = (
  row: PadRow,
  cells: readonly FullCell[],
  schemas: readonly SchemaRow[] | undefined,
): FullPad => Object.assign(toPadFields(row, schemas), { cells: [...cells] });
