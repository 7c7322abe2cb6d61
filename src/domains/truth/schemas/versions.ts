import type { EntitySchema } from './entity-schema.ts';

/** 1.9 comes before 1.10. */
export function compareVersions(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number);
  const [majorB = 0, minorB = 0] = b.split('.').map(Number);
  return majorA - majorB || minorA - minorB;
}

/** Fields of `before` that `after` lacks or has with another type: with them it would forget or misread what was said. */
export const findLostFields = (before: EntitySchema, after: EntitySchema): readonly string[] =>
  Object.entries(before.fields)
    .filter(([name, { type }]) => !Object.hasOwn(after.fields, name) || after.fields[name]!.type !== type)
    .map(([name]) => name)
    .sort();
