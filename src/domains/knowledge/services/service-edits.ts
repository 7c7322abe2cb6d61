import { isSql, type ServicePlan } from './service-request.ts';

/** What an application that was not made by `get_feathers_template` has to change, and why. */
export interface Edit {
  readonly file: string;
  readonly why: string;
  readonly change: string;
}

const packages: Readonly<Record<ServicePlan['database'], string>> = {
  mongodb: '@feathersjs/mongodb, mongodb',
  postgresql: '@feathersjs/knex, knex, pg',
  sqlite: '@feathersjs/knex, knex, better-sqlite3',
};

const register = ({ name }: ServicePlan): Edit => ({
  file: 'src/services/index.ts',
  why: 'Only an application that looks for services by their folders needs no line for each.',
  change: `import { register as ${name} } from './${name}/${name}.service.js'; and in services(): app.configure(${name});`,
});

const declare = ({ database }: ServicePlan): Edit => ({
  file: 'src/declarations.ts',
  why: 'The files import Application, HookContext and NextFunction from it, and add the service to its ServiceTypes.',
  change: `Export them and interface ServiceTypes {}. app.get('paginate') and app.get('${database}Client'), ${
    isSql(database) ? 'a Knex' : 'a Db of the driver'
  }, are set before services are registered.`,
});

const awaitClient = ({ name }: ServicePlan): Edit => ({
  file: `src/services/${name}/${name}.class.ts`,
  why: 'In an application of the official generator mongodbClient is a promise.',
  change: `Model: app.get('mongodbClient').then((db) => db.collection('${name}')). Unique indexes are made by app.setup() or app.listen(): tests have to call one.`,
});

function validate({ database, fields }: ServicePlan): Edit {
  const formats = fields.some(({ type }) => type === 'date') ? " with addFormats(…, ['date-time'])" : '';
  const keyword = isSql(database) ? '' : ' and addKeyword(keywordObjectId) of @feathersjs/mongodb';
  return {
    file: 'src/validators.ts',
    why: 'The schemas are compiled by its dataValidator and queryValidator.',
    change: `Export both: instances of Ajv${formats}${keyword}; queryValidator has coerceTypes: true, dataValidator has not.`,
  };
}

const typeClient = ({ name }: ServicePlan): Edit => ({
  file: 'src/client.ts',
  why: `${name}.shared.ts adds the type of client.service('${name}') to its ServiceTypes; there is nothing to register.`,
  change: `Export interface ServiceTypes {}, which the client is typed by; or delete the last block of src/services/${name}/${name}.shared.ts.`,
});

const install = ({ database }: ServicePlan): Edit => ({
  file: 'package.json',
  why: 'The files import these packages, and relative ones by their names with .js, as modules do.',
  change: `Install @feathersjs/errors, @feathersjs/schema, @feathersjs/typebox, ${packages[database]}; mocha for the test. Where "type" is not "module", drop .js from relative imports.`,
});

const protect = ({ name }: ServicePlan): Edit => ({
  file: `src/services/${name}/${name}.hooks.ts`,
  why: 'Everybody may call the service. An application with authentication, a generated one too, may ask for a login.',
  change:
    "import { authenticate } from '@feathersjs/authentication'; and put authenticate('jwt') first into the list around.all.",
});

const strip = ({ name }: ServicePlan, paths: readonly string[]): Edit => ({
  file: `src/services/${name}`,
  why: 'In an application in JavaScript, a generated one too, the files have to lose their types.',
  change: `npx esbuild ${paths.join(' ')} --outdir=. --outbase=.; then delete the .ts files.`,
});

/** `paths` are those of the generated files. */
export const serviceEdits = (plan: ServicePlan, paths: readonly string[]): readonly Edit[] => [
  register(plan),
  declare(plan),
  ...(isSql(plan.database) ? [] : [awaitClient(plan)]),
  validate(plan),
  typeClient(plan),
  install(plan),
  protect(plan),
  strip(plan, paths),
];
