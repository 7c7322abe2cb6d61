import type { JudgedQuestion } from './feathers-questions.ts';

const v5 = (asks: string, ...right: string[]): JudgedQuestion => ({ version: 'v5', asks, right });
const v4 = (asks: string, ...right: string[]): JudgedQuestion => ({ version: 'v4', asks, right });

export const heldOutV5: readonly JudgedQuestion[] = [
  v5(
    "how to call a service from inside another service's hook",
    'Call another service in a hook',
    'Call a service inside the server: app.service',
  ),
  v5(
    'create multiple records in one request multi true',
    'Create, patch or remove several records at once: multi',
    'Options of every database service: id, paginate, multi',
    'MethodNotAllowed: Can not create multiple entries',
    'Multiple records must be allowed: multi',
  ),
  v5(
    'MethodNotAllowed: Can not create multiple entries',
    'MethodNotAllowed: Can not create multiple entries',
    'Create, patch or remove several records at once: multi',
    'Multiple records must be allowed: multi',
  ),
  v5(
    'difference between patch and update',
    'Difference between update and patch',
    'Service methods and their arguments',
  ),
  v5(
    'add my own method to a service besides find get create',
    'Custom methods: offer a method of your own to clients',
    'A custom method: methods and X-Service-Method',
  ),
  v5('service without a database, just a plain class', 'A service class without a database', 'Write a service class'),
  v5(
    'how do i disable pagination for one internal call',
    'Get all records: disable pagination with paginate: false',
    'Answer of find: Paginated or array',
    'find returns an object instead of an array',
    'Only ten records are returned',
  ),
  v5(
    '$limit 0 to only get the total count',
    'Count records without loading them',
    'Sort, limit and skip results: $sort, $limit, $skip',
    'Answer of find: Paginated or array',
  ),
  v5('feathers search by partial text like regex', 'Search text: $like, $ilike, regular expressions'),
  v5(
    '$or and $and in rest query string',
    'Query from a REST client: query string syntax',
    'Combine conditions: $or and $and',
    '$or and nested operators in a query string',
  ),
  v5(
    'context.params.provider',
    'Tell internal calls from external ones: params.provider',
    'What is in params: query, provider, user, route',
    'Difference between internal and external calls',
    'Run a hook only for external calls',
  ),
  v5(
    'how to skip a hook for internal calls',
    'Run a hook only for external calls',
    'Tell internal calls from external ones: params.provider',
  ),
  v5('around hook vs before hook order of execution', 'Order in which hooks run', 'Around hooks'),
  v5(
    'set context.result in before hook to skip database call',
    'Skip the database: set context.result',
    'Skip the database by setting the result',
  ),
  v5('run hooks for every service in the app', 'Application hooks: for every service'),
  v5('soft delete', 'Soft delete: mark instead of remove', 'Skip the database: set context.result'),
  v5(
    'automatically set createdAt and updatedAt',
    'Set timestamps: createdAt and updatedAt',
    'Set createdAt and userId before create',
  ),
  v5(
    'context.params.user is undefined',
    'Get the current user: params.user',
    'Protect a service method with the authenticate hook',
    'Cannot read properties of undefined: params.query',
  ),
  v5('NotAuthenticated: invalid signature', 'invalid signature'),
  v5(
    'login with username instead of email',
    'Log in with a user name instead of an e-mail address: usernameField',
    'Configure authentication: secret, entity, service, jwtOptions',
  ),
  v5(
    'Invalid login even though password is correct',
    'NotAuthenticated: Invalid login',
    'Hash passwords with passwordHash in a data resolver',
  ),
  v5('role based permissions admin only', 'Reusable hooks with options', 'Roles and permissions: admin only'),
  v5('email verification after signup', 'Verify an e-mail address after signing up', 'Reset a forgotten password'),
  v5(
    'facebook login feathers',
    'Set up OAuth login with Google or GitHub',
    'Configure OAuth: key, secret, scope, redirect, origins',
  ),
  v5('oauth redirect_uri mismatch', 'OAuth callback URL and the start of the login'),
  v5(
    'Auth0 / keycloak with feathersjs',
    'Use Keycloak, Auth0 or another OAuth provider',
    'Set up OAuth login with Google or GitHub',
    'Configure OAuth: key, secret, scope, redirect, origins',
  ),
  v5(
    'mongodb ObjectId string not matching in query',
    'Work with ObjectId in schemas and queries',
    'Convert ids with resolveObjectId and resolveQueryObjectId',
    'Cast to ObjectId: ids do not match in MongoDB',
    'A query finds nothing although the record is there',
  ),
  v5('mongodb aggregation pipeline in a service', 'Use an aggregation pipeline: params.pipeline'),
  v5(
    'mongodb unique index on email duplicate key E11000',
    'Create a unique index in MongoDB',
    'Unique constraint violation is answered as 500',
    'Database errors become Feathers errors',
  ),
  v5(
    'use mongoose with feathers 5',
    'Which database adapters exist for Feathers v5',
    'Use Mongoose, Sequelize or Objection with v5',
  ),
  v5(
    'knex transaction across multiple services',
    'SQL transactions across services with @feathersjs/knex',
    'Wrap a call in a Knex transaction',
  ),
  v5('knex join two tables in find', 'Join tables with createQuery in a Knex service'),
  v5('how to write a migration to add a column', 'Write and run migrations with Knex', 'Add a column with a migration'),
  v5(
    'BadRequest: validation failed additionalProperties',
    'Additional properties are refused: must NOT have additional properties',
    'BadRequest: validation failed',
  ),
  v5(
    'Invalid query parameter $regex',
    'BadRequest: Invalid query parameter',
    'Invalid query parameter or Invalid filter value errors',
    'Search text: $like, $ilike, regular expressions',
  ),
  v5('typebox optional nullable field', 'Optional, nullable, enum and array fields in TypeBox'),
  v5(
    'querySyntax extend schema with custom operators',
    'Query schema: querySyntax',
    'Search text: $like, $ilike, regular expressions',
  ),
  v5(
    'why are my query string numbers strings',
    'Query from a REST client: query string syntax',
    'Two Ajv instances: coerceTypes for queries only',
    'A query finds nothing although the record is there',
  ),
  v5(
    'populate related user in messages with virtual()',
    'Populate related data: virtual properties',
    'Replace fastJoin and populate with resolvers',
  ),
  v5(
    'resolver that hides a field depending on the current user',
    'Hide properties from some users with an external resolver',
  ),
  v5('N+1 queries when resolving associations', 'Avoid N+1 queries when populating'),
  v5('emit custom event from a service', 'Send custom events from a service'),
  v5(
    'events are sent twice / scale socketio over several servers with redis',
    'Events arrive twice',
    'Real-time events with several servers',
    'Scale to several processes',
  ),
  v5('typescript types for the client app', 'Share types between server and client'),
  v5(
    "client.service('x') is undefined / custom method not working on client socketio",
    'Call custom methods from the client',
    'Custom methods: offer a method of your own to clients',
  ),
  v5(
    'socket.io CORS error blocked by origin http://localhost:3000',
    'CORS error with Socket.io',
    'CORS: allow a front end on another origin',
  ),
  v5(
    'next.js or react hooks with feathers client token in localstorage',
    'Use Feathers in React: load and follow a list',
    'Log in from the client: authentication client',
    'Stay logged in after a page reload: reAuthenticate',
  ),
  v5(
    'read environment variables custom-environment-variables.json',
    'Use environment variables in the configuration',
    'Environment variables in configuration files',
  ),
  v5(
    'return custom http status code and headers from a service',
    'Set the HTTP status, headers or a redirect: context.http',
  ),
  v5(
    'log all errors and hide stack trace in production',
    'Error hooks: log, replace or swallow an error',
    'Handle errors in hooks: error hooks and around hooks',
    'Application hooks: for every service',
    'Log errors once, at the edge',
  ),
  v5('how do i unit test a hook with mocha or jest', 'Test a hook by itself'),
  v5(
    'upgrade from feathers 4 crow to 5 dove breaking changes',
    'What changed from Feathers v4 (Crow) to v5 (Dove)',
    'Migrate step by step',
  ),
  v5(
    'deploy to docker heroku nginx reverse proxy websocket',
    'Run Feathers in Docker',
    'Put Feathers behind nginx: WebSocket upgrade',
    'Build and run a Feathers application in production',
  ),
];

