import { cliFaults } from '#kernel/fault/cli-faults.ts';
import type { Admin, AdminRun, DoctorCheck } from './admin.ts';
import type { Command, CommandAnswer } from './command.ts';
import type { Field } from './field.ts';
import { type Row, renderTable, toSafeLine } from './render-answer.ts';

interface Option {
  readonly kind: 'boolean' | 'text' | 'integer';
  readonly about: string;
  readonly isList?: true;
  readonly required?: true;
  readonly choices?: readonly string[];
  readonly fallback?: unknown;
}

type Bare<O> = O extends { kind: 'boolean' }
  ? boolean
  : O extends { kind: 'integer' }
    ? number
    : O extends { choices: readonly (infer C)[] }
      ? C
      : string;
type Given<O> = O extends { isList: true } ? readonly Bare<O>[] : Bare<O>;
type OptionValue<O> = O extends { required: true } | { fallback: unknown } ? Given<O> : Given<O> | undefined;
type OptionValues<T> = { readonly [K in keyof T]: OptionValue<T[K]> };

interface Declaration<T extends Readonly<Record<string, Option>>> {
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: T;
  readonly positionals?: readonly (keyof T & string)[];
  readonly run: (admin: Admin, values: OptionValues<T>, run: AdminRun) => Promise<CommandAnswer | undefined>;
}

const toField = (key: string, option: Option): Field => ({
  key,
  flag: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  kind: option.kind,
  isList: option.isList === true,
  required: option.required === true,
  about: option.about,
  ...(option.choices === undefined ? {} : { choices: option.choices }),
  ...(option.fallback === undefined ? {} : { fallback: option.fallback }),
});

type AdminCommand = (admin: Admin) => Command;

/** A command that is not a tool; its option types follow from the declaration. */
function defineAdminCommand<const T extends Readonly<Record<string, Option>>>(declared: Declaration<T>): AdminCommand {
  const { words, summary, options, positionals = [], run } = declared;
  const fields = Object.entries(options).map(([key, option]) => toField(key, option));
  const missing = Object.fromEntries(fields.map(({ key, fallback }) => [key, fallback]));
  return (admin) => ({
    words,
    group: 'Program',
    summary,
    fields,
    positionals,
    details: [],
    isTool: false,
    run: (values, context) => run(admin, { ...missing, ...values } as OptionValues<T>, context),
  });
}

const marks: Readonly<Record<DoctorCheck['status'], string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

function toSummary(checks: readonly DoctorCheck[]): string {
  const failed = checks.filter((check) => check.status === 'fail').length;
  const warned = checks.filter((check) => check.status === 'warn').length;
  if (failed === 0 && warned === 0) return 'No problems found.';
  return [failed > 0 ? count(failed, 'failure') : '', warned > 0 ? count(warned, 'warning') : '']
    .filter((part) => part !== '')
    .join(', ');
}

function renderDoctor(checks: readonly DoctorCheck[]): string {
  const width = Math.max(0, ...checks.map((check) => check.name.length));
  const lines = checks.flatMap(({ name, status, detail, fix }) => [
    `${marks[status]}  ${name.padEnd(width)}  ${toSafeLine(detail)}`,
    ...(fix === undefined || status === 'ok' ? [] : [`${' '.repeat(width + 8)}→ ${toSafeLine(fix)}`]),
  ]);
  return `${[...lines, '', toSummary(checks)].join('\n')}\n`;
}

const tenant = { kind: 'text', about: 'The tenant to use', fallback: 'local' } as const;

