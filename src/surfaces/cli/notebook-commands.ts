import { type AdminCommand, defineAdminCommand } from './admin-command.ts';

const filters = {
  namespaces: { kind: 'text', isList: true, about: 'Only of this namespace; repeat the flag for several' },
  tags: { kind: 'text', isList: true, about: 'Only with this tag; repeat the flag for several' },
} as const;

/** As with `export` and `keys`: whoever may run these owns the store and may name anybody in it. */
const tenant = { kind: 'text', about: 'Whose scratchpads', fallback: 'local' } as const;

/** Scratchpads in bulk: files and folders, which no tool takes, and the trash. */
export const notebookCommands: readonly AdminCommand[] = [
  defineAdminCommand({
    words: ['notebooks', 'export'],
    summary: 'Writes scratchpads as files into a folder: Markdown, or Jupyter notebooks.',
    options: {
      to: { kind: 'text', about: 'The folder to write', required: true },
      format: { kind: 'text', about: 'What each file is', choices: ['md', 'ipynb'], fallback: 'md' },
      ids: { kind: 'text', isList: true, about: 'Only this scratchpad; repeat the flag for several' },
      ...filters,
      force: { kind: 'boolean', about: 'Writes over files that are there', fallback: false },
      dryRun: { kind: 'boolean', about: 'Only says which files it would write', fallback: false },
      tenant,
    },
    positionals: ['to'],
    run: async (admin, options, run) => ({ value: await admin.notebooks.export(options, run) }),
  }),
  defineAdminCommand({
    words: ['notebooks', 'import'],
    summary: 'Takes in Markdown files and Jupyter notebooks, one scratchpad each.',
    options: {
      paths: { kind: 'text', isList: true, about: 'Files and folders', required: true },
      mode: {
        kind: 'text',
        about: 'What happens to a scratchpad that is there',
        choices: ['skip', 'overwrite'],
        fallback: 'skip',
      },
      namespace: { kind: 'text', about: 'For scratchpads whose file names none' },
      format: {
        kind: 'text',
        about: 'What the named files are; without it, what their names end in',
        choices: ['md', 'ipynb'],
      },
      dryRun: { kind: 'boolean', about: 'Only says what would be taken in', fallback: false },
      tenant,
    },
    positionals: ['paths'],
    run: async (admin, options, run) => ({ value: await admin.notebooks.import(options, run) }),
  }),
  defineAdminCommand({
    words: ['notebooks', 'list'],
    summary: 'Lists the scratchpads.',
    options: { ...filters, limit: { kind: 'integer', about: 'At most so many', fallback: 100 }, tenant },
    run: async (admin, options, run) => ({ value: await admin.notebooks.list(options, run) }),
  }),
  defineAdminCommand({
    words: ['notebooks', 'recount'],
    summary: 'Counts lists, tags and limits anew from the scratchpads, and says what was wrong.',
    options: { tenant },
    run: async (admin, options, run) => ({ value: await admin.notebooks.recount(options, run) }),
  }),
  defineAdminCommand({
    words: ['notebooks', 'trash'],
    summary: 'Lists deleted, reset and evicted scratchpads that can still come back.',
    options: { limit: { kind: 'integer', about: 'At most so many', fallback: 100 }, tenant },
    run: async (admin, options, run) => ({ value: await admin.notebooks.trash(options, run) }),
  }),
  defineAdminCommand({
    words: ['notebooks', 'restore'],
    summary: 'Brings a scratchpad back from the trash.',
    options: {
      id: { kind: 'text', about: 'The scratchpad', required: true },
      as: { kind: 'text', about: 'Another id to come back under' },
      copy: { kind: 'text', about: 'The pad_key of one copy; the newest when missing' },
      tenant,
    },
    positionals: ['id'],
    run: async (admin, options, run) => ({ value: await admin.notebooks.restore(options, run) }),
  }),
];
