import type { JudgedQuestion } from './feathers-questions.ts';
import type { PackageQuestion } from './package-docs-questions.ts';

const zod = (asks: string, ...right: string[]): PackageQuestion => ({ library: 'zod', asks, right });
const fastify = (asks: string, ...right: string[]): PackageQuestion => ({ library: 'fastify', asks, right });
const hono = (asks: string, ...right: string[]): PackageQuestion => ({ library: 'hono', asks, right });

/** Asked by somebody who knew neither the ranking nor the other questions. Used for tuning since then. */
export const outsidePackageQuestions: readonly PackageQuestion[] = [
  zod(
    'How do I make a field optional in an object schema?',
    'v4/classic/schemas.d.ts#optional',
    'v4/classic/schemas.d.ts#ZodType.optional',
    'v4/classic/schemas.d.ts#ZodType',
  ),
  zod('How do I infer the TypeScript type from a schema?', 'README.md#Inferring types'),
  zod('What is the difference between parse and safeParse?', 'README.md#Parsing data', 'README.md#Handling errors'),
  zod(
    'How do I write a custom validation that depends on two fields, like password confirmation?',
    'v4/classic/schemas.d.ts#refine',
    'v4/classic/schemas.d.ts#superRefine',
    'v4/classic/schemas.d.ts#check',
    'v4/classic/schemas.d.ts#ZodType.refine',
    'v4/classic/schemas.d.ts#ZodType.superRefine',
    'v4/classic/schemas.d.ts#ZodType.check',
  ),
  zod(
    'How can I coerce a query string into a number?',
    'v4/classic/coerce.d.ts#number',
    'v4/classic/coerce.d.ts#ZodCoercedNumber',
  ),
  zod(
    'discriminated union example',
    'v4/classic/schemas.d.ts#discriminatedUnion',
    'v4/classic/schemas.d.ts#ZodDiscriminatedUnion',
  ),
  zod(
    'How do I set a custom error message?',
    'v4/core/core.d.ts#$ZodConfig',
    'v4/core/core.d.ts#$ZodConfig.customError',
    'v4/core/api.d.ts#Params',
    'v4/core/api.d.ts#Params.error',
  ),
  fastify(
    'How do I validate the request body with a JSON schema?',
    'docs/Reference/Validation-and-Serialization.md#Validation',
    'docs/Reference/Validation-and-Serialization.md#Core concepts',
    'docs/Guides/Getting-Started.md#Validate your data',
  ),
  fastify(
    'How do I write a plugin and why is my decorator not visible outside of it?',
    'docs/Reference/Decorators.md#Decorators and Encapsulation',
    'docs/Reference/Plugins.md#Handle the scope',
    'docs/Reference/Plugins.md#Create a plugin',
    'docs/Reference/Encapsulation.md#Encapsulation',
    'docs/Reference/Encapsulation.md#Sharing Between Contexts',
    'docs/Guides/Plugins-Guide.md#How to handle encapsulation and distribution',
    'docs/Guides/Getting-Started.md#Your first plugin',
  ),
  fastify(
    'How do I change the default error handler?',
    'docs/Reference/Server.md#setErrorHandler',
    'docs/Reference/Errors.md#Errors In Fastify Lifecycle Hooks And A Custom Error Handler',
  ),
  fastify(
    'FST_ERR_CTP_BODY_TOO_LARGE request body is too large',
    'docs/Reference/Errors.md#Fastify Error Codes',
    'docs/Reference/Server.md#bodyLimit',
  ),
  fastify(
    'How do I test routes without starting the server?',
    'docs/Guides/Testing.md#Testing with HTTP injection',
    'docs/Guides/Testing.md#Benefits of using fastify.inject()',
    'docs/Reference/Server.md#inject',
  ),
  fastify(
    'order in which hooks run in the request lifecycle',
    'docs/Reference/Lifecycle.md#Lifecycle',
    'docs/Reference/Hooks.md#Request/Reply Hooks',
  ),
  fastify(
    'How do I turn on logging and redact the authorization header?',
    'docs/Reference/Logging.md#Log Redaction',
    'docs/Reference/Logging.md#Enable Logging',
  ),
  fastify('trustProxy behind nginx client ip', 'docs/Reference/Server.md#trustProxy', 'docs/Reference/Request.md#.ip'),
  hono(
    'How do I read a query parameter and a path parameter?',
    'dist/types/request.d.ts#HonoRequest.query',
    'dist/types/request.d.ts#HonoRequest.param',
    'dist/types/request.d.ts#HonoRequest',
  ),
  hono('How do I write my own middleware?', 'dist/types/helper/factory/index.d.ts#createMiddleware'),
  hono('enable CORS', 'dist/types/middleware/cors/index.d.ts#cors'),
  hono(
    'return JSON with a status code',
    'dist/types/context.d.ts#Context.json',
    'dist/types/context.d.ts#Context.status',
    'dist/types/context.d.ts#Context',
  ),
  hono(
    'set and read a signed cookie',
    'dist/types/helper/cookie/index.d.ts#setSignedCookie',
    'dist/types/helper/cookie/index.d.ts#getSignedCookie',
  ),
];

