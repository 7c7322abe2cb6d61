import { accessSettings } from './access-settings.ts';
import { instructionSettings } from './instruction-settings.ts';
import { integrationSettings } from './integration-settings.ts';
import { logSettings } from './log-settings.ts';
import { notebookSettings } from './notebook-settings.ts';
import { knowledgeSettings, searchSettings } from './search-settings.ts';
import type { Setting, ValueOf } from './setting.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const secondMs = 1_000;
const hourMs = 3_600 * secondMs;

/**
 * Every setting of the program. Types, flags, variables, the file's keys, help and reference follow from this table;
 * `port` is `--port`, `FOURFOLD_PORT` and `"port"` in the file.
 */
export const settingsTable = {
  config: {
    kind: 'path',
    group: 'Data',
    part: 'config',
    about: 'JSON file with settings.',
    env: ['SCRATCH_NOTEBOOK_CONFIG_FILE'],
    unsetMeans: 'config.json in the data folder, if it exists',
  },
  home: {
    kind: 'path',
    group: 'Data',
    part: 'storage',
    about: 'Data folder.',
    env: ['SCRATCH_NOTEBOOK_STORAGE_DIR'],
    unsetMeans: "fourfold in the platform's data folder",
    inHome: '',
  },
  databaseUrl: {
    kind: 'url',
    group: 'Data',
    part: 'storage',
    about: 'Stores everything in this PostgreSQL database instead of SQLite in the data folder.',
    schemes: ['postgres', 'postgresql'],
    secret: true,
    unsetMeans: 'SQLite in the data folder',
  },
  keyFile: {
    kind: 'path',
    group: 'Data',
    part: 'storage',
    about:
      'File with the secret from which all keys are derived; created at the first start. Processes with a common database must share it.',
    inHome: 'key',
  },
  auditCopyFile: {
    kind: 'path',
    group: 'Data',
    part: 'storage',
    about: 'Appends every checkpoint of the audit trail to this file too; best on another disk.',
    unsetMeans: 'checkpoints are only in the data folder',
  },
  auditCommand: {
    kind: 'text',
    group: 'Data',
    part: 'storage',
    about: 'Shell command that receives every checkpoint of the audit trail on stdin, one JSON object per line.',
    unsetMeans: 'no command',
  },
  backupDir: {
    kind: 'path',
    group: 'Data',
    part: 'storage',
    about: 'Folder for the backups that the operator makes without naming a folder; best on another disk.',
    unsetMeans: 'a folder next to the data folder, with its name and -backups',
  },
  startEmpty: {
    kind: 'boolean',
    group: 'Data',
    part: 'storage',
    about:
      'Creates a missing store or key file although other files show that there was one. Use it for one start: without it, the start is refused.',
    fallback: false,
  },
  fileRoots: {
    kind: 'list',
    group: 'Data',
    part: 'files',
    items: 'path',
    splitAt: 'delimiter',
    about: 'Folders from which tools may read files.',
    unsetMeans:
      'the working directory on stdio and the command line, unless it is or contains the home or data folder; none over HTTP',
  },
  instructionsDir: {
    kind: 'path',
    group: 'Data',
    part: 'instructions',
    about: 'Folder of the instruction catalog, with one JSON file per entry.',
    env: ['INSTRUCTIONS_DIR'],
    inHome: 'instructions',
  },
  ...instructionSettings,
  ...knowledgeSettings,
  ...notebookSettings,
  ...searchSettings,
  ...integrationSettings,
  readOnly: {
    kind: 'boolean',
    group: 'Tools',
    part: 'tools',
    about: 'Hides and rejects every writing tool, on every surface.',
    fallback: false,
  },
  recallReceipts: {
    kind: 'integer',
    group: 'Tools',
    part: 'tools',
    about: 'How many receipts of recall to keep per tenant; 0 keeps none. A read-only program keeps none.',
    min: 0,
    max: 1_000_000,
    fallback: 1_000,
  },
  mutation: {
    kind: 'boolean',
    group: 'Tools',
    part: 'tools',
    about: 'Lets agents change the instruction catalog. Without it they can only propose changes.',
    env: ['MCP_ENABLE_MUTATION'],
    fallback: false,
  },
  tools: {
    kind: 'list',
    group: 'Tools',
    part: 'mcp',
    items: 'text',
    splitAt: 'comma',
    about: 'Lists exactly these tools, in any spelling of their names. Other tools can be called too.',
    unsetMeans: 'the tools of the toolsets setting',
  },
  toolsets: {
    kind: 'list',
    group: 'Tools',
    part: 'mcp',
    items: 'text',
    splitAt: 'comma',
    about:
      'Lists all tools of these toolsets (or `all`), and no others, instead of the small default list. Unlisted tools can be called too.',
    unsetMeans: 'the default list',
  },
  toolNames: {
    kind: 'choice',
    group: 'Tools',
    part: 'mcp',
    about: 'Tool names in lists: `listed` (health_check), which every client accepts, or `canonical` (health/check).',
    choices: ['listed', 'canonical'],
    fallback: 'listed',
  },
  answers: {
    kind: 'choice',
    group: 'Tools',
    part: 'mcp',
    about:
      'Where the answer of a tool contains its data: as `text`, as `structured` content, or `both`. One alone halves the size of an answer.',
    choices: ['both', 'text', 'structured'],
    fallback: 'both',
  },
  features: {
    kind: 'list',
    group: 'Tools',
    part: 'tools',
    items: 'text',
    splitAt: 'comma',
    about: 'Optional features to enable.',
    env: ['INDEX_FEATURES'],
    unsetMeans: 'usage',
  },
  rateLimits: {
    kind: 'boolean',
    group: 'Tools',
    part: 'tools',
    about: 'Applies the rate limits of the tools to HTTP callers; stdio has none.',
    fallback: true,
  },
  deadlineMs: {
    kind: 'duration',
    group: 'Tools',
    part: 'tools',
    about: 'Maximum duration of a call, unless its tool has its own deadline.',
    minMs: 100,
    maxMs: hourMs,
    fallback: 60 * secondMs,
  },
  idleKeepaliveMs: {
    kind: 'duration',
    group: 'Server',
    part: 'mcp',
    about: 'Pings a client after this time without a message; 0 disables it.',
    env: ['MCP_IDLE_KEEPALIVE_MS'],
    minMs: 0,
    maxMs: 24 * hourMs,
    fallback: 30 * secondMs,
  },
  host: {
    kind: 'text',
    group: 'Server',
    part: 'http',
    about: 'Address to listen on.',
    flags: ['dashboard-host'],
    env: ['SCRATCH_NOTEBOOK_HTTP_HOST'],
    fallback: '127.0.0.1',
  },
  port: {
    kind: 'integer',
    group: 'Server',
    part: 'http',
    about: 'Port to listen on; 0 picks a free one.',
    flags: ['dashboard-port'],
    env: ['SCRATCH_NOTEBOOK_HTTP_PORT'],
    min: 0,
    max: 65_535,
    fallback: 8787,
  },
  portTries: {
    kind: 'integer',
    group: 'Server',
    part: 'http',
    about: 'How many following ports to try if the port is taken.',
    flags: ['dashboard-tries'],
    min: 0,
    max: 1_000,
    fallback: 10,
  },
  dashboard: {
    kind: 'boolean',
    group: 'Server',
    part: 'http',
    about: 'Serves the dashboard; with stdio it also opens the port.',
    unsetMeans: 'on with serve, off on stdio',
  },
  httpSessions: {
    kind: 'choice',
    group: 'Server',
    part: 'mcp',
    about:
      'Keeps sessions of 2025-era clients in memory. `auto`: on with SQLite, off with PostgreSQL, where replicas share no memory.',
    choices: ['auto', 'on', 'off'],
    fallback: 'auto',
  },
  bodyBytes: {
    kind: 'bytes',
    group: 'Server',
    part: 'http',
    about: 'Maximum size of a request body.',
    min: kibibyte,
    max: 256 * mebibyte,
    fallback: 16 * mebibyte,
  },
  shutdownMs: {
    kind: 'duration',
    group: 'Server',
    part: 'http',
    about: 'How long a stopping server waits for running requests.',
    env: ['SCRATCH_NOTEBOOK_SHUTDOWN_TIMEOUT'],
    envInSeconds: true,
    minMs: 0,
    maxMs: 10 * 60 * secondMs,
    fallback: 5 * secondMs,
  },
  metrics: {
    kind: 'boolean',
    group: 'Server',
    part: 'http',
    about: 'Serves metrics for Prometheus.',
    env: ['SCRATCH_NOTEBOOK_ENABLE_METRICS'],
    fallback: true,
  },
  metricsPath: {
    kind: 'text',
    group: 'Server',
    part: 'http',
    about: 'Path of the metrics.',
    env: ['SCRATCH_NOTEBOOK_METRICS_PATH'],
    startsWith: '/',
    fallback: '/metrics',
  },
  metricsAuth: {
    kind: 'choice',
    group: 'Server',
    part: 'http',
    about: 'Who may read the metrics: callers with a key of the tenant local, or also every local program.',
    choices: ['key', 'loopback'],
    fallback: 'key',
  },
  ...accessSettings,
  ...logSettings,
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof settingsTable;

export type Settings = { readonly [K in SettingName]: ValueOf<(typeof settingsTable)[K]> };

export const settingsList = Object.entries(settingsTable) as readonly (readonly [SettingName, Setting])[];
