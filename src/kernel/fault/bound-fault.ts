import { limits } from '../limits.ts';

const ellipsis = '…';

/** The beginning of a text, without half a character at its end. */
export const cutText = (text: string, chars: number): string =>
  text.length <= chars
    ? text
    : `${text
        .slice(0, chars - ellipsis.length)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}${ellipsis}`;

interface Budget {
  left: number;
}

/** Numbers, booleans, null, and the punctuation of a member. */
const plainBytes = 24;

/**
 * An MCP answer contains the fault as JSON within a JSON string, so control characters and quotes are escaped twice. Of
 * the characters after them, the command line writes those that a terminal might obey as six.
 */
function costOf(text: string, most: number): number {
  if (text.length > most) return Number.POSITIVE_INFINITY;
  return JSON.stringify(JSON.stringify(text)).length + 5 * (text.match(/[\u007f-\uffff]/g)?.length ?? 0);
}

/** Takes the cost of a value from the budget; false as soon as it is used up. Reads no more than fits. */
function spend(value: unknown, budget: Budget): boolean {
  if (typeof value === 'string') budget.left -= costOf(value, budget.left);
  else budget.left -= plainBytes;
  if (budget.left < 0) return false;
  if (Array.isArray(value)) return value.every((item) => spend(item, budget));
  if (value === null || typeof value !== 'object') return true;
  for (const key in value) {
    if (!spend(key, budget) || !spend((value as Record<string, unknown>)[key], budget)) return false;
  }
  return true;
}

const shortChars = 200;

/** A copy that fits the budget: long texts are cut, and what comes after the end of the budget is left out. */
function clip(value: unknown, budget: Budget): unknown {
  if (typeof value === 'string') {
    const text = cutText(value, shortChars);
    return spend(text, budget) ? text : undefined;
  }
  if (value === null || typeof value !== 'object') return spend(value, budget) ? value : undefined;
  budget.left -= plainBytes;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      const copy = clip(item, budget);
      if (budget.left < 0) break;
      items.push(copy);
    }
    return items;
  }
  const members: [string, unknown][] = [];
  for (const key in value) {
    const name = cutText(key, shortChars);
    if (!spend(name, budget)) break;
    const copy = clip((value as Record<string, unknown>)[key], budget);
    if (copy !== undefined) members.push([name, copy]);
  }
  return Object.fromEntries(members);
}

/** The same details if they fit an answer, else a shortened copy. */
export const boundDetails = <D extends object>(details: D): D =>
  spend(details, { left: limits.faultDetailsBytes })
    ? details
    : (clip(details, { left: limits.faultDetailsBytes }) as D);

export const boundMessage = (message: string): string => cutText(message, limits.faultMessageChars);
