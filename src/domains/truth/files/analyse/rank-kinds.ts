import type { DocumentKind } from './document-text.ts';
import { hasWords } from './labels.ts';

/** The higher the weight, the stronger the words suggest a kind. */
type WordsByWeight = Readonly<Record<number, readonly string[]>>;

const evidence: Readonly<Record<Exclude<DocumentKind, 'document'>, WordsByWeight>> = {
  invoice: {
    4: ['rechnungsnummer'],
    3: ['invoice', 'rechnung', 'facture', 'factura'],
    2: ['invoice number', 'invoice no', 'invoice #', 'bill to', 'billed to'],
    1: ['amount due', 'due date', 'payment terms', 'vat'],
  },
  receipt: {
    4: ['kassenbon'],
    3: ['receipt', 'quittung'],
    2: ['receipt number', 'receipt no', 'thank you for your purchase', 'cashier', 'change due'],
    1: ['cash', 'visa', 'mastercard', 'subtotal'],
  },
  statement: {
    5: ['kontoauszug'],
    4: ['account statement', 'bank statement'],
    3: ['statement period', 'opening balance', 'closing balance'],
    2: ['statement date', 'previous balance', 'new balance', 'ending balance', 'beginning balance'],
    1: ['withdrawals', 'deposits'],
  },
  contract: {
    4: ['vertrag'],
    3: ['agreement', 'contract', 'hereinafter', 'in witness whereof'],
    2: ['the parties', 'governing law', 'effective date'],
    1: ['termination', 'shall', 'between'],
  },
};

/** Words at the top, where a document names itself, count twice. */
const topLines = 6;
const enough = 5;

/** Words of this weight name the kind itself. */
const namingWeight = 3;
/** The next kind must be behind by a word that names it. */
const clearLead = 3;

export interface RankedKind {
  readonly kind: Exclude<DocumentKind, 'document'>;
  /** The document names itself at the top, and no other kind is as likely. */
  readonly isClear: boolean;
}

/** Candidate kinds, most likely first. Each word counts once, so the length of the text does not matter. */
export function rankKinds(lines: readonly string[]): readonly RankedKind[] {
  const all = lines.join('\n').toLowerCase();
  const top = lines.slice(0, topLines).join('\n').toLowerCase();
  const scored = Object.entries(evidence).map(([kind, wordsByWeight]) => {
    let score = 0;
    let isNamed = false;
    for (const [weight, words] of Object.entries(wordsByWeight)) {
      const topCount = words.filter((one) => hasWords(top, one)).length;
      score += Number(weight) * (words.filter((one) => hasWords(all, one)).length + topCount);
      if (Number(weight) >= namingWeight && topCount > 0) isNamed = true;
    }
    return { kind: kind as RankedKind['kind'], score, isNamed };
  });
  const ranked = scored.filter(({ score }) => score >= enough).sort((a, b) => b.score - a.score);
  return ranked.map(({ kind, score, isNamed }, i) => ({
    kind,
    isClear: i === 0 && isNamed && score - (ranked[1]?.score ?? 0) >= clearLead,
  }));
}