const v5 = (asks: string, ...right: string[]): JudgedQuestion => ({ version: 'v5', asks, right });
const v4 = (asks: string, ...right: string[]): JudgedQuestion => ({ version: 'v4', asks, right });

/** The same for FeathersJS. They were asked without `version`. */
export const outsideFeathersQuestions: readonly JudgedQuestion[] = [
  v5(
    'How do I add a before hook to a single method of a service in Feathers 5?',
    'Before hooks: check or change data before the method',
    'Hooks for custom methods',
    'Hooks',
  ),
  v5(
    'How do I validate incoming data with TypeBox schemas in Feathers v5?',
    'Validate data and queries with hooks: validateData, validateQuery',
    'Data schema and patch schema: Type.Pick, Type.Partial, Type.Omit',
  ),
  v5(
    'How do I hide the password field from the response?',
    'Never send the password to the client: external resolver',
    'Hide fields from clients: context.dispatch',
    'Hide what clients must not see in one place',
  ),
  v5(
    'How do I paginate results and how do I turn pagination off for one call?',
    'Paginate a service: total, limit, skip, data',
    'Get all records: disable pagination with paginate: false',
    'Answer of find: Paginated or array',
  ),
  v4(
    'How do I set up authentication with email and password in Feathers 4?',
    'Set up authentication in v4',
    'Authentication settings in v4',
  ),
  v5(
    'How can I send real-time events only to logged in users?',
    'Join channels on login, leave on logout',
    'Why clients receive no real-time events: publish is missing',
    'Publish events of one service: service.publish',
  ),
  v5(
    'How do I connect a React app to a Feathers server over socket.io?',
    'Connect a client over Socket.io',
    'Set up a front end: Socket.io client with login (React, Vue, Svelte)',
    'Use Feathers in React: load and follow a list',
  ),
  v5(
    'How do I use a transaction with the Knex adapter?',
    'SQL transactions across services with @feathersjs/knex',
    'Wrap a call in a Knex transaction',
  ),
  v4(
    'How do I populate associations with Sequelize in Feathers v4?',
    'Sequelize in v4: include associations, raw results and hydrate',
  ),
  v5('How do I log in with GitHub OAuth?', 'Set up OAuth login with Google or GitHub'),
  v5(
    'How do I write a custom service that is not backed by a database?',
    'A service class without a database',
    'Write a service class',
  ),
  v5('How do I upload a file in feathers?', 'Upload files with Feathers'),
  v5(
    'How do I migrate an application from v4 to v5?',
    'Migrate step by step',
    'What changed from Feathers v4 (Crow) to v5 (Dove)',
  ),
  v5('How do I search with a LIKE or a regex in a query?', 'Search text: $like, $ilike, regular expressions'),
  v5(
    'How do I check in a hook whether the call came from outside or from the server itself?',
    'Tell internal calls from external ones: params.provider',
    'Run a hook only for external calls',
    'Difference between internal and external calls',
  ),
  v5('NotAuthenticated: Invalid login', 'NotAuthenticated: Invalid login'),
  v5('NotAuthenticated: jwt expired', 'jwt expired'),
  v5('BadRequest: validation failed', 'BadRequest: validation failed'),
  v4("Error: Can not find service 'messages'", 'Can not find service'),
  v5(
    'MethodNotAllowed: Method `find` is not supported by this endpoint',
    'MethodNotAllowed: Method is not supported by this endpoint',
  ),
  v5(
    'the client never receives the created event',
    'Why clients receive no real-time events: publish is missing',
    'No events arrive at the client',
    'An event is not sent: checklist',
  ),
  v5(
    'Error: Invalid query parameter $regex',
    'BadRequest: Invalid query parameter',
    'Invalid query parameter or Invalid filter value errors',
    'Search text: $like, $ilike, regular expressions',
  ),
  v4(
    'NotFound: No record found for id',
    'A query finds nothing although the record is there',
    'NotFound: No record found for id',
  ),
  v4(
    'context.params.user is undefined in my hook',
    'Get the current user: params.user',
    'params.user is undefined in a hook',
  ),
  v5(
    'after the page is reloaded the user is logged out, reAuthenticate fails',
    'Stay logged in after a page reload: reAuthenticate',
  ),
  v5(
    'request blocked by CORS policy when calling the API from the browser',
    'CORS: allow a front end on another origin',
  ),
  v5('find returns only 10 records although there are more in the table', 'Only ten records are returned'),
  v5('Timeout of 5000ms exceeded calling create on messages', 'A call over a socket never ends'),
  v4(
    'my find query by number returns nothing because the parameter arrives as a string over REST',
    'Query from a REST client: query string syntax',
    'A query finds nothing although the record is there',
    'Two Ajv instances: coerceTypes for queries only',
  ),
  v5(
    "TypeScript: Property 'messages' does not exist / Argument of type string is not assignable to parameter of type keyof ServiceTypes",
    'Argument is not assignable to parameter of type keyof ServiceTypes',
    'Property does not exist on type ServiceTypes',
    'Type services in TypeScript: ServiceTypes',
  ),
];
