import type { Properties } from '../records/rules/properties.ts';
import type { Analysis, DocumentKind } from './analyse/analysis.ts';

const recordTypes: Readonly<Record<DocumentKind, string>> = {
  invoice: 'FinancialRecord',
  receipt: 'FinancialRecord',
  statement: 'FinancialRecord',
  contract: 'Contract',
  document: 'Document',
};

/** Whoever gives the properties knows what the file is; we only know that it is one. */
export const givenType = recordTypes.document;

export interface RecordFacts {
  readonly type: string;
  readonly properties: Properties;
}

/** What was found, and the beginning of the text, so that the record is found by its words. */
export function toRecordFacts(
  { kind, fields, title, excerpt, textChars, isCut }: Analysis,
  fileName: string,
): RecordFacts {
  const { content: _content, ...found } = fields;
  return {
    type: recordTypes[kind],
    properties: {
      title,
      ...found,
      document_kind: kind,
      file_name: fileName,
      text: excerpt,
      text_chars: textChars,
      text_truncated: isCut || excerpt.length < textChars,
    },
  };
}
