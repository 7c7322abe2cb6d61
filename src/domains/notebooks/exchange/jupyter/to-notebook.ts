import { sha256Hex } from '#kernel/hash/hash.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { Language } from '../../languages.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import { isEmpty, type JsonMap, without } from '../json-map.ts';
import { toLanguage } from '../language-names.ts';
import type { PortableCell, PortablePad } from '../portable-pad.ts';
import { inferLanguage, languageMetadata, typeOfCell } from './cell-language.ts';
import { isKept, type KeptParts, keptType } from './kept-parts.ts';
import { guessKernel, languageOfKernel } from './kernels.ts';

/** nbformat 4.5. */
export interface Notebook {
  readonly nbformat: 4;
  readonly nbformat_minor: 5;
  readonly metadata: JsonMap;
  readonly cells: readonly JsonMap[];
}

/** Each line with its end, as the format has it. */
function toLines(content: string): readonly string[] {
  const lines = content.split('\n');
  const last = lines.pop() ?? '';
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])];
}

const languageOf = ({ language }: PortableCell): Language => toLanguage(language) ?? 'txt';

/** A cell's id where the format allows it, else one made of it. */
function toJupyterId(cell: PortableCell, index: number): string {
  const { cell_id } = cell;
  if (cell_id === undefined) return `cell-${index}`;
  const { jupyterIdChars } = notebookLimits;
  return /^[A-Za-z0-9_-]+$/.test(cell_id) && cell_id.length <= jupyterIdChars
    ? cell_id
    : sha256Hex(cell_id).slice(0, jupyterIdChars);
}

/** Jupyter's tags have no commas and come once. */
const isJupyterTag = (tag: string): boolean => tag !== '' && !tag.includes(',');

function toCell(cell: PortableCell, index: number, kernelLanguage: Language): JsonMap {
  const language = languageOf(cell);
  const implied = typeOfCell(language);
  const { metadata = {}, tags = [] } = cell;
  const isBack = isKept(
    metadata['jupyter'],
    implied,
    languageMetadata(keptType(metadata['jupyter'], implied), language, kernelLanguage),
  );
  const kept: KeptParts = isBack ? (metadata['jupyter'] as KeptParts) : {};
  const rest = isBack ? without(metadata, 'jupyter') : metadata;
  const type = keptType(kept, implied);
  const shown = { ...languageMetadata(type, language, kernelLanguage), ...kept.metadata };
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
    ...(type === 'code' ? { execution_count: kept.execution_count ?? null, outputs: kept.outputs ?? [] } : {}),
    ...(kept.attachments === undefined ? {} : { attachments: kept.attachments }),
    source: toLines(cell.content),
  };
}

/** The notebook's own metadata, kept when the pad came from one. */
function isKeptNotebook(value: unknown): value is { readonly metadata: JsonMap } {
  if (!isObject(value) || Object.keys(value).join() !== 'metadata' || !isObject(value['metadata'])) return false;
  const { metadata } = value;
  return !isEmpty(metadata) && !Object.hasOwn(metadata, 'fourfold') && !Object.hasOwn(metadata, 'title');
}

export function toNotebook({ scratch_id, metadata, cells }: PortablePad): Notebook {
  const { jupyter, title } = metadata;
  const isBack = isKeptNotebook(jupyter);
  const base = isBack ? jupyter.metadata : guessKernel(cells.map(languageOf));
  const rest = isBack ? without(metadata, 'jupyter') : metadata;
  const kernelLanguage = languageOfKernel(base);
  return {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {
      ...base,
      ...(typeof title === 'string' ? { title } : {}),
      fourfold: {
        ...(scratch_id === undefined ? {} : { scratch_id }),
        ...(isBack ? {} : { kernel: 'guessed' }),
        metadata: rest,
      },
    },
    cells: cells.map((cell, index) => toCell(cell, index, kernelLanguage)),
  };
}

/** As Jupyter itself writes it: indented by one. */
export const renderNotebook = (pad: PortablePad): string => `${JSON.stringify(toNotebook(pad), undefined, 1)}\n`;
