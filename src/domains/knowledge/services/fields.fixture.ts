import { knowledgeLimits } from '../knowledge-limits.ts';
import { type Field, fieldTypes } from './service-plan.ts';

/** Every type with every option: `stringRequiredUnique`. */
export const everyField: readonly Field[] = fieldTypes.flatMap((type) =>
  [false, true].flatMap((required) =>
    [false, true].map((unique) => ({
      name: `${type}${required ? 'Required' : ''}${unique ? 'Unique' : ''}`,
      type,
      required,
      unique,
    })),
  ),
);

/** Words of SQL, JavaScript, Feathers, the libraries and the generated files. */
const awkward = `
  select from where order group table user limit index references class default new function var let length properties
  data type then query params result total skip service create patch find first second record run seed field value wrong
  app assert made seen nullable convert stored asked given empty fieldName comparable rowid _private Mixed_Case9
`;

/** Booleans are not unique here, because they have only two values. */
export const awkwardFields: readonly Field[] = awkward
  .trim()
  .split(/\s+/)
  .map((name, at) => {
    const type = fieldTypes[at % fieldTypes.length]!;
    return { name, type, required: at % 2 === 0, unique: at % 3 === 0 && type !== 'boolean' };
  });

/** The maximum number of fields. */
export const mostFields: readonly Field[] = Array.from({ length: knowledgeLimits.fieldsCount }, (_, at) => ({
  ...everyField[at % everyField.length]!,
  name: `field${at}`,
}));
