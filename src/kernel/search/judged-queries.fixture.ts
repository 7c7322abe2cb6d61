import type { SearchDocument } from './collection.ts';

type Judged = SearchDocument<'title' | 'body'>;

const document = (id: string, title: string, body: string): Judged => ({ id, fields: { title, body } });

/** A small library that resembles the contents of the memories: framework docs, house rules, notes, bills. */
export const judgedDocuments: readonly Judged[] = [
  document(
    'hooks-overview',
    'Hooks',
    'Hooks are middleware functions that run before, after or around a service method. They receive a HookContext and may change params, data and result.',
  ),
  document(
    'hooks-before',
    'Before hooks',
    'A before hook runs ahead of the method. Register it with before: { create: [validate()] } or before: { all: [] }. Throwing stops the call.',
  ),
  document(
    'hooks-after',
    'After hooks',
    'An after hook sees context.result and may shape it: after: { find: [removePassword()] }.',
  ),
  document(
    'hooks-error',
    'Error hooks',
    'An error hook runs when a method or another hook throws. context.error holds what was thrown; set context.result to recover.',
  ),
  document(
    'hook-context',
    'HookContext',
    'The context object passed to hooks: app, service, path, method, type, params, id, data, result, error, statusCode.',
  ),
  document(
    'services',
    'Services',
    'A service is an object or class instance with find, get, create, update, patch and remove. Services are registered with app.use.',
  ),
  document(
    'app-use',
    'app.use',
    'app.use(path, service, options) registers a service on a path. It returns the application. Options name the methods and events that clients may use.',
  ),
  document('app-service', 'app.service', 'app.service(path) returns the wrapped service, with hooks and events.'),
  document(
    'auth-local',
    'Local authentication strategy',
    'Authenticates users by email and password. The password is hashed with bcrypt. Configure usernameField and passwordField.',
  ),
  document(
    'auth-jwt',
    'JWT authentication strategy',
    'Checks a JSON web token from the Authorization header. Tokens carry the user id in sub and expire after a day by default.',
  ),
  document(
    'auth-oauth',
    'OAuth login',
    'Lets users sign in with GitHub, Google and others. Set key and secret of each provider; the callback is /oauth/{provider}/callback.',
  ),
  document(
    'errors',
    'Errors',
    'NotFound, BadRequest, Forbidden, NotAuthenticated, Conflict and others. Each has a name, a code and a className, and is sent to the client as JSON.',
  ),
  document(
    'knex',
    'SQL databases with Knex',
    'Connect PostgreSQL, SQLite or MySQL. The adapter maps query operators such as $gt and $in to SQL. Migrations run with knex migrate:latest.',
  ),
  document(
    'mongodb',
    'MongoDB adapter',
    'Stores documents in MongoDB collections. Ids are ObjectId; use the resolver to convert them. Aggregation pipelines are supported.',
  ),
  document(
    'pagination',
    'Pagination',
    'Set paginate: { default: 10, max: 50 }. find then answers total, limit, skip and data. Switch it off for one call with paginate: false.',
  ),
  document(
    'channels',
    'Real-time channels',
    'Channels decide which connected clients get which events. Publish to app.channel and join a connection on login.',
  ),
  document(
    'sockets',
    'Socket.io transport',
    'Clients call service methods over websockets. Set up cors and the maximum buffer size. Disconnects leave all channels.',
  ),
  document(
    'rest',
    'REST transport',
    'Services answer HTTP: GET is find and get, POST is create, PUT is update, PATCH is patch, DELETE is remove.',
  ),
  document(
    'schema',
    'Schemas and validators',
    'Define data with TypeBox or JSON schema. Validators check data and queries before a method runs. Additional properties are refused.',
  ),
  document(
    'resolvers',
    'Resolvers',
    'Resolvers fill in properties: hash a password, set createdAt, join the user of a message. They run for data, results and queries.',
  ),
  document(
    'rule-commits',
    'Commit messages',
    'Write type(domain): what changed, in the imperative. The body says why. One change a commit; generated files go with their cause.',
  ),
  document(
    'rule-errors',
    'Error handling',
    'Throw a fault with a registered code for what is expected. Never catch an error only to log it. Error messages name the fix.',
  ),
  document(
    'rule-names',
    'Naming',
    'Files are kebab-case. Functions say what they do: createX, isX, toX. One noun for one thing in code, SQL and docs.',
  ),
  document(
    'rule-review',
    'Code review',
    'Every change is reviewed by a second person. The reviewer runs the tests. Comments are about the code, never about people.',
  ),
  document(
    'rule-secrets',
    'Secrets',
    'Passwords, tokens and keys never reach the repository or the logs. Read them from the environment. Rotate a leaked key at once.',
  ),
  document(
    'rule-tests',
    'Tests',
    'Test behaviour through the real thing. Titles are sentences. No sleeping, no mocks of storage. A test that cannot fail is worth nothing.',
  ),
  document(
    'rule-deploy',
    'Deployment',
    'Deploy from main after the checks are green. Roll back with the previous image. Announce downtime a day ahead.',
  ),
  document(
    'rule-migrations',
    'Database migrations',
    'Migrations go forward only, each in one transaction. A released migration is never edited. Test it on a copy of production.',
  ),
  document(
    'note-incident',
    'Incident of the payment queue',
    'Payments were stuck because a worker held its lease while it slept. Fixed by a shorter timeout. Follow up: alert on queue age.',
  ),
  document(
    'note-latency',
    'Why search was slow',
    'Full-text queries scanned the whole table. An index over segments brought the latency from 40 ms to under 1 ms.',
  ),
  document(
    'note-standup',
    'Monday plan',
    'Finish the login page, write the migration for invoices, ask about the vendor of the monitoring service.',
  ),
  document(
    'note-onboarding',
    'Onboarding checklist',
    'Create accounts, set up the laptop, read the house rules, deploy something small on the first day.',
  ),
  document(
    'invoice-1042',
    'Invoice 1042 from Northwind Paper',
    'Vendor Northwind Paper Ltd. Forty boxes of paper, due in thirty days. Amount 812.50 EUR.',
  ),
  document(
    'invoice-1043',
    'Invoice 1043 from Brightline Hosting',
    'Vendor Brightline Hosting. Servers and backup storage for October. Amount 2,340.00 EUR, paid by card.',
  ),
  document(
    'contract-hosting',
    'Contract with Brightline Hosting',
    'Hosting of servers for two years, three months notice. Support answers within four hours.',
  ),
  document(
    'receipt-train',
    'Receipt for a train ticket',
    'Second class, return. Paid by card. Travel to the review of the hosting contract.',
  ),
];

