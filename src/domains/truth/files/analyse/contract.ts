import { type FoundFields, found } from './analysis.ts';
import { findDates } from './dates.ts';
import { toIdentifier } from './identifiers.ts';
import { findLabelled } from './labels.ts';
import type { Paper } from './paper.ts';
import { findParties } from './parties.ts';
import { indexOfWords, lowerCase } from './words.ts';

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

/** A contract is prose: a date belongs to the phrase that stands before it in the same sentence. */
const reachChars = 80;
const readChars = 60_000;

function dateBehind(text: string, phrases: readonly string[], { order }: Paper): string | undefined {
  const lower = lowerCase(text);
  for (const phrase of phrases) {
    for (let at = indexOfWords(lower, phrase); at !== -1; at = indexOfWords(lower, phrase, at + 1)) {
      const [date] = findDates(text.slice(at + phrase.length, at + phrase.length + reachChars), order);
      if (date !== undefined) return date;
    }
  }
  return undefined;
}

export function findContract(paper: Paper): FoundFields | undefined {
  const text = paper.text.slice(0, readChars).replaceAll(/\s+/g, ' ');
  const number = findLabelled(paper.lines, numberLabels, toIdentifier);
  const parties = findParties(text, paper.lines);
  if (number === undefined && parties.length === 0) return undefined;
  return found({
    contract_number: number,
    parties: parties.length === 0 ? undefined : parties,
    start_date: dateBehind(text, startPhrases, paper),
    end_date: dateBehind(text, endPhrases, paper),
  });
}
