import { isObject } from '#kernel/json/is-object.ts';
import { type Language, typeOfLanguage } from '../../languages.ts';
import type { JsonMap } from '../json-map.ts';
import { toLanguage } from '../language-names.ts';
import { languageOfMimeType, mimeTypeOf } from '../mime-types.ts';
import { toLongName } from './kernels.ts';

export type CellType = 'code' | 'markdown' | 'raw';

export const isCellType = (value: unknown): value is CellType =>
  value === 'code' || value === 'markdown' || value === 'raw';

/** Code runs, Markdown is shown, anything else is kept as it is. */
export const typeOfCell = (language: Language): CellType =>
  language === 'md' ? 'markdown' : typeOfLanguage(language) === 'code' ? 'code' : 'raw';

/** What a reader without our own notes takes the cell for. */
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

/** What tells others the language of a cell that is not of the kernel's. */
export function languageMetadata(type: CellType, language: Language, kernelLanguage: Language): JsonMap {
  if (type === 'raw' && language !== 'txt' && language !== 'md') return { format: mimeTypeOf(language) };
  if (type === 'code' && language !== kernelLanguage && language !== 'txt') {
    return { vscode: { languageId: toLongName(language) } };
  }
  return {};
}
