import type { JudgedQuestion } from './feathers-questions.ts';
import type { PackageQuestion } from './package-docs-questions.ts';

const zod = (asks: string, ...right: string[]): PackageQuestion => ({ library: 'zod', asks, right });
const fastify = (asks: string, ...right: string[]): PackageQuestion => ({ library: 'fastify', asks, right });
const hono = (asks: string, ...right: string[]): PackageQuestion => ({ library: 'hono', asks, right });

/**
 * A held-out set: written and labelled from the docs before a change of the ranking, and not changed afterwards. A
 * member of a class is right under its own name, and so is the whole class if it is one section.
 */
export const heldOutPackageQuestions: readonly PackageQuestion[] = [
  zod(
    'give a field a default value when it is missing',
    'v4/classic/schemas.d.ts#_default',
    'v4/classic/schemas.d.ts#prefault',
    'v4/classic/schemas.d.ts#ZodType.default',
    'v4/classic/schemas.d.ts#ZodType.prefault',
    'v4/classic/schemas.d.ts#ZodType',
  ),
  zod('validate an email address', 'v4/classic/schemas.d.ts#email', 'v4/classic/schemas.d.ts#ZodEmail'),
  zod(
    'trim whitespace and make a string lower case',
    'v4/classic/schemas.d.ts#_ZodString.trim',
    'v4/classic/schemas.d.ts#_ZodString.toLowerCase',
    'v4/classic/schemas.d.ts#_ZodString',
  ),
  zod(
    'convert a schema to JSON Schema',
    'v4/core/json-schema-processors.d.ts#toJSONSchema',
    'v4/classic/schemas.d.ts#ZodType.toJSONSchema',
  ),
  zod(
    'async validation such as a database lookup',
    'README.md#Parsing data',
    'README.md#Handling errors',
    'v4/classic/parse.d.ts#parseAsync',
    'v4/classic/parse.d.ts#safeParseAsync',
    'v4/classic/schemas.d.ts#ZodType.parseAsync',
    'v4/classic/schemas.d.ts#ZodType.safeParseAsync',
  ),
  zod(
    'make all properties of an object optional',
    'v4/classic/schemas.d.ts#ZodObject.partial',
    'v4/classic/schemas.d.ts#ZodObject',
    'v4/classic/deep-partial.d.ts#deepPartial',
  ),
  zod(
    'allow null as well as undefined',
    'v4/classic/schemas.d.ts#nullish',
    'v4/classic/schemas.d.ts#ZodType.nullish',
    'v4/classic/schemas.d.ts#ZodType',
  ),
  fastify(
    'serve two versions of an API under the same path',
    'docs/Reference/Routes.md#Version Constraints',
    'docs/Reference/Routes.md#Constraints',
  ),
  fastify(
    'accept XML in the request body',
    'docs/Reference/ContentTypeParser.md#Content-Type Parser',
    'docs/Reference/ContentTypeParser.md#Usage',
    'docs/Reference/ContentTypeParser.md#Catch-All',
    'docs/Reference/Server.md#addContentTypeParser',
  ),
  fastify(
    'close the database connection when the server shuts down',
    'docs/Reference/Hooks.md#onClose',
    'docs/Reference/Server.md#close',
  ),
  fastify('send a file as a stream', 'docs/Reference/Reply.md#Streams', 'docs/Reference/Reply.md#ReadableStream'),
  fastify(
    'put a prefix before all routes of a plugin',
    'docs/Reference/Routes.md#Route Prefixing',
    'docs/Reference/Routes.md#Route Prefixing and fastify-plugin',
    'docs/Reference/Plugins.md#Route Prefixing option',
  ),
  fastify(
    'types for the body and the query of a request in TypeScript',
    'docs/Reference/TypeScript.md#Using Generics',
    'docs/Reference/TypeScript.md#Fastify Type Providers',
    'docs/Reference/TypeScript.md#TypeBox',
    'docs/Reference/TypeScript.md#JSON Schema',
    'docs/Reference/TypeScript.md#json-schema-to-ts',
    'docs/Reference/TypeScript.md#json-schema-to-typescript',
    'docs/Reference/Type-Providers.md#Type Providers',
    'docs/Reference/Type-Providers.md#Providers',
    'docs/Reference/Type-Providers.md#Json Schema to Ts',
    'docs/Reference/Type-Providers.md#TypeBox',
    'docs/Reference/Type-Providers.md#Zod',
  ),
  fastify(
    'abort a request that takes too long',
    'docs/Reference/Server.md#requestTimeout',
    'docs/Reference/Server.md#handlerTimeout',
    'docs/Reference/Server.md#connectionTimeout',
  ),
  hono(
    'put the routes of my app into several files',
    'dist/types/hono-base.d.ts#Hono.route',
    'dist/types/hono-base.d.ts#Hono',
  ),
  hono(
    'handle all errors in one place',
    'dist/types/hono-base.d.ts#Hono.onError',
    'dist/types/hono-base.d.ts#Hono',
    'dist/types/types.d.ts#ErrorHandler',
  ),
  hono('reject requests with a too large body', 'dist/types/middleware/body-limit/index.d.ts#bodyLimit'),
  hono(
    'read an uploaded file from a form',
    'dist/types/request.d.ts#HonoRequest.parseBody',
    'dist/types/request.d.ts#HonoRequest.formData',
    'dist/types/request.d.ts#HonoRequest',
  ),
  hono(
    'serve static files from a folder',
    'dist/types/middleware/serve-static/index.d.ts#serveStatic',
    'dist/types/adapter/bun/serve-static.d.ts#serveStatic',
    'dist/types/adapter/deno/serve-static.d.ts#serveStatic',
    'dist/types/adapter/cloudflare-workers/serve-static.d.ts#serveStatic',
  ),
  hono(
    'pass a value from a middleware to the handler',
    'dist/types/context.d.ts#Context.set',
    'dist/types/context.d.ts#Context.get',
    'dist/types/context.d.ts#Context.var',
    'dist/types/context.d.ts#Context',
  ),
];

