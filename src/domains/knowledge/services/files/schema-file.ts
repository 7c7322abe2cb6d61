import { knowledgeLimits } from '../../knowledge-limits.ts';
import { type Field, isJson, isSql, type ServicePlan } from '../service-plan.ts';
import { fileText, quote, wrapList } from './code-text.ts';
import { conversionEntries, refusesValues } from './conversions.ts';
import { conversionBlocks, resolverText } from './resolver-blocks.ts';

function bareSchema({ type, unique }: Field, database: ServicePlan['database']): string {
  switch (type) {
    case 'string':
      return unique ? `Type.String({ maxLength: ${knowledgeLimits.uniqueTextChars} })` : 'Type.String()';
    case 'number':
      return 'Type.Number()';
    case 'boolean':
      return 'Type.Boolean()';
    case 'date':
      return "Type.String({ format: 'date-time' })";
    case 'objectId':
      return isSql(database) ? "Type.String({ pattern: '^[0-9a-fA-F]{24}$' })" : 'ObjectIdSchema()';
    case 'array':
      return 'Type.Array(Type.Unknown())';
    case 'object':
      return "Type.Unsafe<Record<string, unknown>>({ type: 'object' })";
  }
}

const isObjectId = ({ type }: Field, database: ServicePlan['database']) => type === 'objectId' && !isSql(database);

function fieldSchema(field: Field, database: ServicePlan['database']): string {
  const bare = bareSchema(field, database);
  if (field.required) return bare;
  return `Type.Optional(${isObjectId(field, database) ? `Type.Union([Type.Null(), ${bare}])` : `nullable(${bare})`})`;
}

const idSchema = ({ database }: ServicePlan): string =>
  isSql(database) ? 'Type.Integer({ minimum: 1, maximum: 2147483647 })' : 'ObjectIdSchema()';

function importLines(plan: ServicePlan, hasNullable: boolean): readonly string[] {
  const { name, pascal, database } = plan;
  const refuses = refusesValues(conversionEntries(plan, 'store'));
  const typebox = ['getValidator', ...(isSql(database) ? [] : ['ObjectIdSchema']), 'querySyntax', 'Type'];
  return [
    ...(refuses ? ["import { BadRequest } from '@feathersjs/errors';"] : []),
    "import { resolve } from '@feathersjs/schema';",
    `import { ${typebox.join(', ')} } from '@feathersjs/typebox';`,
    `import type { Static${hasNullable ? ', TSchema' : ''} } from '@feathersjs/typebox';`,
    "import type { HookContext } from '../../declarations.js';",
    "import { dataValidator, queryValidator } from '../../validators.js';",
    `import type { ${pascal}Service } from './${name}.class.js';`,
  ];
}

/** Schemas of records, input and queries, with their validators and resolvers. */
export function writeSchema(plan: ServicePlan): string {
  const { name, pascal, database, idName, fields } = plan;
  const hasNullable = fields.some((field) => !field.required && !isObjectId(field, database));
  const whole = fields.filter(isJson).map((field) => quote(field.name));
  const queryParts = [
    `Type.Omit(querySyntax(${whole.length > 0 ? 'comparable' : `${name}Schema`}), ['$select'])`,
    'Type.Object({ $select: Type.Optional(Type.Array(fieldName)) })',
  ];
  return fileText(
    importLines(plan, hasNullable),
    '',
    hasNullable && [
      '// A field that is not required may be null, and is null in an answer where it has no value.',
      'const nullable = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | null>({ ...schema, nullable: true });',
      '',
    ],
    '// A record, as it is answered.',
    `export const ${name}Schema = Type.Object(`,
    '  {',
    `    ${idName}: ${idSchema(plan)},`,
    fields.map((field) => `    ${field.name}: ${fieldSchema(field, database)},`),
    '  },',
    // Validators accept each id once: `user` must differ from the `User` of an application.
    `  { $id: '${name}', additionalProperties: false },`,
    ');',
    `export type ${pascal}Record = Static<typeof ${name}Schema>;`,
    '',
    '// What create() takes.',
    `export const ${name}DataSchema = Type.Omit(${name}Schema, ['${idName}'], { $id: '${name}Data' });`,
    `export type ${pascal}Data = Static<typeof ${name}DataSchema>;`,
    '',
    '// What patch() takes: at least one field. A required one cannot be taken away.',
    `export const ${name}PatchSchema = Type.Partial(${name}DataSchema, { $id: '${name}Patch', minProperties: 1 });`,
    `export type ${pascal}Patch = Static<typeof ${name}PatchSchema>;`,
    '',
    whole.length > 0 && [
      '// An array or an object is kept whole: nobody can compare it or sort by it.',
      wrapList(`const comparable = Type.Omit(${name}Schema, [`, whole, ']);'),
      '',
    ],
    `const fieldName = Type.Unsafe<keyof ${pascal}Record>({`,
    "  type: 'string',",
    `  enum: Object.keys(${name}Schema.properties),`,
    '});',
    '',
    '// What may be asked. Every field can be selected.',
    `export const ${name}QuerySchema = Type.Intersect(`,
    wrapList('[', queryParts, '],', '  '),
    `  { $id: '${name}Query', additionalProperties: false },`,
    ');',
    `export type ${pascal}Query = Static<typeof ${name}QuerySchema>;`,
    '',
    conversionBlocks(plan),
    resolverText(plan),
    `export const ${name}DataValidator = getValidator(${name}DataSchema, dataValidator);`,
    `export const ${name}PatchValidator = getValidator(${name}PatchSchema, dataValidator);`,
    `export const ${name}QueryValidator = getValidator(${name}QuerySchema, queryValidator);`,
  );
}
