import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#kernel/json/is-object.ts';
import { type Language, toLanguage, typeOfLanguage } from '../../languages.ts';
import { isEmpty, type JsonMap } from '../json-map.ts';
import { languageOfMimeType, mimeTypeOf } from '../language-names.ts';

/** The names that Jupyter and editors use, where they differ. */
const longNames: Partial<Record<Language, string>> = {
  py: 'python',
  js: 'javascript',
  jsx: 'javascriptreact',
  ts: 'typescript',
  tsx: 'typescriptreact',
  rs: 'rust',
  rb: 'ruby',
  cs: 'csharp',
  sh: 'bash',
};

const toLongName = (language: Language): string => longNames[language] ?? language;

const textOf = (map: unknown, key: string): string | undefined => {
  const value = isObject(map) ? map[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Python if the notebook names no language, `txt` for an unknown one. */
export function languageOfKernel(metadata: JsonMap): Language {
  const { kernelspec, language_info } = metadata;
  const names = [textOf(language_info, 'name'), textOf(kernelspec, 'language'), textOf(kernelspec, 'name')];
  const given = names.filter((name) => name !== undefined);
  if (given.length === 0) return 'py';
  return given.map(toLanguage).find((language) => language !== undefined) ?? 'txt';
}

/** The kernel for the most frequent language of code cells; empty if there is none. */
export function guessKernel(languages: readonly Language[]): JsonMap {
  const counts = new Map<Language, number>();
  for (const language of languages) {
    if (typeOfLanguage(language) === 'code') counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  if (most === undefined) return {};
  const name = toLongName(most);
  const kernelspec =
    most === 'py'
      ? { display_name: 'Python 3', language: name, name: 'python3' }
      : { display_name: name, language: name, name };
  return { kernelspec, language_info: { name } };
}

export type CellType = 'code' | 'markdown' | 'raw';

export const isCellType = (value: unknown): value is CellType =>
  value === 'code' || value === 'markdown' || value === 'raw';

export const typeOfCell = (language: Language): CellType =>
  language === 'md' ? 'markdown' : typeOfLanguage(language) === 'code' ? 'code' : 'raw';

/** The language of a cell without our own metadata. */
export function inferLanguage(type: CellType, metadata: JsonMap, kernelLanguage: Language): Language {
  if (type === 'markdown') return 'md';
  if (type === 'raw') {
    const format = metadata['format'] ?? metadata['raw_mimetype'];
    return (typeof format === 'string' ? languageOfMimeType(format) : undefined) ?? 'txt';
  }
  const { vscode } = metadata;
  const id = isObject(vscode) ? vscode['languageId'] : undefined;
  return (typeof id === 'string' ? toLanguage(id) : undefined) ?? kernelLanguage;
}

/** Metadata for other tools, for a cell in another language than the kernel's. */
export function languageMetadata(type: CellType, language: Language, kernelLanguage: Language): JsonMap {
  if (type === 'raw' && language !== 'txt' && language !== 'md') return { format: mimeTypeOf(language) };
  if (type === 'code' && language !== kernelLanguage && language !== 'txt') {
    return { vscode: { languageId: toLongName(language) } };
  }
  return {};
}

/** Parts of a notebook cell that a pad has no field for; kept in the cell's metadata under `jupyter`. */
export interface JupyterParts {
  readonly cell_type?: CellType;
  readonly outputs?: readonly unknown[];
  readonly execution_count?: number;
  readonly attachments?: JsonMap;
  readonly metadata?: JsonMap;
}

/** Cell metadata with a field of its own in a pad. */
export const ownKeys: readonly string[] = ['fourfold', 'tags'];

const isOutputs = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((output) => isObject(output) && typeof output['output_type'] === 'string');

/** nbformat 4.5: an integer of at least 0. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isFilled = (value: unknown): boolean => isObject(value) && !isEmpty(value);

export function cellTypeOf(parts: unknown, implied: CellType): CellType {
  const type = isObject(parts) ? parts['cell_type'] : undefined;
  return isCellType(type) ? type : implied;
}

/** Whether the parts survive an export and import unchanged. Anything else under `jupyter` stays ordinary metadata. */
export function isJupyterParts(value: unknown, implied: CellType, language: JsonMap): value is JupyterParts {
  if (!isObject(value) || isEmpty(value)) return false;
  const type = cellTypeOf(value, implied);
  const isValid: Readonly<Record<string, (part: unknown) => boolean>> = {
    cell_type: (part) => isCellType(part) && part !== implied,
    outputs: (part) => type === 'code' && isOutputs(part),
    execution_count: (part) => type === 'code' && isCount(part),
    attachments: (part) => type !== 'code' && isFilled(part),
    metadata: (part) =>
      isObject(part) &&
      !isEmpty(part) &&
      !ownKeys.some((key) => Object.hasOwn(part, key)) &&
      !Object.keys(language).some((key) => isDeepStrictEqual(part[key], language[key])),
  };
  return Object.entries(value).every(([key, part]) => Object.hasOwn(isValid, key) && isValid[key]!(part));
}
