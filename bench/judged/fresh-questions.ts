import type { JudgedQuestion } from './feathers-questions.ts';

const v5 = (asks: string, ...right: string[]): JudgedQuestion => ({ version: 'v5', asks, right });
const v4 = (asks: string, ...right: string[]): JudgedQuestion => ({ version: 'v4', asks, right });

/**
 * A second held-out set: its author had not read the base or the other questions, and it was not changed afterwards.
 */
export const freshV5: readonly JudgedQuestion[] = [
  v5(
    'add a custom method to a service besides find get create and call it from the client',
    'Call custom methods from the client',
    'Custom methods: offer a method of your own to clients',
    'A custom method: methods and X-Service-Method',
  ),
  v5(
    'how can I keep a service method internal so nobody outside can call it',
    'Disallow a method for clients',
    'Restrict which methods clients may call',
    'Tell internal calls from external ones: params.provider',
    'Allow only the methods that are used',
  ),
  v5(
    'MethodNotAllowed: Method `patch` is not supported by this endpoint.',
    'MethodNotAllowed: Method is not supported by this endpoint',
  ),
  v5("Error: Can not find service 'messages'", 'Can not find service', 'Remove a service or replace it: app.unuse'),
  v5('order of around, before and after hooks', 'Order in which hooks run'),
  v5(
    'skip hook for internal calls',
    'Tell internal calls from external ones: params.provider',
    'Run a hook only for external calls',
    'Difference between internal and external calls',
  ),
  v5(
    'return a result from a before hook without hitting the database',
    'Skip the database by setting the result',
    'Skip the database: set context.result',
  ),
  v5('set status code and response headers from hook', 'Set the HTTP status, headers or a redirect: context.http'),
  v5(
    'app level hooks that run once on server start connect to database',
    'Setup and teardown hooks: when the application starts and stops',
    'Start and stop: listen, setup, teardown',
  ),
  v5(
    'log every error of all services in one place',
    'Application hooks: for every service',
    'Handle errors in hooks: error hooks and around hooks',
    'Log errors once, at the edge',
  ),
  v5(
    'how do I send validation details in the error body',
    'Give an error more information: data and errors',
    'Error messages of your own for validation errors',
  ),
  v5('create my own error class with custom http code', 'Make an error class of your own'),
  v5('log in with username instead of email', 'Log in with a user name instead of an e-mail address: usernameField'),
  v5(
    'NotAuthenticated: Not authenticated on every request altough token is sent',
    'NotAuthenticated: Not authenticated',
  ),
  v5('jwt expires too soon refresh token', 'Refresh tokens', 'Renew an access token while it is still valid'),
  v5('allow anonymous access but know the user if logged in', 'Optional login: let anonymous callers pass'),
  v5('api key authentification for machine to machine', 'Write a custom authentication strategy: API key'),
  v5('put user role into jwt payload', 'Customise the JWT payload'),
  v5('sign in with google feathers 5', 'Set up OAuth login with Google or GitHub'),
  v5('store name and avatar from github profile on first login', 'Store profile data of the provider: getEntityData'),
  v5('Referer "http://localhost:3000" is not allowed.', 'Referer origin is not allowed'),
  v5(
    'find by ObjectId string returns nothing mongodb',
    'Work with ObjectId in schemas and queries',
    'Convert ids with resolveObjectId and resolveQueryObjectId',
    'Cast to ObjectId: ids do not match in MongoDB',
    'A query finds nothing although the record is there',
  ),
  v5('mongodb aggregate $lookup in feathers service', 'Use an aggregation pipeline: params.pipeline'),
  v5(
    'BadRequest: Invalid query parameter $regex',
    'BadRequest: Invalid query parameter',
    'Invalid query parameter or Invalid filter value errors',
  ),
  v5('KnexService createQuery join other table', 'Join tables with createQuery in a Knex service'),
  v5('transaction.start rollback knex several service calls', 'SQL transactions across services with @feathersjs/knex'),
  v5(
    'duplicate key error unique constraint which error code comes back',
    'Database errors become Feathers errors',
    'Unique constraint violation is answered as 500',
  ),
  v5('allow $like in query typebox', 'Search text: $like, $ilike, regular expressions', 'Query schema: querySyntax'),
  v5('validate with plain JSON schema instead of typebox', 'Use plain JSON schema instead of TypeBox'),
  v5(
    'validation failed must be number in query string ?age=18',
    'Two Ajv instances: coerceTypes for queries only',
    'Query from a REST client: query string syntax',
  ),
  v5('must NOT have additional properties', 'Additional properties are refused: must NOT have additional properties'),
  v5('populate the author of a message', 'Populate related data: virtual properties'),
  v5(
    'resolveExternal hide password',
    'Never send the password to the client: external resolver',
    'Hide fields from clients: context.dispatch',
    'Hide properties from some users with an external resolver',
  ),
  v5(
    'set createdAt and userId automatically on create',
    'Set createdAt and userId before create',
    'Set timestamps: createdAt and updatedAt',
    'What resolvers do: data, query, result, external',
  ),
  v5(
    'How do I make sure users can only see and edit their own records?',
    'Restrict users to their own records',
    'Restrict queries on the server',
  ),
  v5(
    'send event only to members of a room',
    'Publish events of one service: service.publish',
    'Send an event to everyone in a room except the sender',
    'Keep channels up to date when membership changes',
  ),
  v5(
    'Why does my socket.io client never receive the created event although the record is stored?',
    'Why clients receive no real-time events: publish is missing',
    'An event is not sent: checklist',
    'No events arrive at the client',
  ),
  v5('service emit custom event events option', 'Send custom events from a service'),
  v5(
    'react frontend connect with socket.io and authentication',
    'Set up a front end: Socket.io client with login (React, Vue, Svelte)',
  ),
  v5('reAuthenticate after page reload', 'Stay logged in after a page reload: reAuthenticate'),
  v5('override config with environment variables in production', 'Use environment variables in the configuration'),
  v5('test a protected service with a logged in user', 'Test as a client would: provider and external calls'),
  v5('upload a file multipart with koa', 'Upload files with Feathers'),
  v5(
    'get client ip address and headers in a service',
    'Pass request data to params: headers, IP address, tokens',
    'Middleware for a single service',
  ),
  v5(
    "Property 'user' does not exist on type 'Params'",
    "Property 'user' does not exist on type 'Params'",
    'Get the current user: params.user',
  ),
  v5(
    'get all rows without paginaton',
    'Get all records: disable pagination with paginate: false',
    'Answer of find: Paginated or array',
  ),
  v5(
    'MethodNotAllowed: Can not create multiple entries',
    'MethodNotAllowed: Can not create multiple entries',
    'Create, patch or remove several records at once: multi',
  ),
  v5(
    'upgrade feathers v4 app to v5 breaking changes',
    'What changed from Feathers v4 (Crow) to v5 (Dove)',
    'Small breaking changes from v4 to v5 that are easily missed',
    'Migrate step by step',
  ),
  v5(
    'run several instances behind load balancer with real-time events',
    'Real-time events with several servers',
    'Scale to several processes',
  ),
  v5('cache get results in redis', 'Cache get results in Redis', 'Cache the answers of get'),
];

