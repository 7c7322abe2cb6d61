import { type AdminCommand, defineAdminCommand } from './admin-command.ts';

/** Rules in bulk: files and folders, which no tool takes. */
export const instructionCommands: readonly AdminCommand[] = [
  defineAdminCommand({
    words: ['instructions', 'import'],
    summary: 'Takes in rule files: entries, backups, AGENTS.md, CLAUDE.md, Cursor and Copilot rules, skills.',
    options: {
      paths: { kind: 'text', isList: true, about: 'Files and folders', required: true },
      mode: {
        kind: 'text',
        about: 'What happens to an entry that is there',
        choices: ['skip', 'overwrite', 'merge'],
        fallback: 'skip',
      },
      dryRun: { kind: 'boolean', about: 'Only says what would be taken in', fallback: false },
    },
    positionals: ['paths'],
    run: async (admin, options, run) => ({ value: await admin.instructions.import(options, run) }),
  }),
  defineAdminCommand({
    words: ['instructions', 'export'],
    summary: 'Writes the catalog as a folder of entries, one JSON file or an AGENTS.md.',
    options: {
      to: { kind: 'text', about: 'The folder or file to write', required: true },
      format: { kind: 'text', about: 'Told by the name when missing', choices: ['folder', 'json', 'agents'] },
      force: { kind: 'boolean', about: 'Writes over what is there', fallback: false },
    },
    positionals: ['to'],
    run: async (admin, options, run) => ({ value: await admin.instructions.export(options, run) }),
  }),
  defineAdminCommand({
    words: ['instructions', 'snapshot'],
    summary: 'Writes down which rules there are now; integrity manifest tells what drifted since.',
    options: {},
    run: async (admin, _options, run) => ({ value: await admin.instructions.snapshot(run) }),
  }),
  defineAdminCommand({
    words: ['instructions', 'seed'],
    summary: 'Adds a small starter catalog to look at.',
    options: {},
    run: async (admin, _options, run) => ({ value: await admin.instructions.seed(run) }),
  }),
  defineAdminCommand({
    words: ['instructions', 'reset'],
    summary: 'Empties the catalog after a backup, and seeds it when told so.',
    options: {
      empty: { kind: 'boolean', about: 'Leaves it empty', fallback: false },
      seed: { kind: 'boolean', about: 'Puts the starter catalog in', fallback: false },
    },
    run: async (admin, options, run) => ({ value: await admin.instructions.reset(options, run) }),
  }),
];
