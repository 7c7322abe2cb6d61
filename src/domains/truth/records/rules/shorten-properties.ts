import { isObject } from '#kernel/json/is-object.ts';
import { truthPageLimits } from '../../page-limits.ts';
import type { Properties } from './properties.ts';

/** The same properties with long texts, lists and objects cut, so that a list of records stays small. */
export function shortenProperties(properties: Properties): {
  readonly properties: Properties;
  readonly shortened?: true;
} {
  const { briefTextChars, briefValuesCount } = truthPageLimits;
  let left = briefValuesCount;
  let isShortened = false;

  function isLeft(): boolean {
    left -= 1;
    if (left < 0) isShortened = true;
    return left >= 0;
  }

  function shorten(value: unknown): unknown {
    if (typeof value === 'string' && value.length > briefTextChars) {
      isShortened = true;
      return `${value.slice(0, briefTextChars).toWellFormed()}…`;
    }
    if (Array.isArray(value)) return value.filter(isLeft).map(shorten);
    if (!isObject(value)) return value;
    const members = Object.entries(value).filter(isLeft);
    return Object.fromEntries(members.map(([name, one]) => [name, shorten(one)]));
  }

  const short = shorten(properties) as Properties;
  return { properties: short, ...(isShortened ? { shortened: true as const } : {}) };
}
