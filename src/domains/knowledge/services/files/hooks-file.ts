import { type Field, type ServicePlan, uniqueName } from '../service-plan.ts';
import { fileText, joinLines, wrapList } from './code-text.ts';

/** Reports a duplicate value in the same way on every database. */
interface ErrorHook {
  /** In addition to BadRequest. */
  readonly errors: readonly string[];
  readonly text: string;
}

const fieldsText = (plan: ServicePlan, unique: readonly Field[]): string =>
  joinLines(
    '// The fields of the unique indexes.',
    wrapList(
      'const uniqueFields: Record<string, string> = { ',
      unique.map((field) => `${uniqueName(plan, field)}: '${field.name}'`),
      ' };',
    ),
    '',
  );

const sqliteHook: ErrorHook = {
  errors: ['Conflict'],
  text: `// SQLite names the column of a value that is taken, last in its message.
const answerErrors = async (_context: HookContext, next: NextFunction) => {
  try {
    await next();
  } catch (error) {
    const cause = (error as { [ERROR]?: unknown })[ERROR] ?? error;
    const [, field] = /UNIQUE constraint failed: \\w+\\.(\\w+)$/.exec(String(cause)) ?? [];
    if (field === undefined) throw error;
    throw new Conflict(\`\${field} is taken\`, { fields: [field] });
  }
};
`,
};

function postgresHook(plan: ServicePlan, unique: readonly Field[]): ErrorHook {
  const hasUnique = unique.length > 0;
  const isTaken = `    if (code === '23505') {
      const field = uniqueFields[constraint ?? ''] ?? 'A value';
      throw new Conflict(\`\${field} is taken\`, { fields: [field] });
    }`;
  return {
    errors: hasUnique ? ['Conflict', 'NotFound'] : ['NotFound'],
    text: joinLines(
      hasUnique && fieldsText(plan, unique),
      `// PostgreSQL says by a code that a value ${hasUnique ? 'is taken (23505) or ' : ''}is none for its column (22…), such as an id of letters.
const answerErrors = async (context: HookContext, next: NextFunction) => {
  try {
    await next();
  } catch (error) {
    const cause = (error as { [ERROR]?: unknown })[ERROR] ?? error;`,
      hasUnique
        ? '    const { code, constraint } = cause as { code?: unknown; constraint?: string };'
        : '    const { code } = cause as { code?: unknown };',
      hasUnique && isTaken,
      `    if (typeof code !== 'string' || !code.startsWith('22')) throw error;
    if (error instanceof NotFound && context.id !== undefined) {
      throw new NotFound(\`No record found for id '\${context.id}'\`);
    }
    throw new BadRequest('A value cannot be kept in its column');
  }
};
`,
    ),
  };
}

const mongoHook = (plan: ServicePlan, unique: readonly Field[]): ErrorHook => ({
  errors: ['Conflict'],
  text: joinLines(
    fieldsText(plan, unique),
    `// MongoDB says by a code that a value is taken, and names the index in its message. Where a server that only speaks like
// it names none, it is one of the unique fields that were sent.
const answerErrors = async (context: HookContext, next: NextFunction) => {
  try {
    await next();
  } catch (error) {
    const { data, message } = error as { data?: { code?: unknown }; message: string };
    if (data?.code !== 11000) throw error;
    const words = message.split(/[^A-Za-z0-9_]+/);
    const index = Object.keys(uniqueFields).find((name) => words.includes(name));
    const sent = Object.values(uniqueFields).filter((field) => field in context.data);
    const fields = index === undefined ? sent : [uniqueFields[index]];
    throw new Conflict(\`\${fields.join(', ')} is taken\`, { fields });
  }
};
`,
  ),
});

function errorHook(plan: ServicePlan): ErrorHook | undefined {
  const unique = plan.fields.filter((field) => field.unique);
  if (plan.database === 'postgresql') return postgresHook(plan, unique);
  if (unique.length === 0) return undefined;
  return plan.database === 'sqlite' ? sqliteHook : mongoHook(plan, unique);
}

const listHook = `// Feathers checks the items of a list one by one, and would keep the list as one record.
const refuseList = async ({ data }: HookContext) => {
  if (Array.isArray(data)) throw new BadRequest('patch takes one record');
};
`;

export function writeHooks(plan: ServicePlan): string {
  const { name, pascal, database } = plan;
  const hook = errorHook(plan);
  const resolvers = ['Data', 'External', 'Patch', 'Query', ''].map((part) => `${name}${part}Resolver`);
  const validators = ['Data', 'Patch', 'Query'].map((part) => `${name}${part}Validator`);
  const hooksOf = (key: string, hooks: readonly string[]) => wrapList(`${key}: [`, hooks, '],', '    ');
  const use = (action: string, what: string) => `schemaHooks.${action}(${name}${what})`;
  return fileText(
    `import { ${['BadRequest', ...(hook?.errors ?? [])].join(', ')} } from '@feathersjs/errors';`,
    "import type { HookMap } from '@feathersjs/feathers';",
    hook !== undefined && database !== 'mongodb' && "import { ERROR } from '@feathersjs/knex';",
    "import { hooks as schemaHooks } from '@feathersjs/schema';",
    hook === undefined
      ? "import type { Application, HookContext } from '../../declarations.js';"
      : "import type { Application, HookContext, NextFunction } from '../../declarations.js';",
    `import type { ${pascal}Service } from './${name}.class.js';`,
    'import {',
    [...resolvers, ...validators].toSorted().map((one) => `  ${one},`),
    `} from './${name}.schema.js';`,
    '',
    hook?.text,
    listHook,
    `// Everybody may call every method. With authentication, put authenticate('jwt') first into around.all.
export const ${name}Hooks: HookMap<Application, ${pascal}Service> = {
  around: {`,
    hooksOf('all', [
      ...(hook === undefined ? [] : ['answerErrors']),
      use('resolveExternal', 'ExternalResolver'),
      use('resolveResult', 'Resolver'),
    ]),
    '  },',
    '  before: {',
    hooksOf('all', [use('validateQuery', 'QueryValidator'), use('resolveQuery', 'QueryResolver')]),
    hooksOf('create', [use('validateData', 'DataValidator'), use('resolveData', 'DataResolver')]),
    hooksOf('patch', ['refuseList', use('validateData', 'PatchValidator'), use('resolveData', 'PatchResolver')]),
    '  },',
    '};',
  );
}
