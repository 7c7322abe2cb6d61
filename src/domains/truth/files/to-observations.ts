import { builtinById } from '../capabilities/builtin.ts';
import { contentIdOf } from '../capabilities/content-id.ts';
import type { Draft } from '../observations/source.ts';
import { toDrafts } from '../observations/to-drafts.ts';
import type { Analysis, DocumentKind } from './analyse/analysis.ts';

/** A statement has no capability of its own: it is kept as a note, and its figures are in its record. */
const capabilityIds: Readonly<Record<DocumentKind, string>> = {
  invoice: 'neotoma:store_invoice:v1',
  receipt: 'neotoma:store_receipt:v1',
  contract: 'neotoma:store_contract:v1',
  statement: 'neotoma:store_note:v1',
  document: 'neotoma:store_note:v1',
};

/** Moves when the rules find something else in the same text. */
const extractorVersion = 'fourfold-files-1';

function bodyOf({ kind, fields, excerpt }: Analysis) {
  if (kind !== 'statement') return fields;
  const { institution_name: bank, account_number: account, period_end: end, date } = fields;
  const title = ['Statement', bank, account, end ?? date].filter((part) => typeof part === 'string').join(' ');
  return { title, content: excerpt, ...fields };
}

/** What an analysed file says about which entities. The ids depend on its bytes alone. */
export function toObservations(analysis: Analysis, fileUrl: string): readonly Draft[] {
  const capability = builtinById.get(capabilityIds[analysis.kind])!;
  const body = bodyOf(analysis);
  return toDrafts(capability, body, contentIdOf(capability, { body, sourceRefs: [fileUrl], extractorVersion }));
}
