import { type Field, isJson, type ServicePlan, uniqueName } from '../service-plan.ts';
import { fileText, quote, wrapList } from './code-text.ts';

const columns: Readonly<Record<'postgresql' | 'sqlite', Readonly<Record<Field['type'], (name: string) => string>>>> = {
  postgresql: {
    string: (name) => `table.text('${name}')`,
    // `float` has four bytes here and would round.
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
 * Without ending. Each migration creates one table and needs no other, so their order does not matter. The early number
 * places it before hand-written migrations that change the table, and being fixed, it makes a service that is generated
 * again replace its own migration.
 */
export const migrationPath = ({ name }: ServicePlan): string => `migrations/20200101000000_${name}`;

/** A large document does not fit into an index entry, but its digest does. */
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
