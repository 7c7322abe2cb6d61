import type { DocumentKind } from './document-text.ts';
import { hasWords } from './labels.ts';

type Weights = readonly (readonly [words: string, weight: number])[];

const evidence: Readonly<Record<Exclude<DocumentKind, 'document'>, Weights>> = {
  invoice: [
    ['invoice', 3],
    ['rechnung', 3],
    ['facture', 3],
    ['factura', 3],
    ['invoice number', 2],
    ['invoice no', 2],
    ['invoice #', 2],
    ['rechnungsnummer', 4],
    ['bill to', 2],
    ['billed to', 2],
    ['amount due', 1],
    ['due date', 1],
    ['payment terms', 1],
    ['vat', 1],
  ],
  receipt: [
    ['receipt', 3],
    ['quittung', 3],
    ['kassenbon', 4],
    ['receipt number', 2],
    ['receipt no', 2],
    ['thank you for your purchase', 2],
    ['cashier', 2],
    ['change due', 2],
    ['cash', 1],
    ['visa', 1],
    ['mastercard', 1],
    ['subtotal', 1],
  ],
  statement: [
    ['account statement', 4],
    ['bank statement', 4],
    ['kontoauszug', 5],
    ['statement period', 3],
    ['statement date', 2],
    ['opening balance', 3],
    ['closing balance', 3],
    ['previous balance', 2],
    ['new balance', 2],
    ['ending balance', 2],
    ['beginning balance', 2],
    ['withdrawals', 1],
    ['deposits', 1],
  ],
  contract: [
    ['agreement', 3],
    ['contract', 3],
    ['vertrag', 4],
    ['hereinafter', 3],
    ['the parties', 2],
    ['governing law', 2],
    ['in witness whereof', 3],
    ['effective date', 2],
    ['termination', 1],
    ['shall', 1],
    ['between', 1],
  ],
};

/** Words at the top, where a document names itself, count twice. */
const topLines = 6;
const enough = 5;

/** Candidate kinds, most likely first. Each word counts once, so the length of the text does not matter. */
export function rankKinds(lines: readonly string[]): readonly DocumentKind[] {
  const all = lines.join('\n').toLowerCase();
  const top = lines.slice(0, topLines).join('\n').toLowerCase();
  const scored = Object.entries(evidence).map(([kind, weights]) => {
    const score = weights.reduce(
      (sum, [words, weight]) => sum + (hasWords(all, words) ? weight : 0) + (hasWords(top, words) ? weight : 0),
      0,
    );
    return { kind: kind as DocumentKind, score };
  });
  return scored
    .filter(({ score }) => score >= enough)
    .sort((a, b) => b.score - a.score)
    .map(({ kind }) => kind);
}
