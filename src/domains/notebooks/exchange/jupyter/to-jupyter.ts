import { sha256Hex } from '#kernel/hash/hash.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { type Language, toLanguage } from '../../languages.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import { isEmpty, type JsonMap, without } from '../json-map.ts';
import type { PortableCell, PortablePad } from '../portable-pad.ts';
import {
  cellTypeOf,
  guessKernel,
  inferLanguage,
  isJupyterParts,
  type JupyterParts,
  languageMetadata,
  languageOfKernel,
  typeOfCell,
} from './jupyter-cells.ts';

/** nbformat 4.5. */
export interface JupyterNotebook {
  readonly nbformat: 4;
  readonly nbformat_minor: 5;
  readonly metadata: JsonMap;
  readonly cells: readonly JsonMap[];
}

/** Lines including their line ends. */
function toLines(content: string): readonly string[] {
  const lines = content.split('\n');
  const last = lines.pop() ?? '';
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])];
}

const languageOf = ({ language }: PortableCell): Language => toLanguage(language) ?? 'txt';

/** A hash replaces ids that the format does not allow. */
function toJupyterId(cell: PortableCell, index: number): string {
  const { cell_id } = cell;
  if (cell_id === undefined) return `cell-${index}`;
  const { jupyterIdChars } = notebookLimits;
  return /^[A-Za-z0-9_-]+$/.test(cell_id) && cell_id.length <= jupyterIdChars
    ? cell_id
    : sha256Hex(cell_id).slice(0, jupyterIdChars);
}

/** nbformat: tags must not contain commas. */
const isJupyterTag = (tag: string): boolean => tag !== '' && !tag.includes(',');

function toCell(cell: PortableCell, index: number, kernelLanguage: Language): JsonMap {
  const language = languageOf(cell);
  const implied = typeOfCell(language);
  const { metadata = {}, tags = [] } = cell;
  const hasParts = isJupyterParts(
    metadata['jupyter'],
    implied,
    languageMetadata(cellTypeOf(metadata['jupyter'], implied), language, kernelLanguage),
  );
  const parts: JupyterParts = hasParts ? (metadata['jupyter'] as JupyterParts) : {};
  const rest = hasParts ? without(metadata, 'jupyter') : metadata;
  const type = cellTypeOf(parts, implied);
  const shown = { ...languageMetadata(type, language, kernelLanguage), ...parts.metadata };
  const id = toJupyterId(cell, index);
  const jupyterTags = tags.filter(isJupyterTag);
  const fourfold = {
    ...(cell.cell_id === undefined || cell.cell_id === id ? {} : { cell_id: cell.cell_id }),
    ...(inferLanguage(type, shown, kernelLanguage) === language ? {} : { language }),
    ...(cell.validate === true ? { validate: true } : {}),
    ...(cell.json_schema === undefined ? {} : { json_schema: cell.json_schema }),
    ...(isEmpty(rest) ? {} : { metadata: rest }),
    ...(jupyterTags.length === tags.length ? {} : { tags }),
  };
  return {
    id,
    cell_type: type,
    metadata: {
      ...shown,
      ...(jupyterTags.length === 0 ? {} : { tags: jupyterTags }),
      ...(isEmpty(fourfold) ? {} : { fourfold }),
    },
    ...(type === 'code' ? { execution_count: parts.execution_count ?? null, outputs: parts.outputs ?? [] } : {}),
    ...(parts.attachments === undefined ? {} : { attachments: parts.attachments }),
    source: toLines(cell.content),
  };
}

/** The metadata of the notebook that the pad was imported from. */
function isNotebookMetadata(value: unknown): value is { readonly metadata: JsonMap } {
  if (!isObject(value) || Object.keys(value).join() !== 'metadata' || !isObject(value['metadata'])) return false;
  const { metadata } = value;
  return !isEmpty(metadata) && !Object.hasOwn(metadata, 'fourfold') && !Object.hasOwn(metadata, 'title');
}

export function toJupyter({ scratch_id, metadata, cells }: PortablePad): JupyterNotebook {
  const { jupyter, title } = metadata;
  const isImported = isNotebookMetadata(jupyter);
  const base = isImported ? jupyter.metadata : guessKernel(cells.map(languageOf));
  const rest = isImported ? without(metadata, 'jupyter') : metadata;
  const kernelLanguage = languageOfKernel(base);
  return {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {
      ...base,
      ...(typeof title === 'string' ? { title } : {}),
      fourfold: {
        ...(scratch_id === undefined ? {} : { scratch_id }),
        ...(isImported ? {} : { kernel: 'guessed' }),
        metadata: rest,
      },
    },
    cells: cells.map((cell, index) => toCell(cell, index, kernelLanguage)),
  };
}

/** Indented by one space, like Jupyter's own files. */
export const renderJupyter = (pad: PortablePad): string => `${JSON.stringify(toJupyter(pad), undefined, 1)}\n`;
