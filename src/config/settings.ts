import { instructionSettings } from './instruction-settings.ts';
import { knowledgeSettings } from './knowledge-settings.ts';
import { logSettings } from './log-settings.ts';
import { notebookSettings } from './notebook-settings.ts';
import { searchSettings } from './search-settings.ts';
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
    about: 'A JSON file with settings.',
    env: ['SCRATCH_NOTEBOOK_CONFIG_FILE'],
    unsetMeans: 'config.json in the data folder, when it is there',
  },
  home: {
    kind: 'path',
    group: 'Data',
    part: 'storage',
    about: 'The data folder.',
    env: ['SCRATCH_NOTEBOOK_STORAGE_DIR'],
    unsetMeans: "fourfold in the platform's data folder",
    inHome: '',
  },
  databaseUrl: {
    kind: 'url',
    group: 'Data',
    part: 'storage',
    about: 'Keeps everything in this PostgreSQL database instead of a file in the data folder.',
    schemes: ['postgres', 'postgresql'],
    secret: true,
    unsetMeans: 'SQLite in the data folder',
  },
  keyFile: {
    kind: 'path',
    group: 'Data',
    part: 'storage',
    about:
      'Holds the secret from which all keys are derived; made at the first start. Processes that share a database share it.',
    inHome: 'key',
  },
  fileRoots: {
    kind: 'list',
    group: 'Data',
    part: 'files',
    items: 'path',
    splitAt: 'delimiter',
    about: 'Folders whose files may be read by tools.',
    unsetMeans: 'the working directory on stdio, none over HTTP',
  },
  instructionsDir: {
    kind: 'path',
    group: 'Data',
    part: 'instructions',
    about: 'The folder of the instruction catalog, one JSON file an entry.',
    env: ['INSTRUCTIONS_DIR'],
    inHome: 'instructions',
  },
  ...instructionSettings,
  ...knowledgeSettings,
  ...notebookSettings,
  ...searchSettings,
  readOnly: {
    kind: 'boolean',
    group: 'Tools',
    part: 'tools',
    about: 'Removes and refuses every tool that writes, on every surface.',
    fallback: false,
  },
  mutation: {
    kind: 'boolean',
    group: 'Tools',
    part: 'tools',
    about: 'Lets tools change the instruction catalog.',
    env: ['MCP_ENABLE_MUTATION'],
    fallback: false,
  },
  toolsets: {
    kind: 'list',
    group: 'Tools',
    part: 'mcp',
    items: 'text',
    splitAt: 'comma',
    about:
      'Lists all tools of these toolsets (or of `all`) instead of the small default set. Every tool is callable either way.',
    unsetMeans: 'the default set',
  },
  toolNames: {
    kind: 'choice',
    group: 'Tools',
    part: 'mcp',
    about:
      'How tools are named in lists: `listed` (health_check), which every client accepts, or `canonical` (health/check).',
    choices: ['listed', 'canonical'],
    fallback: 'listed',
  },
  features: {
    kind: 'list',
    group: 'Tools',
    part: 'tools',
    items: 'text',
    splitAt: 'comma',
    about: 'Optional features that are switched on.',
    env: ['INDEX_FEATURES'],
    unsetMeans: 'usage',
  },
  rateLimits: {
    kind: 'boolean',
    group: 'Tools',
    part: 'tools',
    about: 'Holds callers over HTTP to the rate limits of the tools; stdio has none.',
    fallback: true,
  },
  deadlineMs: {
    kind: 'duration',
    group: 'Tools',
    part: 'tools',
    about: 'A call that takes longer is stopped, unless its tool has a deadline of its own.',
    minMs: 100,
    maxMs: hourMs,
    fallback: 60 * secondMs,
  },
  idleKeepaliveMs: {
    kind: 'duration',
    group: 'Server',
    part: 'mcp',
    about: 'Pings a client that has been silent for so long; 0 never does.',
    env: ['MCP_IDLE_KEEPALIVE_MS'],
    minMs: 0,
    maxMs: 24 * hourMs,
    fallback: 30 * secondMs,
  },
  host: {
    kind: 'text',
    group: 'Server',
    part: 'http',
    about: 'The address to listen on.',
    flags: ['dashboard-host'],
    env: ['SCRATCH_NOTEBOOK_HTTP_HOST'],
    fallback: '127.0.0.1',
  },
  port: {
    kind: 'integer',
    group: 'Server',
    part: 'http',
    about: 'The port to listen on; 0 takes any free one.',
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
    about: 'How many ports above it are tried when the port is taken.',
    flags: ['dashboard-tries'],
    min: 0,
    max: 1_000,
    fallback: 10,
  },
  dashboard: {
    kind: 'boolean',
    group: 'Server',
    part: 'http',
    about: 'Serves the dashboard; beside stdio it also opens the port.',
    unsetMeans: 'on with serve, off on stdio',
  },
  httpSessions: {
    kind: 'choice',
    group: 'Server',
    part: 'mcp',
    about:
      'Keeps sessions of older clients in memory. `auto`: on with SQLite, off with PostgreSQL, where replicas share nothing.',
    choices: ['auto', 'on', 'off'],
    fallback: 'auto',
  },
  bodyBytes: {
    kind: 'bytes',
    group: 'Server',
    part: 'http',
    about: 'The largest request body.',
    min: kibibyte,
    max: 256 * mebibyte,
    fallback: 16 * mebibyte,
  },
  shutdownMs: {
    kind: 'duration',
    group: 'Server',
    part: 'http',
    about: 'How long requests that still run are waited for when the server stops.',
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
    about: 'Where metrics are served.',
    env: ['SCRATCH_NOTEBOOK_METRICS_PATH'],
    startsWith: '/',
    fallback: '/metrics',
  },
  auth: {
    kind: 'boolean',
    group: 'Access',
    part: 'http',
    about: 'Asks every HTTP request for a key. Can be switched off only on a loopback address.',
    env: ['SCRATCH_NOTEBOOK_ENABLE_AUTH'],
    fallback: true,
  },
  bearerToken: {
    kind: 'text',
    group: 'Access',
    part: 'http',
    about:
      'A token of your own making that reads and writes as the tenant local. Better in a variable than in a flag, which others can see.',
    env: ['SCRATCH_NOTEBOOK_AUTH_BEARER_TOKEN'],
    secret: true,
    unsetMeans: 'API keys only',
  },
  bearerTokenFile: {
    kind: 'path',
    group: 'Access',
    part: 'http',
    about: 'A file of such tokens, one a line: `tenant:token`.',
    env: ['SCRATCH_NOTEBOOK_AUTH_TOKEN_FILE'],
    unsetMeans: 'API keys only',
  },
  allowedHosts: {
    kind: 'list',
    group: 'Access',
    part: 'http',
    items: 'text',
    splitAt: 'comma',
    about: 'Names under which the server may be addressed, beside the loopback names and its own address.',
    fallback: [],
  },
  allowedOrigins: {
    kind: 'list',
    group: 'Access',
    part: 'http',
    items: 'text',
    splitAt: 'comma',
    about: 'Origins of web pages that may call the server, beside its own.',
    fallback: [],
  },
  oauthIssuer: {
    kind: 'url',
    group: 'Access',
    part: 'http',
    about: 'Accepts access tokens of this OAuth 2.1 authorization server.',
    schemes: ['https', 'http'],
    unsetMeans: 'API keys only',
  },
  oauthResource: {
    kind: 'url',
    group: 'Access',
    part: 'http',
    about: 'The address of /mcp that clients know, when a proxy stands before the server.',
    schemes: ['https', 'http'],
    unsetMeans: '/mcp at the address of the request',
  },
  oauthAudience: {
    kind: 'text',
    group: 'Access',
    part: 'http',
    about: 'The audience that an access token must name.',
    unsetMeans: 'the address of /mcp',
  },
  oauthJwksUrl: {
    kind: 'url',
    group: 'Access',
    part: 'http',
    about: 'Where the public keys of the authorization server are.',
    schemes: ['https', 'http'],
    unsetMeans: 'needed with oauthIssuer',
  },
  oauthTenantClaim: {
    kind: 'text',
    group: 'Access',
    part: 'http',
    about: 'The claim of an access token that names the tenant.',
    fallback: 'tenant',
  },
  oauthScopeClaim: {
    kind: 'text',
    group: 'Access',
    part: 'http',
    about: 'The claim of an access token that holds the scopes.',
    fallback: 'scope',
  },
  oauthScopePrefix: {
    kind: 'text',
    group: 'Access',
    part: 'http',
    about: 'What stands before our scopes in an access token, such as `fourfold:` in `fourfold:read`.',
    unsetMeans: 'nothing',
  },
  ...logSettings,
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof settingsTable;

/** What the program runs with, typed from the table. */
export type Settings = { readonly [K in SettingName]: ValueOf<(typeof settingsTable)[K]> };

/** The table as a list, its literal types forgotten. */
export const settingsList = Object.entries(settingsTable) as readonly (readonly [SettingName, Setting])[];
