import type { Json } from '#kernel/json/canonical.ts';
import { readAmountText } from '../texts/amount-text.ts';
import { currenciesOf } from '../texts/currencies.ts';
import { type EntitySchema, fieldOf } from './entity-schema.ts';
import { readValue, splitFields } from './fit-value.ts';

export type Stated = Readonly<Record<string, Json | undefined>>;

/** The field that holds the currency of all amounts of an entity. */
const currencyField = 'currency';

/** The currencies that are written next to the amounts of a statement. */
export interface MoneyTexts {
  /** As written, by field. */
  readonly written: ReadonlyMap<string, string>;
  /** Amounts in another currency than the statement's. Without their currency they would mean something else. */
  readonly conflicting: ReadonlySet<string>;
  /** The code for the currency field, if the statement does not contain it and only one is meant. */
  readonly currency?: string;
}

const noMoney: MoneyTexts = { written: new Map(), conflicting: new Set() };

/** Names are untrusted: `constructor` is stated only if the statement contains it. */
export const statedIn = (stated: Stated, name: string): Json | undefined =>
  Object.hasOwn(stated, name) ? stated[name] : undefined;

function* eachMoney(schema: EntitySchema, stated: Stated) {
  for (const name of Object.keys(schema.fields)) {
    const value = statedIn(stated, name);
    if (typeof value !== 'string' || schema.fields[name]!.type !== 'number') continue;
    const amount = readAmountText(value);
    if (amount?.value !== undefined && amount.currency !== undefined)
      yield { name, written: amount.currency, currencies: amount.currencies };
  }
}

const sharedOf = (lists: readonly (readonly string[])[]): readonly string[] =>
  (lists[0] ?? []).filter((code) => lists.every((list) => list.includes(code)));

/** [TR91] */
export function findMoneyTexts(schema: EntitySchema, stated: Stated): MoneyTexts {
  const money = [...eachMoney(schema, stated)];
  if (money.length === 0) return noMoney;
  const written = new Map(money.map((one) => [one.name, one.written]));
  const given = statedIn(stated, currencyField) ?? null;
  if (given !== null) {
    const meant = typeof given === 'string' ? (currenciesOf(given) ?? [given.trim().toUpperCase()]) : [];
    const others = money.filter(({ currencies }) => sharedOf([currencies, meant]).length === 0);
    return { written, conflicting: new Set(others.map(({ name }) => name)) };
  }
  const shared = sharedOf(money.map(({ currencies }) => currencies));
  if (shared.length === 0) return { written, conflicting: new Set(written.keys()) };
  const field = fieldOf(schema, currencyField);
  const hasPlace = field?.type === 'string' && field.strategy !== 'merge_array';
  return { written, conflicting: new Set(), ...(hasPlace && shared.length === 1 ? { currency: shared[0]! } : {}) };
}

/** [TR90] [TR91] What a new statement says: its texts are read where they have one meaning. */
export function readStatement(schema: EntitySchema, stated: Stated) {
  const { conflicting, currency } = findMoneyTexts(schema, stated);
  return splitFields(
    schema,
    currency === undefined ? stated : { ...stated, [currencyField]: currency },
    (field, value, name) => (conflicting.has(name) ? undefined : readValue(field, value)),
  );
}
