import { knowledgeFaults } from '../knowledge-faults.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { whyFieldIsReserved, whyServiceIsReserved } from './reserved-names.ts';
import { type Field, isSql, type ServicePlan, type ServiceRequest } from './service-request.ts';

const refuse = (why: string) => knowledgeFaults.INVALID_SERVICE({ why });

/** As it was given, short enough to be shown. */
const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** The document's rule: lower-case letters and digits are what is left of a name. */
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
      `The field name ${shown(name)} cannot be used; begin with a letter a-z and go on with such letters, digits or "_", for example "dueDate"`,
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
  // SQLite takes `dueDate` and `duedate` for the same column.
  const fold = (name: string) => (database === 'sqlite' ? name.toLowerCase() : name);
  const seen = new Map<string, string>();
  for (const { name } of fields) {
    const twin = seen.get(fold(name));
    if (twin === name) throw refuse(`The field "${name}" is there twice; give each name once`);
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

/** A checked request, or the fault that says what to change. */
export function planService({ name: given, database, fields: asked, typescript = true }: ServiceRequest): ServicePlan {
  const name = checkName(given);
  if (asked.length === 0)
    throw refuse('The service has no fields; give at least one, for example {"name": "text", "type": "string"}');
  if (asked.length > knowledgeLimits.fieldsCount)
    throw refuse(
      `The service has ${asked.length} fields; give at most ${knowledgeLimits.fieldsCount}, or hold some in one "object"`,
    );
  for (const field of asked) checkFieldName(field.name, database);
  const fields = asked.map(({ name: field, type, required = false, unique = false }) => ({
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
