import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { findDependencyViolations, findPackageViolations } from './packages.ts';
import { parse } from './parsed.ts';
import { readProgram } from './tree.ts';

const violationsOf = (path: string, text: string) => findPackageViolations([parse({ path, text })]);

test('every package is imported only in its places', () => {
  expect(findPackageViolations(readProgram().map(parse))).toEqual([]);
});

test('every dependency is listed, and their number is limited', () => {
  expect(findDependencyViolations(manifest)).toEqual([]);
});

test.for([
  ['src/kernel/storage/idempotency.ts', `import Database from 'better-sqlite3';`],
  ['src/kernel/storage/sqlite/a.ts', `import type { Pool } from 'pg';`],
  ['src/domains/truth/truth-store.ts', `const load = () => import('pg');`],
  ['src/surfaces/http/mcp-route.ts', `import { Server } from '@modelcontextprotocol/server/node';`],
  ['src/surfaces/mcp/a.ts', `import { Client } from '@modelcontextprotocol/client';`],
  ['src/kernel/log/log.ts', `import { pino } from 'pino';`],
  ['src/app/log.test-helper.ts', `import { test } from 'vitest';`],
  ['src/app/a.ts', `import { env } from 'node:process';`],
  ['src/domains/truth/a.ts', `import { request } from 'node:http';`],
  ['src/domains/truth/b.ts', `import { type Agent, request } from 'node:http';`],
  ['src/kernel/blob/a.ts', `import { lookup } from 'node:dns/promises';`],
  ['src/kernel/workers/a.ts', `import { runInNewContext } from 'node:vm';`],
  ['src/app/a.ts', `import { readFileSync } from 'fs';`],
])('in %s, rejects %s', ([path, text]) => {
  expect(violationsOf(path!, text!)).toHaveLength(1);
});

test.for([
  ['src/kernel/storage/sqlite/connection.ts', `import Database from 'better-sqlite3';`],
  ['src/surfaces/mcp/session.ts', `import { Server } from '@modelcontextprotocol/server';`],
  ['src/surfaces/mcp/http.ts', `import type { IncomingMessage } from 'node:http';`],
  ['src/kernel/json/a.ts', `import { z } from 'zod'; import { readFile } from 'node:fs/promises';`],
])('in %s, accepts %s', ([path, text]) => {
  expect(violationsOf(path!, text!)).toEqual([]);
});

test('finds an unlisted dependency, an unused entry, and too many dependencies', () => {
  const many = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`p${i}`, '1.0.0']));
  const places = { ...Object.fromEntries(Object.keys(many).map((name) => [name, ['src']])), gone: ['src'] };
  expect(findDependencyViolations({ dependencies: { ...many, extra: '1.0.0' } }, places)).toEqual([
    'extra is a dependency without a place',
    'gone has a place but is not a dependency',
    '17 direct dependencies; at most 15 are allowed',
  ]);
});
