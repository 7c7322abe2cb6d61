import type { Setting } from './setting.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

export const logSettings = {
  logLevel: {
    kind: 'choice',
    group: 'Logs',
    part: 'log',
    about: 'Lowest log level to write. Commands that run once write only errors unless it is set.',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    fallback: 'info',
  },
  logFile: {
    kind: 'path',
    group: 'Logs',
    part: 'log',
    about: 'Writes the log to this file in addition to stderr.',
    env: ['MCP_LOG_FILE'],
    unsetMeans: 'stderr only',
  },
  logRotateBytes: {
    kind: 'bytes',
    group: 'Logs',
    part: 'log',
    about: 'Size at which the log file is rotated; one old file is kept.',
    env: ['MCP_LOG_ROTATE_BYTES'],
    min: 4 * kibibyte,
    max: 1024 * mebibyte,
    fallback: 524_288,
  },
  logVerbose: {
    kind: 'boolean',
    group: 'Logs',
    part: 'log',
    about: 'Logs every call.',
    env: ['MCP_LOG_VERBOSE'],
    fallback: false,
  },
  logMutation: {
    kind: 'boolean',
    group: 'Logs',
    part: 'log',
    about: 'Logs every call that changes something.',
    env: ['MCP_LOG_MUTATION'],
    fallback: false,
  },
  logDiag: {
    kind: 'boolean',
    group: 'Logs',
    part: 'log',
    about: 'Logs connections, sessions and framing.',
    env: ['MCP_LOG_DIAG'],
    fallback: false,
  },
} as const satisfies Readonly<Record<string, Setting>>;
