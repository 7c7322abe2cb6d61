import { truthLimits } from '../../truth-limits.ts';
import { findDates } from './dates.ts';
import { type DocumentFields, type DocumentText, presentFields } from './document-text.ts';
import { findLabelled, indexOfWords, lowerCase, toIdentifier } from './labels.ts';
import { isCompanyName, toName } from './party-names.ts';

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

/** `… between A and B …`: the first occurrence with two names. */
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

/** The signing parties: in a sentence, or line by line with their roles. */
function findParties(text: string, lines: readonly string[]): readonly string[] {
  const between = findBetween(text);
  if (between.length > 0) return between;
  const named = lines.flatMap((line) => toParty(labelled.exec(line)?.[1] ?? '') ?? []);
  return [...new Set(named)]
    .sort((a, b) => Number(isCompanyName(b)) - Number(isCompanyName(a)))
    .slice(0, truthLimits.partiesCount);
}

const numberLabels = [
  ...['contract number', 'contract no', 'contract id', 'contract #', 'agreement number', 'agreement no'],
  ...['agreement #', 'vertragsnummer', 'vertrag nr', 'vertrags-nr'],
];
const startPhrases = [
  ...['effective date', 'commencement date', 'start date', 'effective as of', 'entered into as of', 'dated as of'],
  ...['made as of', 'commencing on', 'commences on', 'begins on', 'starts on', 'with effect from', 'entered into on'],
  ...['beginnt am', 'ab dem', 'dated'],
];
const endPhrases = [
  ...['end date', 'expiry date', 'expiration date', 'termination date', 'expires on', 'ends on', 'terminates on'],
  ...['valid until', 'continue until', 'until', 'endet am', 'bis zum'],
];

/** A date belongs to the phrase before it in the same sentence. */
const reachChars = 80;
const readChars = 60_000;

function dateAfter(text: string, phrases: readonly string[], { order }: DocumentText): string | undefined {
  const lower = lowerCase(text);
  for (const phrase of phrases) {
    for (let at = indexOfWords(lower, phrase); at !== -1; at = indexOfWords(lower, phrase, at + 1)) {
      const [date] = findDates(text.slice(at + phrase.length, at + phrase.length + reachChars), order);
      if (date !== undefined) return date;
    }
  }
  return undefined;
}

export function findContract(document: DocumentText): DocumentFields | undefined {
  const text = document.text.slice(0, readChars).replaceAll(/\s+/g, ' ');
  const number = findLabelled(document.lines, numberLabels, toIdentifier);
  const parties = findParties(text, document.lines);
  if (number === undefined && parties.length === 0) return undefined;
  return presentFields({
    contract_number: number,
    parties: parties.length === 0 ? undefined : parties,
    start_date: dateAfter(text, startPhrases, document),
    end_date: dateAfter(text, endPhrases, document),
  });
}
