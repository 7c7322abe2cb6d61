import { faults } from '#kernel/fault/kernel-faults.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import { truthLimits } from '../../truth-limits.ts';

export type Properties = Readonly<Record<string, Json>>;

/** What is wrong with a value; undefined when a record can hold it. The map around it is the first level. */
function flawOf(value: unknown, depth: number): string | undefined {
  if (depth > truthLimits.propertiesDepth) return `are nested deeper than ${truthLimits.propertiesDepth} levels`;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'hold a number that is not finite';
  if (value === null || typeof value !== 'object') return undefined;
  for (const item of Object.values(value)) {
    const flaw = flawOf(item, typeof item === 'object' ? depth + 1 : depth);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

const refuse = (why: string) => faults.VALIDATION_ERROR({ why: `properties ${why}` }, { field: 'properties' });

/** Given by somebody: every value is JSON, and none is lost on its way into the store. */
export function checkProperties(given: Readonly<Record<string, unknown>>): Properties {
  const flaw = flawOf(given, 1);
  if (flaw !== undefined) throw refuse(flaw);
  return given as Properties;
}

/** As they are kept. */
export function printProperties(properties: Properties): string {
  const { propertiesBytes, propertiesCount } = truthLimits;
  if (Object.keys(properties).length > propertiesCount) throw refuse(`are more than ${propertiesCount}`);
  const text = JSON.stringify(properties);
  if (Buffer.byteLength(text) > propertiesBytes) throw refuse(`have more than ${propertiesBytes} bytes of JSON`);
  return text;
}

export const parseProperties = (text: string): Properties => JSON.parse(text) as Properties;

/** At the top level; a map inside is replaced as a whole. Spreading defines members, so `__proto__` is one like others. */
export const mergeProperties = (before: Properties, given: Properties): Properties => ({ ...before, ...given });

/** The same value in another order of keys is the same value. */
export const printMember = (name: string, value: unknown): string => canonicalJson([name, value]);
