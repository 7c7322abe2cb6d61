const nameFields = ['name', 'title', 'invoice_number', 'contract_number', 'transaction_id', 'receipt_number'];
const nameChars = 200;

/** Natural keys join their parts with a separator that is not meant to be read. */
export const toReadableName = (canonicalName: string): string =>
  canonicalName.replaceAll('\u001f', ' · ').slice(0, nameChars);

/** The name as it was written, where a field has one: canonical names are in lower case. */
export function toDisplayName(canonicalName: string, fieldValue: (field: string) => unknown): string {
  for (const field of nameFields) {
    const value = fieldValue(field);
    if (typeof value === 'string' && value.trim() !== '') return value.slice(0, nameChars);
  }
  return toReadableName(canonicalName);
}
