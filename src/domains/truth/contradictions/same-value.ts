import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { parseTime } from '../iso-time.ts';
import { normaliseName } from '../observations/entity-name.ts';
import { readValue } from '../schemas/fit-value.ts';
import { readAmountText } from '../texts/amount-text.ts';

type JsonObject = Readonly<Record<string, Json | undefined>>;

interface Amount {
  readonly value: number;
  /** What the text may mean; none if it names no currency. */
  readonly currencies: readonly string[];
}

function amountOf(value: Json): Amount | undefined {
  if (typeof value === 'number') return { value, currencies: [] };
  const read = typeof value === 'string' ? readAmountText(value) : undefined;
  return read?.value === undefined ? undefined : { value: read.value, currencies: read.currencies };
}

function isSameAmount(a: Amount, b: Amount): boolean {
  const isOpen = a.currencies.length === 0 || b.currencies.length === 0;
  return a.value === b.value && (isOpen || a.currencies.some((one) => b.currencies.includes(one)));
}

function timeOf(value: Json) {
  const read = typeof value === 'string' ? readValue({ type: 'date' }, value) : undefined;
  return typeof read === 'string' ? parseTime(read) : undefined;
}

/** `Acme, Inc.`: names of companies occur in fields of many types. */
const isNameField = (field: string): boolean => /(?:^|_)name$|^(?:counterparty|merchant|company|employer)$/.test(field);

function textOf(text: string, field: string): string {
  const name = normaliseName(text.normalize('NFKC'), isNameField(field));
  let end = name.length;
  while (end > 0 && ' .,;'.includes(name[end - 1]!)) end -= 1;
  return name.slice(0, end);
}

function isSameText(a: string, b: string, field: string): boolean {
  if (textOf(a, field) === textOf(b, field)) return true;
  const [one, other] = [timeOf(a), timeOf(b)];
  // May 2026 does not contradict 12 May 2026.
  return one !== undefined && other !== undefined && one.from < other.end && other.from < one.end;
}

const isSameTruth = (a: Json, b: Json): boolean =>
  typeof a === 'boolean' && typeof b === 'string' && readValue({ type: 'boolean' }, b) === a;

/**
 * [TR97] Whether two values say the same. It errs on the side of yes: a contradiction that is only a matter of spelling
 * takes somebody's time.
 */
export function isSameValue(a: Json, b: Json, field: string): boolean {
  if (canonicalJson(a) === canonicalJson(b)) return true;
  const [one, other] = [amountOf(a), amountOf(b)];
  if (one !== undefined && other !== undefined) return isSameAmount(one, other);
  if (typeof a === 'string' && typeof b === 'string') return isSameText(a, b, field);
  if (isSameTruth(a, b) || isSameTruth(b, a)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    const items = b as readonly Json[];
    return a.length === b.length && (a as readonly Json[]).every((item, i) => isSameValue(item, items[i]!, field));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const memberOf = (value: JsonObject, name: string): Json =>
    Object.hasOwn(value, name) ? (value[name] ?? null) : null;
  const [mine, yours] = [a as JsonObject, b as JsonObject];
  const names = new Set([...Object.keys(mine), ...Object.keys(yours)]);
  return [...names].every((name) => isSameValue(memberOf(mine, name), memberOf(yours, name), name));
}
