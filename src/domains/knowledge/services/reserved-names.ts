const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that no code can be called by, strict mode and modules included. */
const languageWords = words(`
  await break case catch class const continue debugger default delete do else enum export extends false finally for
  function if implements import in instanceof interface let new null package private protected public return static
  super switch this throw true try typeof undefined var void while with yield async eval arguments
`);

/** What an object has anyway, so that a table of services would find it there. */
const objectWords = words('constructor proto prototype');

/**
 * Files and routes that a Feathers application has of its own. The class of `knex` would be called like the one that it
 * extends, and the hooks of `schema` like those that it imports.
 */
const applicationWords = words('service services index authentication oauth knex schema');

/** Windows makes no folder of these names. */
const deviceWords = words(
  'con prn aux nul com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9',
);

const serviceReasons: readonly (readonly [ReadonlySet<string>, string])[] = [
  [languageWords, 'is a word of JavaScript'],
  [objectWords, 'is a member of every object'],
  [applicationWords, 'is taken by Feathers itself'],
  [deviceWords, 'is the name of a device on Windows'],
];

/** Why no service may have this name; undefined where one may. */
export const whyServiceIsReserved = (name: string): string | undefined =>
  serviceReasons.find(([reserved]) => reserved.has(name))?.[1];

const memberNames = words(`
  constructor prototype hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf toJSON toBSON
  _bsontype
`);

/** Every table of PostgreSQL has columns of these names already. */
const systemColumns = words('tableoid xmin cmin xmax cmax ctid');

/** Why no field may have this name; undefined where one may. */
export function whyFieldIsReserved(name: string, isPostgres: boolean): string | undefined {
  const folded = name.toLowerCase();
  if (folded === 'id' || folded === '_id') return 'is the key that every record gets by itself';
  if (name.startsWith('__') || memberNames.has(name))
    return 'is a name that JavaScript or the database driver keeps for itself';
  if (isPostgres && systemColumns.has(name)) return 'is a system column of every PostgreSQL table';
  return undefined;
}
