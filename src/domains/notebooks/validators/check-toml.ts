import { parse, TomlError } from 'smol-toml';
import { findTomlPlaces } from './toml-places.ts';
import type { DataVerdict } from './verdict.ts';

export function checkToml(text: string): DataVerdict {
  try {
    const value = parse(text, { integersAsBigInt: 'asNeeded' });
    const placesOf = findTomlPlaces.bind(undefined, text);
    return { errors: [], warnings: [], documents: () => [{ value: toPlain(value), placesOf }] };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    return {
      errors: [{ message: toMessage(error.message), code: 'TOML_SYNTAX', line, column }],
      warnings: [],
      documents: () => [],
    };
  }
}

/** `Invalid TOML document: what is wrong`, a blank line and a picture of the place. */
const toMessage = (message: string): string => message.split('\n', 1)[0]!.replace('Invalid TOML document: ', '');

/** As JSON has it: dates are strings, and whole numbers beyond what a double holds are doubles. */
function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlain(member)]));
}
