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

/** Words of SQL, of JavaScript, of Feathers, of the libraries and of the generated files themselves. */
const awkward = `
  select from where order group table user limit index references class default new function var let length properties
  data type then query params result total skip service create patch find first second record run seed field value wrong
  app assert made seen nullable convert stored asked given empty fieldName comparable rowid _private Mixed_Case9
`;

/** A request with names that something might trip over. A boolean has only two values: it is not unique here. */
export const awkwardFields: readonly Field[] = awkward
  .trim()
  .split(/\s+/)
  .map((name, at) => {
    const type = fieldTypes[at % fieldTypes.length]!;
    return { name, type, required: at % 2 === 0, unique: at % 3 === 0 && type !== 'boolean' };
  });

/** As many as there may be. */
export const mostFields: readonly Field[] = Array.from({ length: knowledgeLimits.fieldsCount }, (_, at) => ({
  ...everyField[at % everyField.length]!,
  name: `field${at}`,
}));