export const freshV4: readonly JudgedQuestion[] = [
  v4('feathers 4 create a service class with find get create', 'Write a service in v4'),
  v4('feathers v4 hook context properties', 'Hook context properties in v4'),
  v4(
    'run a hook only for external requests iff isProvider',
    'Common hooks in v4: feathers-hooks-common',
    'Keep unknown fields out in v4: no schemas',
  ),
  v4('set http status code from a v4 hook', 'Set the HTTP status code in v4: context.statusCode'),
  v4(
    'hash password and never return it feathers 4',
    'Hash and hide passwords in v4: hashPassword and protect',
    'Protect a field in v4',
  ),
  v4('AuthenticationService JWTStrategy LocalStrategy register v4', 'Set up authentication in v4'),
  v4('Invalid authentication information (no `strategy` set)', 'Invalid authentication information'),
  v4(
    'custom authentication strategy feathers 4 api key header',
    'Write a custom authentication strategy in v4: API key',
  ),
  v4('v4 facebook login redirect back to frontend', 'Back to the front end after an OAuth login in v4: redirect'),
  v4('feathers-mongodb ObjectID query v4', 'ObjectId in queries in v4'),
  v4('feathers-knex transaction hooks', 'Transactions in v4 with feathers-knex'),
  v4('mongoose populate with feathers-mongoose', 'Mongoose in v4: $populate and validation errors'),
  v4('feathers-sequelize include asociations v4', 'Sequelize in v4: include associations, raw results and hydrate'),
  v4(
    'whitelist $regex v4 Invalid query parameter',
    'Regular expressions and other MongoDB operators in v4: whitelist',
    'BadRequest: Invalid query parameter',
    'Query syntax and pagination in v4',
  ),
  v4(
    'disable pagination for one call v4',
    'Get all records in v4: disable pagination for one call',
    'Query syntax and pagination in v4',
  ),
  v4('patch many records at once v4 multi', 'Many records at once are refused in v4: multi'),
  v4(
    'v4 join channel on login event',
    'Send events only to logged-in users in v4',
    'Channels in v4',
    'Join rooms that are in the database in v4',
  ),
  v4(
    'do not send an event for this call v4',
    'Send no event for one call in v4: context.event = null',
    'Hook context properties in v4',
  ),
  v4(
    'listen to created events on the server side',
    'Listen to events on the server in v4: service.on created',
    'Events and custom events in v4',
  ),
  v4(
    'feathers 4 client in the browser rest fetch',
    'REST client in v4',
    'Stay logged in after a reload in v4: reAuthenticate and storage',
  ),
  v4(
    'Timeout of 5000ms exceeded calling find on messages',
    'Socket.io client in v4',
    'socket.io-client must be version 2.x with Feathers v4',
  ),
  v4(
    'how to get the logged in user on the client v4',
    'Log in from the client in v4',
    'Stay logged in after a reload in v4: reAuthenticate and storage',
  ),
  v4('req.feathers pass data from middleware to hooks', 'Middleware before a service in v4'),
  v4('custom json error page errorHandler express v4', 'Answer errors as JSON instead of HTML in v4: errorHandler'),
  v4(
    'environment variables in config/default.json v4',
    'Environment variables in v4: config/default.json',
    'Read the configuration in v4',
  ),
  v4('validate data with ajv or joi feathers v4', 'Validate with a JSON schema or Joi in v4: validateSchema'),
  v4('join related data populate fastJoin v4', 'Populate relations in v4: fastJoin and populate'),
  v4('upload images feathers-blob multer v4', 'Upload files in v4: multer and feathers-blob'),
  v4(
    'write mocha tests for a v4 service and server',
    'Start the v4 application on a free port for tests: Mocha root hooks',
    'Test a v4 application',
    'Test a protected service in v4',
  ),
  v4(
    'typescript types for v4 services Application ServiceTypes',
    'Type the services of a v4 application: ServiceTypes',
  ),
];
