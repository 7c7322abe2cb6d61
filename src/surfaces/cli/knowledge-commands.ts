import { type AdminCommand, defineAdminCommand } from './admin-command.ts';

/** As with `export` and `keys`: whoever may run these owns the store and may name anybody in it. */
const tenant = { kind: 'text', about: 'Whose docs', fallback: 'local' } as const;

/** Docs from files of this machine. Lists and removals are tools: `knowledge list`, `knowledge remove`. */
export const knowledgeCommands: readonly AdminCommand[] = [
  defineAdminCommand({
    words: ['knowledge', 'add'],
    summary: 'Takes in the docs of libraries, for search_docs: folders, installed packages, llms.txt files, zips.',
    options: {
      sources: {
        kind: 'text',
        isList: true,
        about: 'A folder, a file, an llms.txt, a zip, or the name of a package in node_modules',
        required: true,
      },
      library: { kind: 'text', about: 'What it is called; without it, as it calls itself' },
      version: { kind: 'text', about: 'Its version; without it, as its package.json says' },
      ignore: {
        kind: 'boolean',
        about: 'Passes over what .gitignore files name; --no-ignore takes it',
        fallback: true,
      },
      dryRun: { kind: 'boolean', about: 'Only says what would change', fallback: false },
      tenant,
    },
    positionals: ['sources'],
    run: async (admin, options, run) => ({ value: await admin.knowledge.add(options, run) }),
  }),
  defineAdminCommand({
    words: ['knowledge', 'new'],
    summary: 'Writes a new FeathersJS application: all its files or none, over no file that is there.',
    options: {
      folder: { kind: 'text', about: 'Where to', required: true },
      database: {
        kind: 'text',
        about: 'What keeps its data',
        choices: ['mongodb', 'postgresql', 'sqlite'],
        required: true,
      },
      // Not `auth`: that is a setting of the program.
      authentication: { kind: 'boolean', about: 'With users and logins', fallback: false },
      javascript: { kind: 'boolean', about: 'In JavaScript, not in TypeScript', fallback: false },
      version: { kind: 'text', about: 'Of FeathersJS', choices: ['v4', 'v5', 'both'], fallback: 'v5' },
      dryRun: { kind: 'boolean', about: 'Only says which files would be written', fallback: false },
      force: { kind: 'boolean', about: 'Replaces files of the same name', fallback: false },
    },
    positionals: ['folder'],
    run: async (admin, { authentication, javascript, ...options }) => ({
      value: await admin.knowledge.create({ ...options, auth: authentication, typescript: !javascript }),
    }),
  }),
  defineAdminCommand({
    words: ['knowledge', 'restore'],
    summary: 'Brings a library back that was removed in the last 30 days.',
    options: {
      library: { kind: 'text', about: 'The library', required: true },
      version: { kind: 'text', about: 'Its version', required: true },
      tenant,
    },
    positionals: ['library', 'version'],
    run: async (admin, options, run) => ({ value: await admin.knowledge.restore(options, run) }),
  }),
];
