import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#kernel/json/is-object.ts';
import { isEmpty, type JsonMap } from '../json-map.ts';
import { type CellType, isCellType } from './cell-language.ts';

/** What a notebook's cell has and a pad's has not; it stands in the cell's metadata under `jupyter`. */
export interface KeptParts {
  readonly cell_type?: CellType;
  readonly outputs?: readonly unknown[];
  readonly execution_count?: number;
  readonly attachments?: JsonMap;
  readonly metadata?: JsonMap;
}

/** Cell metadata that is not kept aside, because it is ours or has a place of its own in a pad. */
export const ownKeys: readonly string[] = ['fourfold', 'tags'];

const isOutputs = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((output) => isObject(output) && typeof output['output_type'] === 'string');

/** nbformat 4.5: a number from 0 on. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isFilled = (value: unknown): boolean => isObject(value) && !isEmpty(value);

/** The type that the kept parts ask for, when they may. */
export function keptType(kept: unknown, implied: CellType): CellType {
  const type = isObject(kept) ? kept['cell_type'] : undefined;
  return isCellType(type) ? type : implied;
}

/**
 * Whether what stands under `jupyter` can go back to its places and come out of them the same. What somebody else wrote
 * there in another shape stays metadata.
 */
export function isKept(value: unknown, implied: CellType, language: JsonMap): value is KeptParts {
  if (!isObject(value) || isEmpty(value)) return false;
  const type = keptType(value, implied);
  const checks: Readonly<Record<string, (part: unknown) => boolean>> = {
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
  return Object.entries(value).every(([key, part]) => Object.hasOwn(checks, key) && checks[key]!(part));
}