export const heldOutV4: readonly JudgedQuestion[] = [
  v4(
    'protect and hashPassword hooks local authentication',
    'Hash and hide passwords in v4: hashPassword and protect',
    'Protect a field in v4',
  ),
  v4(
    'authentication-local usernameField',
    'Log in with a user name instead of an e-mail address in v4: usernameField',
    'Authentication settings in v4',
  ),
  v4(
    'setField authentication-hooks limit to current user',
    'Limit records to their owner in v4: setField',
    'Let users change only their own record in v4',
  ),
  v4('populate with feathers-hooks-common', 'Populate relations in v4: fastJoin and populate'),
  v4('fastJoin', 'Populate relations in v4: fastJoin and populate'),
  v4('iff isProvider external disallow', 'Common hooks in v4: feathers-hooks-common'),
  v4('app.configure(express.rest()) is not sending events', 'No events arrive at the client', 'Channels in v4'),
  v4(
    'feathers-client reAuthenticate on page load',
    'Stay logged in after a reload in v4: reAuthenticate and storage',
    'Log in from the client in v4',
  ),
  v4('jwt expiresIn 1d authentication config default.json', 'Authentication settings in v4'),
  v4(
    'joi or ajv validateSchema hook v4',
    'Validate with a JSON schema or Joi in v4: validateSchema',
    'Validate data in v4',
  ),
  v4(
    "channels app.on('login') authResult connection",
    'Send events only to logged-in users in v4',
    'Channels in v4',
    'Join rooms that are in the database in v4',
  ),
  v4('error handler express.errorHandler html json', 'Answer errors as JSON instead of HTML in v4: errorHandler'),
];
