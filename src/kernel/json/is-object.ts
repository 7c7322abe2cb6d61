/** One step of a JSON Pointer (RFC 6901), with its two special characters escaped. */
export const pointerStep = (part: PropertyKey): string =>
  `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;

export const toPointer = (path: readonly PropertyKey[]): string => path.map(pointerStep).join('');

/** A JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