const v5 = (asks: string, ...right: string[]): JudgedQuestion => ({ version: 'v5', asks, right });
const v4 = (asks: string, ...right: string[]): JudgedQuestion => ({ version: 'v4', asks, right });

/** The same for FeathersJS. Questions about v4 say so, and are asked without `version`. */
export const heldOutFeathersQuestions: readonly JudgedQuestion[] = [
  v5('which runs first, app hooks or service hooks?', 'Order in which hooks run'),
  v5(
    'create many records with one call',
    'Create, patch or remove several records at once: multi',
    'MethodNotAllowed: Can not create multiple entries',
    'Act on several records in one call: a custom method with its own permissions',
  ),
  v5(
    'add createdAt and updatedAt to every record',
    'Set timestamps: createdAt and updatedAt',
    'Set createdAt and userId before create',
  ),
  v5('only admins may delete users', 'Roles and permissions: admin only'),
  v5('should I use Koa or Express with Feathers?', 'Koa or Express: which one to use'),
  v5('join two tables in a knex service', 'Join tables with createQuery in a Knex service'),
  v5(
    'call a service in a test as a logged in user',
    'Test as a client would: provider and external calls',
    'Call a service with the rules for clients: pass provider',
  ),
  v5('send a mail after a user has signed up', 'Send an e-mail when a record is created'),
  v5(
    'find by ObjectId returns nothing in mongodb',
    'Work with ObjectId in schemas and queries',
    'Convert ids with resolveObjectId and resolveQueryObjectId',
    'Cast to ObjectId: ids do not match in MongoDB',
  ),
  v5('Error: listen EADDRINUSE: address already in use :::3030', 'EADDRINUSE: address already in use'),
  v5(
    'MaxListenersExceededWarning: Possible EventEmitter memory leak detected. 11 listeners added',
    'MaxListenersExceededWarning: possible EventEmitter memory leak detected',
  ),
  v5(
    'TypeError: feathers is not a function',
    'feathers is not a function',
    'Change imports: feathers is a named export',
  ),
  v5('NotFound: Path not found /massages', 'Service path not found: Path not found or NotFound on every call'),
  v5('GeneralError: SQLITE_ERROR: no such table: messages', 'relation does not exist: table is missing'),
  v5('my socket call hangs and never gets an answer', 'A call over a socket never ends'),
  v4(
    'how do I set the HTTP status code from a hook in Feathers 4?',
    'Set the HTTP status code in v4: context.statusCode',
  ),
  v4(
    'how do I remove the password from the response in Feathers v4?',
    'Hash and hide passwords in v4: hashPassword and protect',
    'Protect a field in v4',
  ),
  v4('get all records without pagination in feathers 4', 'Get all records in v4: disable pagination for one call'),
  v4(
    'Feathers 4: which version of socket.io-client do I need?',
    'socket.io-client must be version 2.x with Feathers v4',
    'Socket.io client in v4',
  ),
  v4('keep records instead of deleting them in feathers v4', 'Soft delete in v4: softDelete'),
];
