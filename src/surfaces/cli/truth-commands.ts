import { type AdminCommand, defineAdminCommand } from './admin-command.ts';

/** As with `export` and `keys`: whoever may run these owns the store and may name anybody in it. */
const tenant = { kind: 'text', about: 'Whose truth', fallback: 'local' } as const;

/** Truth in bulk, and what steers how it is read. */
export const truthCommands: readonly AdminCommand[] = [
  defineAdminCommand({
    words: ['truth', 'export'],
    summary: 'Writes payloads, observations, records, merges and relationships as JSON Lines, with their provenance.',
    options: {
      to: { kind: 'text', about: 'The file to write', required: true },
      force: { kind: 'boolean', about: 'Writes over a file that is there', fallback: false },
      tenant,
    },
    positionals: ['to'],
    run: async (admin, options, run) => ({ value: await admin.truth.export(options, run) }),
  }),
  defineAdminCommand({
    words: ['truth', 'import'],
    summary: 'Takes in JSON Lines: an export, or payload envelopes as submit_payload takes them.',
    options: {
      paths: { kind: 'text', isList: true, about: 'Files', required: true },
      dryRun: { kind: 'boolean', about: 'Only says what would be taken in', fallback: false },
      tenant,
    },
    positionals: ['paths'],
    run: async (admin, options, run) => ({ value: await admin.truth.import(options, run) }),
  }),
  defineAdminCommand({
    words: ['truth', 'rebuild'],
    summary: 'Reduces every entity anew from its observations, and says which differed.',
    options: {
      check: { kind: 'boolean', about: 'Only compares; ends with 1 when something differs', fallback: false },
      tenant,
    },
    async run(admin, options, run) {
      const value = await admin.truth.rebuild(options, run);
      const { differing, missing, misdirected_relationships, wrong_totals } = value;
      const isRight = differing + missing + misdirected_relationships + wrong_totals.length === 0;
      return { value, exitCode: options.check && !isRight ? 1 : 0 };
    },
  }),
  defineAdminCommand({
    words: ['truth', 'capabilities'],
    summary: 'Lists how payloads are read; registers a capability of your own from a JSON file, or removes one.',
    options: {
      register: { kind: 'text', about: 'A file with its definition' },
      remove: { kind: 'text', about: 'The capability_id of one of your own' },
      tenant,
    },
    run: async (admin, options, run) => ({ value: await admin.truth.capabilities(options, run) }),
  }),
  defineAdminCommand({
    words: ['truth', 'schemas'],
    summary: 'Lists the entity types and their versions; registers one from a JSON file, or activates one.',
    options: {
      register: { kind: 'text', about: 'A file with its definition' },
      activate: { kind: 'text', about: 'Type and version: company@1.1' },
      tenant,
    },
    run: async (admin, options, run) => ({ value: await admin.truth.schemas(options, run) }),
  }),
];
