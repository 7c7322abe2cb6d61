import type { DoctorCheck } from './admin.ts';
import { type AdminCommand, defineAdminCommand } from './admin-command.ts';
import { type Row, renderTable } from './render-table.ts';
import { toSafeLine } from './safe-text.ts';

const marks: Readonly<Record<DoctorCheck['status'], string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

function summary(checks: readonly DoctorCheck[]): string {
  const failed = checks.filter((check) => check.status === 'fail').length;
  const warned = checks.filter((check) => check.status === 'warn').length;
  if (failed === 0 && warned === 0) return 'Everything is in order.';
  return [failed > 0 ? count(failed, 'failure') : '', warned > 0 ? count(warned, 'warning') : '']
    .filter((part) => part !== '')
    .join(', ');
}

/** One line a check, its fix below, the verdict last. */
function renderDoctor(checks: readonly DoctorCheck[]): string {
  const width = Math.max(0, ...checks.map((check) => check.name.length));
  const lines = checks.flatMap(({ name, status, detail, fix }) => [
    `${marks[status]}  ${name.padEnd(width)}  ${toSafeLine(detail)}`,
    ...(fix === undefined || status === 'ok' ? [] : [`${' '.repeat(width + 8)}→ ${toSafeLine(fix)}`]),
  ]);
  return `${[...lines, '', summary(checks)].join('\n')}\n`;
}

const tenant = { kind: 'text', about: 'The tenant', fallback: 'local' } as const;

/** The commands that are no tools, in the order of the help. */
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
    summary: 'Says what is wrong and what to do about it.',
    options: {},
    async run(admin) {
      const checks = await admin.doctor();
      const exitCode = checks.some((check) => check.status === 'fail') ? 1 : 0;
      return { value: checks, text: renderDoctor(checks), exitCode };
    },
  }),
  defineAdminCommand({
    words: ['config'],
    summary: 'Shows every setting, its value and where it came from.',
    options: {},
    async run(admin) {
      const lines = await admin.config();
      // A path that is cut is of no use, so the table may be wider than the terminal.
      const text = renderTable(lines as readonly Row[], Number.POSITIVE_INFINITY);
      return { value: lines, ...(text === undefined ? {} : { text }) };
    },
  }),
  defineAdminCommand({
    words: ['migrate'],
    summary: 'Brings the store up to this version.',
    options: {},
    run: async (admin, _options, run) => ({ value: await admin.migrate(run) }),
  }),
  defineAdminCommand({
    words: ['backup'],
    summary: 'Copies the store and its files, also while a server runs.',
    options: {
      to: { kind: 'text', about: 'The folder to make; without it, one named after the time' },
      withKeys: { kind: 'boolean', about: 'Also copies the key file', fallback: false },
      filesOnly: { kind: 'boolean', about: 'Leaves out the store, as with PostgreSQL', fallback: false },
    },
    positionals: ['to'],
    run: async (admin, options, run) => ({ value: await admin.backup(options, run) }),
  }),
  defineAdminCommand({
    words: ['restore'],
    summary: 'Puts a backup into the data folder.',
    options: {
      from: { kind: 'text', about: 'The folder that backup made', required: true },
      force: { kind: 'boolean', about: 'Moves what is in the data folder aside first', fallback: false },
      newKeys: { kind: 'boolean', about: 'Goes on without the keys the backup was made under', fallback: false },
    },
    positionals: ['from'],
    run: async (admin, options, run) => ({ value: await admin.restore(options, run) }),
  }),
  defineAdminCommand({
    words: ['export'],
    summary: 'Writes everything of a tenant into one file that any fourfold can import.',
    options: { to: { kind: 'text', about: 'The file to make', required: true }, tenant },
    positionals: ['to'],
    run: async (admin, options, run) => ({ value: await admin.export(options, run) }),
  }),
  defineAdminCommand({
    words: ['import'],
    summary: 'Reads what export wrote.',
    options: {
      from: { kind: 'text', about: 'The file that export made', required: true },
      mode: {
        kind: 'text',
        about: 'What to do with an item that is there already',
        choices: ['fail', 'skip', 'replace'],
        fallback: 'fail',
      },
      tenant: { kind: 'text', about: 'Where it goes; without it, to the tenant it came from' },
    },
    positionals: ['from'],
    run: async (admin, options, run) => ({ value: await admin.import(options, run) }),
  }),
  defineAdminCommand({
    words: ['generate'],
    summary: 'Writes the generated files of a checkout of fourfold.',
    options: { check: { kind: 'boolean', about: 'Writes nothing; fails when a file would change', fallback: false } },
    async run(admin, { check }) {
      const paths = await admin.generate({ check });
      const told = check ? 'would change' : 'written';
      const text =
        paths.length === 0 ? 'Everything is current.\n' : `${paths.map((path) => `${told}: ${path}`).join('\n')}\n`;
      return { value: { check, paths }, text, exitCode: check && paths.length > 0 ? 1 : 0 };
    },
  }),
  defineAdminCommand({
    words: ['keys', 'create'],
    summary: 'Makes an API key and shows it once.',
    options: {
      name: { kind: 'text', about: 'What the key is for', required: true },
      tenant,
      scopes: {
        kind: 'text',
        isList: true,
        about: 'read, write or admin; repeat the flag for several',
        fallback: ['read', 'write'],
      },
      expiresDays: { kind: 'integer', about: 'Ends after so many days; never when missing' },
    },
    positionals: ['name'],
    run: async (admin, options) => ({ value: await admin.keys.create(options) }),
  }),
  defineAdminCommand({
    words: ['keys', 'list'],
    summary: 'Lists the API keys of a tenant.',
    options: { tenant },
    run: async (admin, options) => ({ value: await admin.keys.list(options) }),
  }),
  defineAdminCommand({
    words: ['keys', 'revoke'],
    summary: 'Ends an API key.',
    options: { id: { kind: 'text', about: 'As keys list shows it', required: true }, tenant },
    positionals: ['id'],
    run: async (admin, options) => ({ value: await admin.keys.revoke(options) }),
  }),
];
