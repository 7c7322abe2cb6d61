import { faults } from '#kernel/fault/kernel-faults.ts';
import { scanJson } from '#kernel/json/scan.ts';
import { findIllFormedText } from '#kernel/text/well-formed.ts';
import { checkProperties, isMap, type Properties, printProperties } from '../records/rules/properties.ts';
import { truthLimits } from '../truth-limits.ts';

const refuse = (why: string) => faults.VALIDATION_ERROR({ why: `properties ${why}` }, { field: 'properties' });

/** The document sends them as text. What it holds never went through the door's own look at the arguments. */
export function parseGivenProperties(text: string): Properties {
  if (scanJson(Buffer.from(text), truthLimits.propertiesDepth) === 'too-deep')
    throw refuse(`are nested deeper than ${truthLimits.propertiesDepth} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('must be JSON');
  }
  if (!isMap(value)) throw refuse('must be a JSON object');
  if (findIllFormedText(value) !== undefined) throw refuse('hold NUL or half of a surrogate pair');
  const properties = checkProperties(value);
  printProperties(properties);
  return properties;
}
