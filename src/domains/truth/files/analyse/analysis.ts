import type { Json } from '#kernel/json/canonical.ts';

export type DocumentKind = 'invoice' | 'receipt' | 'statement' | 'contract' | 'document';

/** What the rules found, under the names that the capabilities use. */
export type FoundFields = Readonly<Record<string, Json>>;

export interface Analysis {
  readonly kind: DocumentKind;
  readonly fields: FoundFields;
  readonly title: string;
  /** The beginning of the text. */
  readonly excerpt: string;
  readonly textChars: number;
  /** The file holds more text than was read. */
  readonly isCut: boolean;
}

/** Leaves out what was not found. */
export const found = (fields: Readonly<Record<string, Json | undefined>>): FoundFields =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
