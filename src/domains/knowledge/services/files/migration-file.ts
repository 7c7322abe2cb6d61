import { type Field, isJson, type ServicePlan, uniqueName } from '../service-plan.ts';
import { fileText, quote, wrapList } from './code-text.ts';

const columns: Readonly<Record<'postgresql' | 'sqlite', Readonly<Record<Field['type'], (name: string) => string>>>> = {
  postgresql: {
    string: (name) => `table.text('${name}')`,
    // `float` is four bytes here and would round.
    number: (name) => `table.double('${name}')`,
    boolean: (name) => `table.boolean('${name}')`,
    date: (name) => `table.timestamp('${name}', { useTz: true })`,
    objectId: (name) => `table.string('${name}', 24)`,
    array: (name) => `table.jsonb('${name}')`,
    object: (name) => `table.jsonb('${name}')`,
  },
  sqlite: {
    string: (name) => `table.text('${name}')`,
    number: (name) => `table.double('${name}')`,
    boolean: (name) => `table.boolean('${name}')`,
    date: (name) => `table.text('${name}')`,
    objectId: (name) => `table.string('${name}', 24)`,
    array: (name) => `table.text('${name}')`,
    object: (name) => `table.text('${name}')`,
  },
};

/**
 * One migration makes one table and needs no other, so the order of two services does not matter. The number is an early
 * one, so that a migration that is made later, and changes the table, comes later. It is the same in every answer: writing
 * a service again replaces its migration and makes no second one. Without its ending.
 */
export const migrationPath = ({ name }: ServicePlan): string => `migrations/20200101000000_${name}`;

/** An entry of a plain index has no room for a large document: its digest has. */
const digestIndex = (plan: ServicePlan, field: Field): string => {
  const names = [uniqueName(plan, field), plan.name, field.name];
  return wrapList("await knex.raw('create unique index ?? on ?? (md5(??::text))', [", names.map(quote), ']);', '  ');
};

export function writeMigration(plan: ServicePlan & { readonly database: 'postgresql' | 'sqlite' }): string {
  const { name, database, fields } = plan;
  const unique = fields.filter((field) => field.unique);
  const isDigested = (field: Field) => database === 'postgresql' && isJson(field);
  return fileText(
    "import type { Knex } from 'knex';",
    '',
    'export const up = async (knex: Knex) => {',
    `  await knex.schema.createTable('${name}', (table) => {`,
    "    table.increments('id');",
    fields.map((field) => `    ${columns[database][field.type](field.name)}${field.required ? '.notNullable()' : ''};`),
    unique
      .filter((field) => !isDigested(field))
      .map((field) => `    table.unique(['${field.name}'], { indexName: '${uniqueName(plan, field)}' });`),
    '  });',
    unique.filter(isDigested).map((field) => digestIndex(plan, field)),
    '};',
    '',
    'export const down = async (knex: Knex) => {',
    `  await knex.schema.dropTable('${name}');`,
    '};',
  );
}
