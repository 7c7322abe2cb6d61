import { isSql, type ServicePlan, uniqueName } from '../service-plan.ts';
import { fileText, joinLines, wrapList } from './code-text.ts';
import { copyName, hasCopy } from './resolver-blocks.ts';

const schemaImport = ({ name, pascal }: ServicePlan): string =>
  `import type { ${pascal}Data, ${pascal}Patch, ${pascal}Query, ${pascal}Record } from './${name}.schema.js';`;

const classText = ({ name, pascal }: ServicePlan, base: string, params: string, body?: string): string =>
  joinLines(
    `export interface ${pascal}Params extends ${params}<${pascal}Query> {}`,
    '',
    `// The standard methods on ${name}; others can be added, or these changed, here.`,
    `export class ${pascal}Service<ServiceParams extends Params = ${pascal}Params> extends ${base}<`,
    `  ${pascal}Record,`,
    `  ${pascal}Data,`,
    '  ServiceParams,',
    `  ${pascal}Patch`,
    body === undefined ? '> {}' : ['> {', body, '}'],
  );

const writeSqlClass = (plan: ServicePlan): string =>
  fileText(
    "import type { Params } from '@feathersjs/feathers';",
    "import { KnexService } from '@feathersjs/knex';",
    "import type { KnexAdapterOptions, KnexAdapterParams } from '@feathersjs/knex';",
    "import type { Application } from '../../declarations.js';",
    schemaImport(plan),
    '',
    classText(plan, 'KnexService', 'KnexAdapterParams'),
    '',
    'export const getOptions = (app: Application): KnexAdapterOptions => ({',
    "  paginate: app.get('paginate'),",
    `  Model: app.get('${plan.database}Client'),`,
    `  name: '${plan.name}',`,
    '});',
  );

function setupText(plan: ServicePlan): string | undefined {
  const unique = plan.fields.filter((field) => field.unique);
  if (unique.length === 0) return undefined;
  const indexes = unique.map((field) => {
    const key = hasCopy(field) ? copyName(field) : field.name;
    const index = [`{ ${key}: 1 }`, `{ name: '${uniqueName(plan, field)}', ...unique }`];
    return wrapList('await collection.createIndex(', index, ');', '    ');
  });
  return joinLines(
    '  // Feathers calls this when the application starts.',
    '  async setup() {',
    '    const collection = await this.options.Model;',
    '    // Documents without a value do not collide.',
    '    const unique = { unique: true, sparse: true };',
    indexes,
    '  }',
  );
}

const writeDocumentClass = (plan: ServicePlan): string =>
  fileText(
    "import type { Params } from '@feathersjs/feathers';",
    "import { MongoDBService } from '@feathersjs/mongodb';",
    "import type { MongoDBAdapterOptions, MongoDBAdapterParams } from '@feathersjs/mongodb';",
    "import type { Application } from '../../declarations.js';",
    schemaImport(plan),
    '',
    classText(plan, 'MongoDBService', 'MongoDBAdapterParams', setupText(plan)),
    '',
    'export const getOptions = (app: Application): MongoDBAdapterOptions => ({',
    "  paginate: app.get('paginate'),",
    `  Model: app.get('mongodbClient').collection('${plan.name}'),`,
    '});',
  );

export const writeClass = (plan: ServicePlan): string =>
  isSql(plan.database) ? writeSqlClass(plan) : writeDocumentClass(plan);
