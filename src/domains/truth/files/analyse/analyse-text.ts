import { truthLimits } from '../../truth-limits.ts';
import { cutText, type ExtractedText } from '../extract/bounded-text.ts';
import type { Analysis, DocumentKind, FoundFields } from './analysis.ts';
import { rankKinds } from './classify.ts';
import { findContract } from './contract.ts';
import { findInvoice } from './invoice.ts';
import { findNote } from './note.ts';
import { type Paper, toPaper } from './paper.ts';
import { findReceipt } from './receipt.ts';
import { findStatement } from './statement.ts';

const finders: Readonly<Record<Exclude<DocumentKind, 'document'>, (paper: Paper) => FoundFields | undefined>> = {
  invoice: findInvoice,
  receipt: findReceipt,
  statement: findStatement,
  contract: findContract,
};

/** NUL and its kin are no text, and half of a surrogate pair is refused by every store. */
const clean = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replaceAll(/[\0-\x08\x0b-\x1f\x7f]/g, '')
    .toWellFormed();

/** A title that is too short tells two papers apart less well than the name of the file. */
const titleChars = 4;

function toTitle(given: string | undefined, { lines }: Paper, fileName: string): string {
  const heading = lines.find((line) => /^# \S/.test(line))?.slice(2);
  const candidates = [given === undefined ? undefined : clean(given), heading, lines[0]?.replaceAll('\t', ' ')];
  const title = candidates.find((text) => text !== undefined && text.trim().length >= titleChars) ?? fileName;
  return cutText(title.trim(), truthLimits.analysedTitleChars);
}

/** The words say what it may be; it is that when its rules find what such a paper must have. The same text, the same answer. */
export function analyseText(extracted: ExtractedText, fileName: string): Analysis {
  const text = clean(extracted.text);
  const paper = toPaper(text);
  const title = toTitle(extracted.title, paper, fileName);
  const about = {
    title,
    excerpt: cutText(text, truthLimits.excerptChars),
    textChars: text.length,
    isCut: extracted.isCut,
  };
  for (const kind of rankKinds(paper.lines)) {
    const fields = kind === 'document' ? undefined : finders[kind](paper);
    if (fields !== undefined) return { kind, fields, ...about };
  }
  return { kind: 'document', fields: findNote(title, text), ...about };
}
