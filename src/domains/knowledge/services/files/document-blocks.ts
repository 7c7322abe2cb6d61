import { type Field, isJson, type ServicePlan } from '../service-request.ts';
import { joined, listed, quoted } from './text.ts';

/** A document of MongoDB has a second copy, as one text, of an array or object that is unique. */
export const hasCopy = (field: Field): boolean => isJson(field) && field.unique;
/** No field of a request begins so. */
export const copyName = ({ name }: Field): string => `__${name}`;

const copyText = (copies: readonly Field[]): string =>
  joined(
    '// An index sees the elements of an array one by one: it is the text of the whole value that is unique.',
    listed(
      'const uniqueTexts: Record<string, string> = { ',
      copies.map((field) => `${copyName(field)}: '${field.name}'`),
      ' };',
    ),
    `const withTexts = (data: Record<string, unknown>) => {
  const texts = Object.entries(uniqueTexts).filter(([, field]) => data[field] !== undefined);
  const entries = texts.map(([text, field]) => [text, data[field] === null ? null : toSameText(data[field])]);
  return { ...data, ...Object.fromEntries(entries) };
};
`,
  );

/** From what is sent to a document or an update of one, and from a document to what is answered. */
export function documentText({ fields }: ServicePlan, hasStored: boolean, hasAnswered: boolean): string {
  const copies = fields.filter(hasCopy);
  const optional = fields.filter(({ required }) => !required);
  const data = copies.length > 0 ? 'withTexts(data)' : 'data';
  const sent = hasStored ? `convert(${data}, stored)` : data;
  const answered = hasAnswered ? 'convert(document, answered)' : '{ ...document }';
  return joined(
    copies.length > 0 && copyText(copies),
    `// A field without a value is not in its document, so that a unique index leaves it out.
const toDocument = (data: Record<string, unknown>) => {
  const entries = Object.entries(${sent});
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
};

const toUpdate = (data: Record<string, unknown>) => {
  const gone = Object.entries(${data}).filter(([, value]) => value === null);
  const $unset = Object.fromEntries(gone.map(([field]) => [field, '']));
  return gone.length === 0 ? toDocument(data) : { ...toDocument(data), $unset };
};
`,
    optional.length > 0 &&
      listed(
        'const optional = [',
        optional.map(({ name }) => quoted(name)),
        '];',
      ),
    'const toRecord = (document: Record<string, unknown>) => {',
    `  const record: Record<string, unknown> = ${answered};`,
    optional.length > 0 && '  for (const field of optional) record[field] ??= null;',
    copies.map((field) => `  delete record.${copyName(field)};`),
    '  return record;',
    '};',
    '',
  );
}
