import { parseTime } from '../../iso-time.ts';
import { type DateMatch, findDateMatches } from './dates.ts';
import type { DocumentDate, DocumentKind, DocumentText } from './document-text.ts';
import { candidates, indexOfWords, lowerCase } from './labels.ts';

/** Labels that name the date of the document itself, and no other one. */
const ownLabels: Readonly<Record<DocumentKind, readonly string[]>> = {
  invoice: [
    ...['invoice date', 'date of issue', 'issue date', 'issued on', 'date of invoice', 'rechnungsdatum'],
    ...['date de facture', 'fecha de factura', 'factuurdatum'],
  ],
  receipt: ['receipt date', 'purchase date', 'date of purchase', 'belegdatum'],
  statement: ['statement date', 'date of statement', 'auszugsdatum'],
  contract: ['contract date', 'agreement date', 'date of agreement', 'date of contract', 'vertragsdatum'],
  document: [],
};

/** `Date` names the date of the document only in its head: tables and signatures have dates too. */
const plainLabels = ['date', 'datum', 'fecha'];
const headLines = 20;
const headed: ReadonlySet<DocumentKind> = new Set(['invoice', 'receipt', 'statement', 'document']);
/** A table whose header row names the document is not a table of its items. */
const namesNumber = /\b(?:invoice|receipt|rechnung|beleg|facture|factura)/;

const periodLabels = ['statement period', 'billing period', 'abrechnungszeitraum', 'for the period'];

/** A contract states its date in the first sentence; a later one may be about another document. */
const contractPhrases = [
  ...['entered into as of', 'entered into on', 'made as of', 'made on', 'dated as of', 'is dated', 'dated this'],
  ...['signed on', 'geschlossen am'],
];
const contractChars = 1_500;
const phraseReachChars = 40;

/** A date belongs to a label if it follows directly, after a weekday at most. */
const reachChars = 16;
/** The longest date: `30th of September, 2026`. */
const dateChars = 30;

/** 'unclear': it can be read in two ways. */
type Reading = DocumentDate | 'unclear';

function toReading({ date, doubt }: DateMatch, { isOrderStated }: DocumentText): Reading | undefined {
  const day = parseTime(date);
  if (day === undefined) return undefined;
  return doubt === undefined || (doubt === 'order' && isOrderStated) ? { ms: day.from, chars: day.chars } : 'unclear';
}

type Read = (text: string, document: DocumentText, reach?: number) => Reading | undefined;

const readDate: Read = (text, document, reach = reachChars) => {
  const [word = ''] = text.split(/\s/, 1);
  const moment = word.includes('T') ? parseTime(word) : undefined;
  if (moment?.hasZone === true) return { ms: moment.from, chars: moment.chars };
  const match = findDateMatches(text.slice(0, reach + dateChars), document.order).find(({ at }) => at <= reach);
  return match === undefined ? undefined : toReading(match, document);
};

const readPeriodEnd: Read = (text, document) => {
  const [, end] = findDateMatches(text, document.order);
  return end === undefined ? undefined : toReading(end, document);
};

function* labelled(
  document: DocumentText,
  labels: readonly string[],
  { lines = document.lines, isBelowToo = (_: string): boolean => true, read = readDate } = {},
): Generator<Reading> {
  const lowers = lines.map(lowerCase);
  for (const label of labels) {
    for (const [lineAt, lower] of lowers.entries()) {
      if (!lower.includes(label)) continue;
      for (const candidate of candidates(lines, lineAt, label, isBelowToo(lower))) {
        const found = read(candidate, document);
        if (found === undefined) continue;
        yield found;
        break;
      }
    }
  }
}

function* inContract(document: DocumentText): Generator<Reading> {
  const text = document.text.slice(0, contractChars).replaceAll(/\s+/g, ' ');
  const lower = lowerCase(text);
  for (const phrase of contractPhrases) {
    const at = indexOfWords(lower, phrase);
    const found =
      at === -1 ? undefined : readDate(text.slice(at + phrase.length).trimStart(), document, phraseReachChars);
    if (found !== undefined) yield found;
  }
}

/** A receipt often has its only date without a label. */
function* onlyDate(document: DocumentText): Generator<Reading> {
  const all = document.lines.flatMap((line) => findDateMatches(line, document.order));
  const first = all.find(({ doubt }) => doubt === undefined) ?? all[0];
  const reading = first === undefined ? undefined : toReading(first, document);
  if (reading !== undefined && all.every(({ date }) => date === first!.date)) yield reading;
}

/** From the strongest evidence to the weakest. */
function* evidence(kind: DocumentKind, document: DocumentText): Generator<Generator<Reading>> {
  yield labelled(document, ownLabels[kind]);
  if (kind === 'contract') yield inContract(document);
  if (kind === 'statement') yield labelled(document, periodLabels, { read: readPeriodEnd });
  if (headed.has(kind)) {
    const isBelowToo = (line: string): boolean => namesNumber.test(line);
    yield labelled(document, plainLabels, { lines: document.lines.slice(0, headLines), isBelowToo });
  }
  if (kind === 'receipt') yield onlyDate(document);
}

/**
 * The date that the document states for itself. Undefined if there is none, if it can be read in two ways, or if the
 * strongest evidence names two dates: a wrong date is worse than none.
 */
export function findDocumentDate(kind: DocumentKind, document: DocumentText): DocumentDate | undefined {
  for (const readings of evidence(kind, document)) {
    const all = [...readings];
    const [first] = all;
    if (first === undefined) continue;
    const isOne = all.every((one) => one !== 'unclear' && first !== 'unclear' && one.ms === first.ms);
    return isOne && first !== 'unclear' ? first : undefined;
  }
  return undefined;
}
