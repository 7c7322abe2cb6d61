import { sha256Hex } from '#kernel/hash/hash.ts';

export const companyType = 'company';

const companySuffixes: ReadonlySet<string> = new Set([
  ...['inc', 'incorporated', 'llc', 'ltd', 'limited', 'corp', 'corporation', 'co', 'company'],
  ...['gmbh', 'ag', 'sa', 'srl', 'bv', 'plc'],
]);

/** `corp.`, `S.A.`, `inc,`. */
export const isCompanySuffix = (word: string): boolean => companySuffixes.has(word.replace(/[.,]/g, ''));

/** Removes one suffix, but never the whole name. */
function withoutSuffix(name: string): string {
  const at = Math.max(name.lastIndexOf(' '), name.lastIndexOf(','));
  if (!isCompanySuffix(name.slice(at + 1))) return name;
  let end = at;
  while (end > 0 && (name[end - 1] === ' ' || name[end - 1] === ',')) end -= 1;
  return end <= 0 ? name : name.slice(0, end);
}

/** [TR5] White space becomes a blank; other control characters are removed. */
export function normaliseName(text: string, isCompany: boolean): string {
  const name = text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}+/gu, '')
    .replace(/ +/g, ' ')
    .trim()
    .toLowerCase()
    // Lower-casing can decompose a letter.
    .normalize('NFC');
  return isCompany ? withoutSuffix(name) : name;
}

const idHexChars = 24;

export const entityIdOf = (type: string, name: string): string =>
  `ent_${sha256Hex(`${type}:${name}`).slice(0, idHexChars)}`;

/** Cannot occur in names, ids and roles. */
export const keySeparator = '\u001f';

/** [TR8] */
export const observationIdOf = (entityId: string, sourceKey: string, role: string): string =>
  `obs_${sha256Hex([entityId, sourceKey, role].join(keySeparator)).slice(0, idHexChars)}`;

/** The value is included because a merged array can hold several dates. */
export const eventIdOf = (observationId: string, field: string, value: string): string =>
  `evt_${sha256Hex([observationId, field, value].join(keySeparator)).slice(0, idHexChars)}`;
