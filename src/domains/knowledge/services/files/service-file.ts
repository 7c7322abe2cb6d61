import type { ServicePlan } from '../service-request.ts';
import { lines } from './text.ts';

/** Puts the service into an application. */
export const writeService = ({ name, pascal }: ServicePlan): string =>
  lines(
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

/** What client and server have in common: no code of the server is in it. */
export const writeShared = ({ name, pascal }: ServicePlan): string =>
  lines(
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
