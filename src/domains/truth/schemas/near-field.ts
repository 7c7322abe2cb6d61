import { createDistance } from '#kernel/text/edit-distance.ts';
import { fieldSynonyms, wordSynonyms } from './field-synonyms.ts';

/** A longer name is not a misspelled field. */
const nameChars = 64;

/** `invoiceNumber`, `Invoice-Number` → `invoice_number`. */
const toSnake = (name: string): string =>
  name
    .replace(/(?<=\p{Ll}|\d)(?=\p{Lu})/gu, '_')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

const expandWords = (name: string): string =>
  name
    .split('_')
    .map((word) => (Object.hasOwn(wordSynonyms, word) ? wordSynonyms[word]! : word))
    .join('_');

const bare = (name: string): string => name.replaceAll('_', '');

const only = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined);

/** Two typing errors in a long name, one in a short one. */
const longChars = 7;
const shortChars = 4;

function byDistance(name: string, candidates: readonly string[]): string | undefined {
  if (name.length < shortChars) return undefined;
  const max = name.length >= longChars ? 2 : 1;
  const codes = (text: string): readonly number[] => Array.from(text, (_, i) => text.charCodeAt(i));
  const distanceTo = createDistance(codes(name), max);
  let best: string | undefined;
  let bestDistance = max + 1;
  for (const candidate of candidates) {
    const distance = distanceTo(codes(candidate), 0, candidate.length);
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** `vendor` → `vendor_name`, `number` → `invoice_number` if no other field ends like that, `invoice_date` → `date`. */
function byPart(name: string, candidates: readonly string[], type: string): string | undefined {
  const withoutType = name.startsWith(`${type}_`) ? name.slice(type.length + 1) : name;
  if (withoutType !== name && candidates.includes(withoutType)) return withoutType;
  return (
    only(candidates.filter((one) => one.startsWith(`${name}_`))) ??
    candidates.find((one) => one === `${type}_${name}`) ??
    only(candidates.filter((one) => one.endsWith(`_${name}`)))
  );
}

const bySynonym = (name: string, candidates: readonly string[]): string | undefined =>
  candidates.find((one) => Object.hasOwn(fieldSynonyms, one) && fieldSynonyms[one]!.includes(name));

/** The field that an unknown name probably means; `type` is the type of the entity. */
export function nearField(name: string, candidates: readonly string[], type: string): string | undefined {
  if (name.length > nameChars) return undefined;
  const plain = toSnake(name);
  if (plain === '') return undefined;
  const expanded = expandWords(plain);
  return (
    candidates.find((one) => bare(one) === bare(plain)) ??
    candidates.find((one) => expandWords(one) === expanded) ??
    bySynonym(plain, candidates) ??
    byPart(plain, candidates, type) ??
    byPart(expanded, candidates, type) ??
    byDistance(plain, candidates) ??
    byDistance(expanded, candidates)
  );
}
