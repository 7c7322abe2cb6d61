import { isJson, isSql, type ServicePlan } from './service-request.ts';

/** What a reader of the files would ask. */
export function serviceNotes({ name, database, fields, extension }: ServicePlan): readonly string[] {
  const [language, other] = extension === 'ts' ? ['TypeScript', 'JavaScript'] : ['JavaScript', 'TypeScript'];
  const has = (type: string) => fields.some((field) => field.type === type);
  const notes: readonly (readonly [applies: boolean, note: string])[] = [
    [
      true,
      `The files are for Feathers v5, in ${language}; they do not fit a v4 application. For one in ${other} ask again with typescript: ${extension === 'js'}.`,
    ],
    [
      true,
      'Write them over an application of get_feathers_template as they are. edits are for other applications; the last, a login, is for generated ones too.',
    ],
    [
      isSql(database),
      `Run "npm run migrate" to make the table ${name}; the tests migrate a database of their own. A later change of the table is a new migration.`,
    ],
    [
      name === 'users',
      'An application with authentication has a service users already: do not write this one over it.',
    ],
    [
      isSql(database) && has('objectId'),
      'An objectId is a text of 24 hexadecimal digits here, in lower case. To refer to a record of another table, take a number.',
    ],
    [has('date'), 'A date is ISO 8601 with a time zone, and is answered in UTC.'],
    [fields.some(isJson), 'Arrays and objects are kept whole: a query can select them, not compare or sort by them.'],
    [
      fields.some(({ required }) => !required),
      'A field that is not required is null where it has no value; a patch with null takes the value away.',
    ],
    [
      fields.some(({ unique }) => unique),
      'A value that is taken is answered with 409 and data.fields; records without a value do not collide. A unique text has at most 255 characters.',
    ],
  ];
  return notes.filter(([applies]) => applies).map(([, note]) => note);
}
