import { stripTypes } from '../templates/strip-types.ts';
import type { GeneratedService } from '../tools/generate-service.ts';
import { checkService } from './check-service.ts';
import { writeClass } from './files/class-file.ts';
import { fileText } from './files/code-text.ts';
import { writeHooks } from './files/hooks-file.ts';
import { migrationPath, writeMigration } from './files/migration-file.ts';
import { writeSchema } from './files/schema-file.ts';
import { writeTest } from './files/test-file.ts';
import { serviceEdits } from './service-edits.ts';
import type { ServiceRequest } from './service-plan.ts';
import { isJson, isSql, type ServicePlan } from './service-plan.ts';

/** Registers the service in an application. */
const writeService = ({ name, pascal }: ServicePlan): string =>
  fileText(
    "import type { Application } from '../../declarations.js';",
    `import { getOptions, ${pascal}Service } from './${name}.class.js';`,
    `import { ${name}Hooks } from './${name}.hooks.js';`,
    `import { ${name}Methods, ${name}Path } from './${name}.shared.js';`,
    '',
    "declare module '../../declarations.js' {",
    '  interface ServiceTypes {',
    `    [${name}Path]: ${pascal}Service;`,
    '  }',
    '}',
    '',
    '// Called when the application starts, with every service that has a folder.',
    'export const register = (app: Application) => {',
    `  app.use(${name}Path, new ${pascal}Service(getOptions(app)), { methods: [...${name}Methods] });`,
    `  app.service(${name}Path).hooks(${name}Hooks);`,
    '};',
  );

/** Shared by client and server, so it must not import server code. */
const writeShared = ({ name, pascal }: ServicePlan): string =>
  fileText(
    "import type { Params } from '@feathersjs/feathers';",
    `import type { ${pascal}Service } from './${name}.class.js';`,
    `import type { ${pascal}Query } from './${name}.schema.js';`,
    '',
    `export type { ${pascal}Data, ${pascal}Patch, ${pascal}Query, ${pascal}Record } from './${name}.schema.js';`,
    '',
    `export const ${name}Path = '${name}';`,
    '',
    `export const ${name}Methods = ['find', 'get', 'create', 'patch', 'remove'] as const;`,
    `type Methods = (typeof ${name}Methods)[number];`,
    '',
    `export type ${pascal}ClientService = Pick<${pascal}Service<Params<${pascal}Query>>, Methods>;`,
    '',
    '// A client knows these methods by itself: only their types have to be told.',
    "declare module '../../client.js' {",
    '  interface ServiceTypes {',
    `    [${name}Path]: ${pascal}ClientService;`,
    '  }',
    '}',
  );

function serviceNotes({ name, database, fields, extension }: ServicePlan): readonly string[] {
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

export type ServiceFile = GeneratedService['files'][string];

const hasTable = (plan: ServicePlan): plan is ServicePlan & { database: 'postgresql' | 'sqlite' } =>
  plan.database !== 'mongodb';

function writeFiles(plan: ServicePlan): readonly ServiceFile[] {
  const { name, extension } = plan;
  const toFile = (path: string, type: ServiceFile['type'], typed: string): ServiceFile => {
    const content = extension === 'ts' ? typed : stripTypes(typed);
    return { path: `${path}.${extension}`, content, type, size: Buffer.byteLength(content) };
  };
  const at = (part: string) => `src/services/${name}/${name}.${part}`;
  return [
    toFile(at('service'), 'service', writeService(plan)),
    toFile(at('class'), 'service', writeClass(plan)),
    toFile(at('schema'), 'schema', writeSchema(plan)),
    toFile(at('hooks'), 'hooks', writeHooks(plan)),
    toFile(at('shared'), 'schema', writeShared(plan)),
    ...(hasTable(plan) ? [toFile(migrationPath(plan), 'schema', writeMigration(plan))] : []),
    toFile(`test/services/${name}/${name}.test`, 'test', writeTest(plan)),
  ];
}

/** Deterministic: the same request gives the same bytes. */
export function generateService(request: ServiceRequest): GeneratedService {
  const plan = checkService(request);
  const files = writeFiles(plan);
  return {
    name: plan.name,
    database: plan.database,
    fieldCount: plan.fields.length,
    files: Object.fromEntries(files.map((file) => [file.path, file])),
    edits: serviceEdits(plan),
    notes: serviceNotes(plan),
  };
}
