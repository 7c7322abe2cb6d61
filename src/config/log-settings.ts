import type { Setting } from './setting.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

export const logSettings = {
  logLevel: {
    kind: 'choice',
    group: 'Logs',
    part: 'log',
    about: 'The least important lines that are written.',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    fallback: 'info',
  },
  logFile: {
    kind: 'path',
    group: 'Logs',
    part: 'log',
    about: 'Writes the log into this file as well as to stderr.',
    env: ['MCP_LOG_FILE'],
    unsetMeans: 'stderr only',
  },
  logRotateBytes: {
    kind: 'bytes',
    group: 'Logs',
    part: 'log',
    about: 'The log file starts anew at this size; the one before is kept.',
    env: ['MCP_LOG_ROTATE_BYTES'],
    min: 4 * kibibyte,
    max: 1024 * mebibyte,
    fallback: 524_288,
  },
  logVerbose: {
    kind: 'boolean',
    group: 'Logs',
    part: 'log',
    about: 'Writes a line for every call.',
    env: ['MCP_LOG_VERBOSE'],
    fallback: false,
  },
  logMutation: {
    kind: 'boolean',
    group: 'Logs',
    part: 'log',
    about: 'Writes a line for every call that changes something.',
    env: ['MCP_LOG_MUTATION'],
    fallback: false,
  },
  logDiag: {
    kind: 'boolean',
    group: 'Logs',
    part: 'log',
    about: 'Writes lines about connections, sessions and framing.',
    env: ['MCP_LOG_DIAG'],
    fallback: false,
  },
} as const satisfies Readonly<Record<string, Setting>>;
