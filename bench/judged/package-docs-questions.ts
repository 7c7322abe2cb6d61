/** A question about an installed package, and the sections that should be the first hit. */
export interface PackageQuestion {
  readonly library: 'zod' | 'fastify' | 'hono';
  readonly asks: string;
  /** `path#title`: a file of the package, and a declared name or a heading without its code marks. */
  readonly right: readonly string[];
}

const about =
  (library: PackageQuestion['library'], folder: string) =>
  (asks: string, ...right: string[]): PackageQuestion => ({
    library,
    asks,
    right: right.map((place) => (place.startsWith('README') ? place : `${folder}/${place}`)),
  });

const zod = about('zod', 'v4');
const fastify = about('fastify', 'docs');
const hono = about('hono', 'dist/types');

/**
 * Written from what developers ask, not from the headings. The right answer is prose if there is some, and otherwise the
 * public declaration that the package's root exports; its copies in `v3`, `core` and `mini` are wrong.
 */
export const packageQuestions: readonly PackageQuestion[] = [
  zod('validate data without throwing an exception', 'README.md#Handling errors', 'README.md#Parsing data'),
  zod('get the TypeScript type of a schema', 'README.md#Inferring types'),
  zod(
    'pick the right object type by its kind field',
    'classic/schemas.d.ts#discriminatedUnion',
    'classic/schemas.d.ts#ZodDiscriminatedUnion',
  ),
  zod(
    'reject unknown keys in an object',
    'classic/schemas.d.ts#ZodObject.strict',
    'classic/schemas.d.ts#strictObject',
    'classic/schemas.d.ts#ZodObject',
  ),
  zod(
    'convert a query string value to a number before checking it',
    'classic/coerce.d.ts#number',
    'classic/coerce.d.ts#ZodCoercedNumber',
    'classic/schemas.d.ts#preprocess',
  ),
  zod('turn a zod error into a readable message', 'core/errors.d.ts#prettifyError', 'README.md#Handling errors'),
  zod('recursive schema that refers to itself', 'classic/schemas.d.ts#lazy', 'classic/schemas.d.ts#ZodLazy'),
  fastify(
    'test a route without opening a port',
    'Guides/Testing.md#Testing with HTTP injection',
    'Guides/Testing.md#Benefits of using fastify.inject()',
    'Reference/Server.md#inject',
  ),
  fastify(
    'run code on every request before the handler',
    'Reference/Hooks.md#preHandler',
    'Reference/Hooks.md#onRequest',
  ),
  fastify('increase the maximum size of the request payload', 'Reference/Server.md#bodyLimit'),
  fastify(
    'share a database connection with all routes',
    'Reference/Decorators.md#decorate(name, value, [dependencies])',
    'Guides/Database.md#Writing plugin for a database library',
    'Guides/Database.md#Writing a plugin for a database engine',
    'Guides/Getting-Started.md#Your first plugin',
  ),
  fastify(
    'custom page when no route matches',
    'Reference/Server.md#setNotFoundHandler',
    'Reference/Reply.md#.callNotFound()',
  ),
  fastify('real client address behind a load balancer', 'Reference/Server.md#trustProxy', 'Reference/Request.md#.ip'),
  fastify('hide passwords and authorization headers in the logs', 'Reference/Logging.md#Log Redaction'),
  hono('allow requests from another origin', 'middleware/cors/index.d.ts#cors'),
  hono('protect routes with a json web token', 'middleware/jwt/jwt.d.ts#jwt'),
  hono('send a cookie to the browser', 'helper/cookie/index.d.ts#setCookie'),
  hono('server-sent events', 'helper/streaming/sse.d.ts#streamSSE'),
  hono('typed client for my api', 'client/client.d.ts#hc'),
  hono('answer with status 401 by throwing', 'http-exception.d.ts#HTTPException'),
];
