import { isDeepStrictEqual } from 'node:util';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { type Language, toLanguage } from '../../languages.ts';
import { idPattern } from '../../notebook-ids.ts';
import { isEmpty, type JsonMap, textList, without } from '../json-map.ts';
import { type PortableCell, type ReadPad, toPortableCell } from '../portable-pad.ts';
import {
  type CellType,
  inferLanguage,
  isCellType,
  isCount,
  type JupyterParts,
  languageMetadata,
  languageOfKernel,
  ownKeys,
  typeOfCell,
} from './jupyter-cells.ts';

const mapOf = (value: unknown): JsonMap => (isObject(value) ? value : {});

/** A text, or a list of lines including their line ends. */
const sourceOf = (source: unknown): string =>
  typeof source === 'string'
    ? source
    : Array.isArray(source)
      ? source.filter((line) => typeof line === 'string').join('')
      : '';

function languageOfCell(type: CellType, metadata: JsonMap, kernelLanguage: Language): Language {
  const own = mapOf(metadata['fourfold'])['language'];
  return (typeof own === 'string' ? toLanguage(own) : undefined) ?? inferLanguage(type, metadata, kernelLanguage);
}

function toParts(cell: JsonMap, type: CellType, language: Language, kernelLanguage: Language): JupyterParts {
  const { outputs, execution_count, attachments } = cell;
  const implied = languageMetadata(type, language, kernelLanguage);
  const metadata = Object.fromEntries(
    Object.entries(mapOf(cell['metadata'])).filter(
      ([key, value]) =>
        !ownKeys.includes(key) && !(Object.hasOwn(implied, key) && isDeepStrictEqual(implied[key], value)),
    ),
  );
  return {
    ...(type === typeOfCell(language) ? {} : { cell_type: type }),
    ...(type === 'code' && Array.isArray(outputs) && outputs.length > 0 ? { outputs } : {}),
    ...(type === 'code' && isCount(execution_count) ? { execution_count } : {}),
    ...(type !== 'code' && isObject(attachments) && !isEmpty(attachments) ? { attachments } : {}),
    ...(isEmpty(metadata) ? {} : { metadata }),
  };
}

function readCell(cell: JsonMap, kernelLanguage: Language): PortableCell {
  const type = isCellType(cell['cell_type']) ? cell['cell_type'] : 'raw';
  const metadata = mapOf(cell['metadata']);
  const fourfold = mapOf(metadata['fourfold']);
  const language = languageOfCell(type, metadata, kernelLanguage);
  const parts = toParts(cell, type, language, kernelLanguage);
  const id = fourfold['cell_id'] ?? cell['id'];
  return toPortableCell({
    ...(typeof id === 'string' && idPattern.test(id) ? { cell_id: id } : {}),
    language,
    content: sourceOf(cell['source']),
    validate: fourfold['validate'],
    json_schema: fourfold['json_schema'],
    metadata: { ...mapOf(fourfold['metadata']), ...(isEmpty({ ...parts }) ? {} : { jupyter: parts }) },
    tags: textList(fourfold['tags'] ?? metadata['tags']),
  });
}

/** In an invalid notebook with a repeated id, only the first cell keeps it. */
function dropRepeatedIds(cells: readonly PortableCell[], warnings: string[]): readonly PortableCell[] {
  const seen = new Set<string>();
  return cells.map((cell) => {
    const { cell_id, ...bare } = cell;
    if (cell_id === undefined || !seen.has(cell_id)) {
      if (cell_id !== undefined) seen.add(cell_id);
      return cell;
    }
    warnings.push(`two cells have the id ${cell_id}; the second gets a new one`);
    return bare;
  });
}

/** Accepts nbformat 4 with any minor version. */
export function fromJupyter(json: unknown): ReadPad {
  if (!isObject(json) || json['nbformat'] !== 4 || !Array.isArray(json['cells'])) {
    const found = isObject(json) && typeof json['nbformat'] === 'number' ? ` It has nbformat ${json['nbformat']}.` : '';
    throw faults.VALIDATION_ERROR({ why: `The file must be a Jupyter notebook of nbformat 4.${found}` });
  }
  const metadata = mapOf(json['metadata']);
  const fourfold = mapOf(metadata['fourfold']);
  const { title } = metadata;
  const kernelLanguage = languageOfKernel(metadata);
  const guessed = fourfold['kernel'] === 'guessed' ? ['kernelspec', 'language_info'] : [];
  const rest = without(metadata, 'fourfold', ...(typeof title === 'string' ? ['title'] : []), ...guessed);
  const warnings: string[] = [];
  const cells = json['cells'].filter(isObject).map((cell) => readCell(cell, kernelLanguage));
  if (kernelLanguage === 'txt' && cells.some(({ language }) => language === 'txt')) {
    warnings.push('cells cannot have the language of the kernel; its code became txt cells');
  }
  return {
    pad: {
      ...(typeof fourfold['scratch_id'] === 'string' ? { scratch_id: fourfold['scratch_id'] } : {}),
      metadata: {
        ...mapOf(fourfold['metadata']),
        ...(typeof title === 'string' ? { title } : {}),
        ...(isEmpty(rest) ? {} : { jupyter: { metadata: rest } }),
      },
      cells: dropRepeatedIds(cells, warnings),
    },
    warnings,
  };
}
