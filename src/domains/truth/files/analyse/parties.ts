import { truthLimits } from '../../truth-limits.ts';
import { isCompanyName, toName } from './names.ts';
import { indexOfWords, lowerCase } from './words.ts';

const partiesChars = 600;
const beginnings = ['between', 'by and among', 'zwischen', 'entre'];
const joins = [' and ', ' und ', ' et ', ' y '];

/** `(1) Acme, Inc., a Delaware corporation ("Acme")` → `Acme, Inc.` */
function toParty(text: string): string | undefined {
  const [named = ''] = text.split(/\s(?:with|having|whose|residing|located|mit)\s/, 1);
  const bare = named
    .replace(/^\s*(?:\(?[0-9a-z][.)])\s*/i, '')
    .replace(/^\s*(?:the company|der|die|the)\s+(?=\p{Lu})/iu, '');
  return toName(bare.replaceAll(/\s+/g, ' '));
}

/** `… between A and B …`: the first place where two names follow. */
function findBetween(text: string): readonly string[] {
  const lower = lowerCase(text);
  for (const beginning of beginnings) {
    for (let at = indexOfWords(lower, beginning); at !== -1; at = indexOfWords(lower, beginning, at + 1)) {
      const rest = text.slice(at + beginning.length, at + beginning.length + partiesChars);
      for (const join of joins) {
        const parties = rest
          .split(join)
          .slice(0, 2)
          .flatMap((part) => toParty(part) ?? []);
        if (parties.length === 2) return parties;
      }
    }
  }
  return [];
}

const labelled =
  /^(?:party [ab12]|first party|second party|client|contractor|landlord|tenant|licensor|licensee|employer|employee|lessor|lessee|buyer|seller)\s?[:\t]\s?(.{2,200})$/i;

/** Who signs: named in a sentence, or line by line with the part they have. */
export function findParties(text: string, lines: readonly string[]): readonly string[] {
  const between = findBetween(text);
  if (between.length > 0) return between;
  const named = lines.flatMap((line) => toParty(labelled.exec(line)?.[1] ?? '') ?? []);
  return [...new Set(named)]
    .sort((a, b) => Number(isCompanyName(b)) - Number(isCompanyName(a)))
    .slice(0, truthLimits.partiesCount);
}