/** Judged relevance: 3 is the answer itself, 2 helps a lot, 1 is related. */
export const judgedQueries: readonly { readonly query: string; readonly wanted: Readonly<Record<string, number>> }[] = [
  {
    query: 'hooks',
    wanted: {
      'hooks-overview': 3,
      'hooks-before': 2,
      'hooks-after': 2,
      'hooks-error': 2,
      'hook-context': 2,
      'app-service': 1,
    },
  },
  { query: 'HookContext', wanted: { 'hook-context': 3, 'hooks-overview': 2, 'hooks-error': 1, 'hooks-after': 1 } },
  { query: 'app.use', wanted: { 'app-use': 3, services: 2 } },
  { query: 'before: { create }', wanted: { 'hooks-before': 3, services: 1, rest: 1 } },
  { query: 'how do I register a service', wanted: { 'app-use': 3, services: 3, 'hooks-before': 1 } },
  { query: 'error handling', wanted: { 'rule-errors': 3, 'hooks-error': 2, errors: 2 } },
  { query: 'handle errors in hooks', wanted: { 'hooks-error': 3, 'rule-errors': 2, errors: 1, 'hooks-overview': 1 } },
  { query: 'log in with github', wanted: { 'auth-oauth': 3 } },
  { query: 'authenticating users by password', wanted: { 'auth-local': 3, 'auth-jwt': 1, 'rule-secrets': 1 } },
  { query: 'expired web tokens', wanted: { 'auth-jwt': 3 } },
  { query: 'database migration', wanted: { 'rule-migrations': 3, knex: 2, 'note-standup': 1 } },
  { query: 'postgresql', wanted: { knex: 3 } },
  { query: 'writing good commit messages', wanted: { 'rule-commits': 3, 'rule-errors': 1 } },
  { query: 'naming of files', wanted: { 'rule-names': 3 } },
  { query: 'leaked keys', wanted: { 'rule-secrets': 3 } },
  { query: 'why is the search slow', wanted: { 'note-latency': 3 } },
  { query: 'invoices of Brightline', wanted: { 'invoice-1043': 3, 'contract-hosting': 2, 'invoice-1042': 1 } },
  { query: 'hosting contract', wanted: { 'contract-hosting': 3, 'invoice-1043': 1, 'receipt-train': 1 } },
  { query: '"paid by card"', wanted: { 'receipt-train': 3, 'invoice-1043': 3 } },
  { query: 'invoice-1042', wanted: { 'invoice-1042': 3, 'invoice-1043': 1 } },
  { query: 'deploying', wanted: { 'rule-deploy': 3, 'note-onboarding': 2 } },
  { query: 'total limit skip', wanted: { pagination: 3 } },
  { query: 'websocket clients', wanted: { sockets: 3, channels: 2 } },
  { query: 'validat*', wanted: { schema: 3, 'hooks-before': 2 } },
];
