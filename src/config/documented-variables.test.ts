import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findIgnoredVariables } from './ignored-variables.ts';
import { loadSettings } from './load-settings.ts';
import { renderConfigReference } from './render-settings.ts';
import { type SettingName, settingsList } from './settings.ts';

const home = join(tmpdir(), 'fourfold-nowhere');
const load = (env: Readonly<Record<string, string>> = {}) =>
  loadSettings({ argv: [], env: { FOURFOLD_HOME: home, ...env }, cwd: '/srv', platform: 'linux', homeDir: '/home/ada' })
    .settings;

/**
 * Each documented variable of the instruction server that has an effect: its setting, default, a value and its meaning.
 */
const steering: readonly (readonly [
  variable: string,
  SettingName,
  fallback: unknown,
  given: string,
  meant: unknown,
])[] = [
  ['MCP_ENABLE_MUTATION', 'mutation', false, 'yes', true],
  ['INSTRUCTIONS_DIR', 'instructionsDir', join(home, 'instructions'), 'rules', '/srv/rules'],
  ['MCP_INSTRUCTIONS_STRICT_CREATE', 'strictCreate', false, '1', true],
  ['MCP_INSTRUCTIONS_STRICT_REMOVE', 'strictRemove', false, 'on', true],
  ['MCP_CANONICAL_DISABLE', 'canonicalOff', false, 'true', true],
  ['GOV_HASH_TRAILING_NEWLINE', 'governanceNewline', false, '1', true],
  ['MCP_READ_RETRIES', 'readRetries', 3, '0', 0],
  ['MCP_READ_BACKOFF_MS', 'readBackoffMs', 8, '20', 20],
  ['MCP_ATOMIC_WRITE_RETRIES', 'writeRetries', 3, '7', 7],
  ['MCP_ATOMIC_WRITE_BACKOFF_MS', 'writeBackoffMs', 8, '1', 1],
  ['MCP_CATALOG_MEMOIZE', 'catalogMemoize', false, '1', true],
  ['MCP_CATALOG_DIAG', 'catalogDiag', false, '1', true],
  ['MCP_CATALOG_FILE_TRACE', 'catalogFileTrace', false, '1', true],
  ['MCP_DISABLE_USAGE_RATE_LIMIT', 'usageRateLimitOff', false, '1', true],
  ['MCP_DISABLE_USAGE_CLAMP', 'usageClampOff', false, '1', true],
  ['INDEX_FEATURES', 'features', undefined, 'usage, window', ['usage', 'window']],
  ['MCP_LOG_VERBOSE', 'logVerbose', false, '1', true],
  ['MCP_LOG_MUTATION', 'logMutation', false, '1', true],
  ['MCP_LOG_DIAG', 'logDiag', false, '1', true],
  ['MCP_LOG_FILE', 'logFile', undefined, 'a.log', '/srv/a.log'],
  ['MCP_LOG_ROTATE_BYTES', 'logRotateBytes', 524_288, '8192', 8_192],
  ['MCP_IDLE_KEEPALIVE_MS', 'idleKeepaliveMs', 30_000, '0', 0],
  ['MCP_TRACE_DIR', 'traceDir', undefined, 'traces', '/srv/traces'],
  ['MCP_TRACE_MAX_BYTES', 'traceMaxBytes', 65_536, '4096', 4_096],
  ['MCP_TRACE_SESSION', 'traceSession', undefined, 's1', 's1'],
  ['MCP_TRACE_FILTER', 'traceFilter', undefined, 'list,get', ['list', 'get']],
  ['MCP_TRACE_FILTER_DENY', 'traceFilterDeny', [], 'file', ['file']],
  ['MCP_AGENT_ID', 'agentId', undefined, 'agent-7', 'agent-7'],
  ['WORKSPACE_ID', 'workspace', undefined, 'w1', 'w1'],
  ['INSTRUCTIONS_WORKSPACE', 'workspace', undefined, 'w2', 'w2'],
  ['FEEDBACK_DIR', 'feedbackDir', join(home, 'feedback'), 'told', '/srv/told'],
  ['FEEDBACK_MAX_ENTRIES', 'feedbackMaxEntries', 1_000, '5', 5],
];

/** Variables for the tests and handshakes of the original. */
const crutches = [
  'DIST_WAIT_DEBUG',
  'DIST_WAIT_MS',
  'EXTEND_DIST_WAIT',
  'MCP_DISABLE_EARLY_STDIN_BUFFER',
  'MCP_DISABLE_INIT_SNIFF',
  'MCP_FORCE_REBUILD',
  'MCP_HANDSHAKE_FALLBACKS',
  'MCP_HANDSHAKE_TRACE',
  'MCP_HEALTH_MIXED_DIAG',
  'MCP_INIT_FALLBACK_ALLOW',
  'MCP_INIT_FRAME_DIAG',
  'MCP_SHARED_SERVER_SENTINEL',
  'MCP_USAGE_FLUSH_MS',
  'MULTICLIENT_TRACE',
  'SKIP_PROD_DEPLOY',
];

describe.each(steering)('%s', (variable, setting, fallback, given, meant) => {
  test('has the documented default and is read', () => {
    expect(load()[setting]).toEqual(fallback);
    expect(load({ [variable]: given })[setting]).toEqual(meant);
  });

  test('is in the reference', () => {
    expect(renderConfigReference()).toContain(`\`${variable}\``);
  });
});

test('ignores exactly the variables without an effect', () => {
  const all = [...crutches, ...steering.map(([variable]) => variable)];
  expect(findIgnoredVariables(Object.fromEntries(all.map((name) => [name, '1'])))).toEqual(crutches);
});

test('covers every catalog and log setting with a documented variable', () => {
  const documented = new Set<string>(steering.map(([, setting]) => setting));
  const missing = settingsList.filter(
    ([name, { group, env = [] }]) =>
      ['Instructions', 'Logs'].includes(group) && env.length > 0 && !documented.has(name),
  );
  expect(missing.map(([name]) => name)).toEqual([]);
});
