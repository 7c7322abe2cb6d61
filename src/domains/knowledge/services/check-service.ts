import { knowledgeFaults } from '../knowledge-faults.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { ServiceRequest } from './service-plan.ts';
import { type Field, isSql, type ServicePlan } from './service-plan.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Reserved words, including those of strict mode and modules. */
const languageWords = words(`
  await break case catch class const continue debugger default delete do else enum export extends false finally for
  function if implements import in instanceof interface let new null package private protected public return static
  super switch this throw true try typeof undefined var void while with yield async eval arguments
`);

/** Members of every object: a table of services would find them. */
const objectWords = words('constructor proto prototype');

/**
 * Files and routes of every Feathers application. A class for `knex` would have the name of its base class, and the
 * hooks of `schema` the name of an import.
 */
const applicationWords = words('service services index authentication oauth knex schema');

/** Windows cannot create folders with these names. */
const deviceWords = words(
  'con prn aux nul com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9',
);

const serviceReasons: readonly (readonly [ReadonlySet<string>, string])[] = [
  [languageWords, 'is a word of JavaScript'],
  [objectWords, 'is a member of every object'],
  [applicationWords, 'is taken by Feathers itself'],
  [deviceWords, 'is the name of a device on Windows'],
];

/** Undefined if the name is allowed. */
export const whyServiceIsReserved = (name: string): string | undefined =>
  serviceReasons.find(([reserved]) => reserved.has(name))?.[1];

const memberNames = words(`
  constructor prototype hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf toJSON toBSON
  _bsontype
`);

/** Every PostgreSQL table has these columns. */
const systemColumns = words('tableoid xmin cmin xmax cmax ctid');

/** Undefined if the name is allowed. */
function whyFieldIsReserved(name: string, isPostgres: boolean): string | undefined {
  const folded = name.toLowerCase();
  if (folded === 'id' || folded === '_id') return 'is the key that every record gets by itself';
  if (name.startsWith('__') || memberNames.has(name))
    return 'is a name that JavaScript or the database driver keeps for itself';
  if (isPostgres && systemColumns.has(name)) return 'is a system column of every PostgreSQL table';
  return undefined;
}

const refuse = (why: string) => knowledgeFaults.INVALID_SERVICE({ why });

/** Shortens a name for a message. */
const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** The documented rule: keep only lower-case letters and digits. */
export function sanitizeName(given: string): string {
  const left = given.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return /^[0-9]/.test(left) ? `_${left}` : left;
}

function checkName(given: string): string {
  if (/[/\\]/.test(given) || /^\s*\.+\s*$/.test(given))
    throw refuse(`The service name ${shown(given)} looks like a path; give one word, for example "messages"`);
  const name = sanitizeName(given);
  if (name === '')
    throw refuse(`The service name ${shown(given)} has no letter a-z and no digit; give one, for example "messages"`);
  if (name.length > knowledgeLimits.nameChars)
    throw refuse(`The service name has ${name.length} characters; give at most ${knowledgeLimits.nameChars}`);
  const reason = whyServiceIsReserved(name);
  if (reason !== undefined)
    throw refuse(
      `The service name ${shown(given)} is reserved: "${name}" ${reason}; choose another, for example "${name}items"`,
    );
  return name;
}

function checkFieldName(name: string, database: ServicePlan['database']): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw refuse(
      `The field name ${shown(name)} cannot be used; begin with a letter a-z and continue with letters, digits or "_", for example "dueDate"`,
    );
  if (name.length > knowledgeLimits.fieldNameChars)
    throw refuse(
      `The field name ${shown(name)} has ${name.length} characters; give at most ${knowledgeLimits.fieldNameChars}`,
    );
  const reason = whyFieldIsReserved(name, database === 'postgresql');
  if (reason !== undefined)
    throw refuse(`The field name "${name}" is reserved: it ${reason}; leave it out or rename it`);
}

function checkTwins(fields: readonly Field[], database: ServicePlan['database']): void {
  // SQLite treats `dueDate` and `duedate` as the same column.
  const fold = (name: string) => (database === 'sqlite' ? name.toLowerCase() : name);
  const seen = new Map<string, string>();
  for (const { name } of fields) {
    const twin = seen.get(fold(name));
    if (twin === name) throw refuse(`The field "${name}" occurs twice; give each name once`);
    if (twin !== undefined)
      throw refuse(`The fields "${twin}" and "${name}" are one column in SQLite, which ignores case; rename one`);
    seen.set(fold(name), name);
  }
}

function checkIndexes(fields: readonly Field[], database: ServicePlan['database']): void {
  const uniqueCount = fields.filter(({ unique }) => unique).length;
  if (database === 'mongodb' && uniqueCount > knowledgeLimits.mongodbUniqueCount)
    throw refuse(
      `The service has ${uniqueCount} unique fields; give at most ${knowledgeLimits.mongodbUniqueCount} on MongoDB, which has no more indexes`,
    );
}

export function checkService({
  name: given,
  database,
  fields: requested,
  typescript = true,
}: ServiceRequest): ServicePlan {
  const name = checkName(given);
  if (requested.length === 0)
    throw refuse('The service has no fields; give at least one, for example {"name": "text", "type": "string"}');
  if (requested.length > knowledgeLimits.fieldsCount)
    throw refuse(
      `The service has ${requested.length} fields; give at most ${knowledgeLimits.fieldsCount}, or combine some in one "object"`,
    );
  for (const field of requested) checkFieldName(field.name, database);
  const fields = requested.map(({ name: field, type, required = false, unique = false }) => ({
    name: field,
    type,
    required,
    unique,
  }));
  checkTwins(fields, database);
  checkIndexes(fields, database);
  return {
    name,
    pascal: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    database,
    idName: isSql(database) ? 'id' : '_id',
    fields,
    extension: typescript ? 'ts' : 'js',
  };
}
