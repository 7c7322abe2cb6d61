import type { GeneratedService } from '../tools/generate-service.ts';
import { isSql, type ServicePlan } from './service-plan.ts';

type ServiceEdit = GeneratedService['edits'][number];

const packages: Readonly<Record<ServicePlan['database'], string>> = {
  mongodb: '@feathersjs/mongodb, mongodb',
  postgresql: '@feathersjs/knex, knex, pg',
  sqlite: '@feathersjs/knex, knex, better-sqlite3 or sqlite3',
};

const register = ({ name, pascal, extension }: ServicePlan): ServiceEdit => ({
  file: `src/services/index.${extension}`,
  why: 'Only an application that looks for services by their folders needs no line for each.',
  // The alias avoids clashes with `app` and `services` in that file.
  change: `import { register as register${pascal} } from './${name}/${name}.service.js'; and in services(): app.configure(register${pascal});`,
});

const declare: ServiceEdit = {
  file: 'src/declarations.ts',
  why: 'The files import Application, HookContext and NextFunction from it, and add the service to its ServiceTypes.',
  change: 'Export them and interface ServiceTypes {}.',
};

const connect = ({ database, extension }: ServicePlan): ServiceEdit => ({
  file: `src/app.${extension}`,
  why: 'The class asks the application for its database, and for how many records a page may have.',
  change: `Before services are registered: app.set('${database}Client', …), ${
    isSql(database) ? 'a Knex' : 'a Db of the driver'
  }, and app.set('paginate', { default: 10, max: 50 }), unless both are there.`,
});

const awaitClient = ({ name, extension }: ServicePlan): ServiceEdit => ({
  file: `src/services/${name}/${name}.class.${extension}`,
  why: 'In an application of the official generator mongodbClient is a promise.',
  change: `Model: app.get('mongodbClient').then((db) => db.collection('${name}')). Unique indexes are made by app.setup() or app.listen(): tests have to call one.`,
});

function validate({ database, fields, extension }: ServicePlan): ServiceEdit {
  const formats = fields.some(({ type }) => type === 'date') ? " with addFormats(…, ['date-time'])" : '';
  const keyword = isSql(database) ? '' : ' and addKeyword(keywordObjectId) of @feathersjs/mongodb';
  return {
    file: `src/validators.${extension}`,
    why: 'The schemas are compiled by its dataValidator and queryValidator.',
    change: `Export both: instances of Ajv${formats}${keyword}; queryValidator has coerceTypes: true, dataValidator has not.`,
  };
}

const typeClient = ({ name }: ServicePlan): ServiceEdit => ({
  file: 'src/client.ts',
  why: `${name}.shared.ts adds the type of client.service('${name}') to its ServiceTypes; there is nothing to register.`,
  change: `Export interface ServiceTypes {}, which the client is typed by; or delete the last block of src/services/${name}/${name}.shared.ts.`,
});

const install = ({ database, extension }: ServicePlan): ServiceEdit => ({
  file: 'package.json',
  why: 'The files import these packages, and relative ones by their names with .js, as modules do.',
  change: `Install @feathersjs/errors, @feathersjs/schema, @feathersjs/typebox, ${packages[database]}; mocha for the test. ${
    extension === 'ts'
      ? 'Where "type" is not "module", drop .js from relative imports and after declare module.'
      : 'Set "type": "module".'
  }`,
});

const protect = ({ name, extension }: ServicePlan): ServiceEdit => ({
  file: `src/services/${name}/${name}.hooks.${extension}`,
  why: 'Everybody may call the service. An application with authentication, a generated one too, may ask for a login.',
  change:
    "import { authenticate } from '@feathersjs/authentication'; and put authenticate('jwt') first into the list around.all.",
});

export function serviceEdits(plan: ServicePlan): readonly ServiceEdit[] {
  const isTyped = plan.extension === 'ts';
  return [
    register(plan),
    ...(isTyped ? [declare] : []),
    connect(plan),
    ...(isSql(plan.database) ? [] : [awaitClient(plan)]),
    validate(plan),
    ...(isTyped ? [typeClient(plan)] : []),
    install(plan),
    protect(plan),
  ];
}