/** Commands that are not tools, in the order of the help. */
export const adminCommands: readonly AdminCommand[] = [
  defineAdminCommand({
    words: ['serve'],
    summary: 'Serves MCP over HTTP, the API and the dashboard.',
    options: {},
    async run(admin) {
      await admin.serve();
      return undefined;
    },
  }),
  defineAdminCommand({
    words: ['stdio'],
    summary: 'Speaks MCP over stdin and stdout, as fourfold does on a pipe.',
    options: {},
    async run(admin) {
      await admin.stdio();
      return undefined;
    },
  }),
  defineAdminCommand({
    words: ['doctor'],
    summary: 'Checks the installation and suggests a fix for each problem.',
    options: {
      deep: { kind: 'boolean', about: 'Compares every item with its hash; reads the whole store', fallback: false },
      repairFrom: {
        kind: 'text',
        about: 'Restores damaged items from the folder of a backup or the file of an export',
      },
      acceptDamaged: {
        kind: 'boolean',
        about: 'Without a backup: serves damaged items again as they are',
        fallback: false,
      },
    },
    async run(admin, options, run) {
      const checks = await admin.doctor(options, run);
      const exitCode = checks.some((check) => check.status === 'fail') ? 1 : 0;
      return { value: checks, text: renderDoctor(checks), exitCode };
    },
  }),
  defineAdminCommand({
    words: ['config'],
    summary: 'Shows every setting, its value and its origin.',
    options: {},
    async run(admin) {
      const lines = await admin.config();
      // A truncated path is useless, so the table may be wider than the terminal.
      const text = renderTable(lines as readonly Row[], Number.POSITIVE_INFINITY);
      return { value: lines, ...(text === undefined ? {} : { text }) };
    },
  }),
  defineAdminCommand({
    words: ['migrate'],
    summary: 'Migrates the store to the schema of this version.',
    options: {},
    run: async (admin, _options, run) => ({ value: await admin.migrate(run) }),
  }),
  defineAdminCommand({
    words: ['backup'],
    summary: 'Backs up the store and its files; a server may be running.',
    options: {
      to: { kind: 'text', about: 'The folder to create; default: named after the current time' },
      withKeys: { kind: 'boolean', about: 'Also copies the key file', fallback: false },
      filesOnly: { kind: 'boolean', about: 'Skips the store; required for PostgreSQL', fallback: false },
    },
    positionals: ['to'],
    run: async (admin, options, run) => ({ value: await admin.backup(options, run) }),
  }),
  defineAdminCommand({
    words: ['restore'],
    summary: 'Restores a backup into the data folder.',
    options: {
      from: { kind: 'text', about: 'The folder of the backup', required: true },
      force: { kind: 'boolean', about: 'Moves existing files in the data folder aside first', fallback: false },
      newKeys: { kind: 'boolean', about: 'Continues without the keys of the backup', fallback: false },
    },
    positionals: ['from'],
    run: async (admin, options, run) => ({ value: await admin.restore(options, run) }),
  }),
  defineAdminCommand({
    words: ['export'],
    summary: 'Exports all data of a tenant to one portable file.',
    options: { to: { kind: 'text', about: 'The file to create', required: true }, tenant },
    positionals: ['to'],
    run: async (admin, options, run) => ({ value: await admin.export(options, run) }),
  }),
  defineAdminCommand({
    words: ['import'],
    summary: 'Imports a file written by export, or with --from the memories of another program.',
    options: {
      paths: { kind: 'text', isList: true, about: 'The exported file; with --from, files and folders', required: true },
      from: {
        kind: 'text',
        about: 'server-memory, basic-memory, mem0, chatgpt, claude or claude-code; default: an export of fourfold',
      },
      mode: {
        kind: 'text',
        about: 'What to do with an item of an export that already exists; default: fail',
        choices: ['fail', 'skip', 'replace'],
      },
      namespace: { kind: 'text', about: 'With --from: the namespace of the scratchpads; default: the program' },
      dryRun: { kind: 'boolean', about: 'With --from: shows what would be imported', fallback: false },
      tenant: { kind: 'text', about: 'The target tenant; default: the tenant of the export, or local' },
    },
    positionals: ['paths'],
    async run(admin, { from, paths, mode, namespace, dryRun, tenant: into }, run) {
      if (from !== undefined) {
        if (mode !== undefined) throw cliFaults.USAGE_ERROR({ why: '--mode does not go with --from' });
        const value = await admin.importMemories({ from, paths, namespace, dryRun, tenant: into }, run);
        return { value, exitCode: value.errorsCount === 0 ? 0 : 1 };
      }
      const [file, second] = paths;
      const isForOther = dryRun || namespace !== undefined;
      if (file === undefined || second !== undefined || isForOther) {
        const why = isForOther ? '--dry-run and --namespace need --from' : 'fourfold import takes one exported file';
        throw cliFaults.USAGE_ERROR({ why });
      }
      return { value: await admin.import({ file, mode: mode ?? 'fail', tenant: into }, run) };
    },
  }),
  defineAdminCommand({
    words: ['generate'],
    summary: 'Writes the generated files in a checkout of fourfold.',
    options: { check: { kind: 'boolean', about: 'Writes nothing; fails if a file is outdated', fallback: false } },
    async run(admin, { check }) {
      const paths = await admin.generate({ check });
      const action = check ? 'outdated' : 'written';
      const text =
        paths.length === 0
          ? 'All generated files are up to date.\n'
          : `${paths.map((path) => `${action}: ${path}`).join('\n')}\n`;
      return { value: { check, paths }, text, exitCode: check && paths.length > 0 ? 1 : 0 };
    },
  }),
  defineAdminCommand({
    words: ['keys', 'create'],
    summary: 'Creates an API key and prints it once.',
    options: {
      name: { kind: 'text', about: 'A name for the key', required: true },
      tenant,
      scopes: {
        kind: 'text',
        isList: true,
        about: 'read, write or admin; repeat the flag for several',
        fallback: ['read', 'write'],
      },
      expiresDays: { kind: 'integer', about: 'Days until the key expires; default: never' },
    },
    positionals: ['name'],
    run: async (admin, options) => ({ value: await admin.keys.create(options) }),
  }),
  defineAdminCommand({
    words: ['link'],
    summary: 'Prints a link that signs a browser in to the dashboard, once and within ten minutes.',
    options: {
      tenant,
      scopes: {
        kind: 'text',
        isList: true,
        about: 'read, write or admin; repeat the flag for several',
        fallback: ['admin'],
      },
    },
    run: async (admin, options) => ({ value: await admin.keys.link(options) }),
  }),
  defineAdminCommand({
    words: ['demo'],
    summary: 'Fills a tenant of its own with an example company, and prints a link that signs a browser in to it.',
    options: {},
    run: async (admin, _options, run) => ({ value: await admin.demo.create(run) }),
  }),
  defineAdminCommand({
    words: ['demo', 'remove'],
    summary: 'Removes the example company and its tenant.',
    options: {},
    run: async (admin, _options, run) => ({ value: await admin.demo.remove(run) }),
  }),
  defineAdminCommand({
    words: ['keys', 'list'],
    summary: 'Lists the API keys of a tenant, or of all, with their last use.',
    options: { tenant, all: { kind: 'boolean', about: 'Lists the keys of every tenant', fallback: false } },
    run: async (admin, options) => ({ value: await admin.keys.list(options) }),
  }),
  defineAdminCommand({
    words: ['keys', 'revoke'],
    summary: 'Revokes an API key.',
    options: {
      id: { kind: 'text', about: 'The id that keys list shows', required: true },
      tenant,
      all: { kind: 'boolean', about: 'Finds the key in any tenant', fallback: false },
    },
    positionals: ['id'],
    run: async (admin, options) => ({ value: await admin.keys.revoke(options) }),
  }),
];
