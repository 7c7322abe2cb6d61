import { Readable } from 'node:stream';
import { z } from 'zod';
import { localTenant } from '#kernel/call.ts';
import { systemClock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { createCountedIds } from '#kernel/ids/ids.ts';
import { openLimiter } from '#kernel/limiter/limiter.ts';
import { nearest } from '#kernel/text/edit-distance.ts';
import { toCards } from '#kernel/tool/card.ts';
import { createInvoke } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { bindToolset, createRegistry } from '#kernel/tool/registry.ts';
import { defineTool, defineToolset } from '#kernel/tool/tool.ts';
import type { Admin, DoctorCheck } from '#surfaces/cli/admin.ts';
import { createCli } from '#surfaces/cli/cli.ts';
import { createRecordingPrinter } from '#surfaces/cli/printer.ts';

const anything = z.record(z.string(), z.unknown());
const guide = { when: ['a test wants it'] };

/** Returns its arguments, of every type. */
const echo = defineTool({
  name: 'notes/echoAll',
  title: 'Echo',
  summary: 'Says what it was given.',
  guide: { ...guide, example: { text: "it's", tags: ['a', 'b'], dryRun: true } },
  effect: 'read',
  aliases: ['notes/repeat'],
  input: z.strictObject({
    text: z.string().max(2_000).describe('What to say'),
    max_count: z.int().min(1).max(20).default(5),
    ratio: z.number().optional(),
    dryRun: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
    sizes: z.array(z.int()).optional(),
    filter: z.object({ a: z.number() }).optional(),
    filters: z.array(z.object({ a: z.number() })).optional(),
    mode: z.enum(['fast', 'slow']).optional(),
    note: z.string().nullable().optional(),
    value: z.union([z.string(), z.number()]).optional(),
    json: z.string().optional(),
    port: z.int().optional(),
  }),
  output: anything,
  faults: [],
  run: (_domain: null, input) => ({ ...input }),
});

const list = defineTool({
  name: 'notes_list',
  title: 'List',
  summary: 'Lists notes.',
  guide,
  effect: 'read',
  input: z.strictObject({}),
  output: anything,
  faults: [],
  run: () => ({
    notes: [
      { id: 'a', title: 'First \u001b[31mred\u009b', tags: ['x', 'y'] },
      { id: 'b', title: 'Second' },
    ],
    nextCursor: 'c1',
  }),
});

const listTags = defineTool({
  ...list,
  name: 'notes_list_tags',
  run: () => ({ tags: [], text: 'one\ntwo' }),
});

const slow = defineTool({
  name: 'notes_slow',
  title: 'Slow',
  summary: 'Reports progress, then fails.',
  guide,
  effect: 'create',
  audit: 'none',
  input: z.strictObject({ id: z.string() }),
  output: anything,
  faults: ['NOT_FOUND'],
  run(_domain: null, { id }, call) {
    call.progress(1, 4, `halfway\nthrough ${call.idempotencyKey ?? ''}`);
    throw faults.NOT_FOUND({ what: id });
  },
});

/** Finds something to fail on in its own argument. */
const review = defineTool({
  name: 'notes_check',
  title: 'Check',
  summary: 'Checks notes.',
  guide,
  effect: 'read',
  faults: [],
  failOn: ['error', 'warn'],
  input: z.strictObject({ found: z.enum(['nothing', 'warn', 'error']).default('nothing') }),
  output: z.object({ found: z.string() }),
  findFailure: ({ found }, failOn) =>
    found === 'error' || found === failOn ? `found an ${found}\nin a note\u001b` : undefined,
  run: (_domain: null, { found }) => ({ found }),
});

const hidden = defineTool({ ...list, name: 'notes_hidden', expose: ['mcp'] });

const toolset = defineToolset<null>({
  name: 'notes',
  faultForm: 'flagged',
  tools: [echo, list, listTags, review, slow, hidden],
});

export interface CliSetup {
  readonly terminal?: Parameters<typeof createRecordingPrinter>[0];
  readonly stdin?: string;
  readonly checks?: readonly DoctorCheck[];
  readonly bug?: Error;
}

/** A real command line with real tools and the real `invoke`; only the program commands are recorded instead of run. */
export function setUpCli({ terminal, stdin = '', checks = [], bug }: CliSetup = {}) {
  const registry = createRegistry(toCards(toolset), { notes: async () => bindToolset(toolset, null) });
  const invoke = createInvoke({
    registry,
    permits: { mutation: true, readOnly: false },
    limiter: openLimiter,
    meter: createToolMeter(),
    clock: systemClock,
    ids: createCountedIds(),
    reportBug({ error }) {
      throw error;
    },
  });
  const asked: unknown[] = [];
  const ask = (name: string) => async (options: object) => {
    asked.push('progress' in options ? name : [name, options]);
    return { done: name };
  };
  const done = (name: string) => async () => void asked.push(name);
  const admin: Admin = {
    serve: done('serve'),
    stdio: done('stdio'),
    doctor: async () => {
      if (bug !== undefined) throw bug;
      return checks;
    },
    config: () => [{ setting: 'port', value: '8787', origin: 'default' }],
    migrate: ask('migrate'),
    backup: ask('backup'),
    restore: ask('restore'),
    export: ask('export'),
    import: ask('import'),
    importMemories: async (options) => ({
      ...(await ask('import memories')(options)),
      errorsCount: options.paths.length - 1,
    }),
    generate: async ({ check }) => (check ? ['docs/a.md'] : []),
    demo: { create: async () => ({ tenant: 'demo' }), remove: async () => ({ removed: true }) },
    keys: { create: ask('keys create'), list: ask('keys list'), revoke: ask('keys revoke'), link: ask('link') },
  };
  const printer = createRecordingPrinter(terminal);
  const cli = createCli({
    registry,
    invoke,
    caller: { tenant: localTenant, actor: 'cli', scopes: new Set(['admin']) },
    admin,
    printer,
    stdin: Readable.from([stdin]),
    version: '1.2.3',
    settingsHelp: () => 'Settings: …',
    settingFlags: ['port'],
    nearest,
  });
  return {
    asked,
    printer,
    run: async (...words: readonly string[]) => ({ code: await cli.run(words), ...printer.said }),
  };
}

export const sampleCards = () => toCards(toolset);

export const runCli = (...words: readonly string[]) => setUpCli().run(...words);
