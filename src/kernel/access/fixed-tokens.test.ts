import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sha256Hex } from '../hash/hash.ts';
import { openFixedTokens } from './fixed-tokens.ts';

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-tokens-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'tokens');
  writeFileSync(file, text);
  return file;
}

const secret = 'sixteen-letters-or-more';

test('a token from the settings belongs to the tenant local, reads and writes, and is kept only as a digest', () => {
  const tokens = openFixedTokens({ token: secret });
  expect(tokens.get(sha256Hex(secret))).toMatchObject({ tenant: 'local', scopes: new Set(['read', 'write']) });
  expect(JSON.stringify([...tokens])).not.toContain(secret);
});

test('a file gives tenants their tokens and skips comments and blank lines', () => {
  const file = fileOf(`# who may come in\n\nacme: ${secret}\r\n${secret}-of-our-own\n`);
  const callers = [...openFixedTokens({ file }).values()].map(({ tenant }) => tenant);
  expect(callers).toEqual(['acme', 'local']);
});

test.for([
  ['a short token', 'acme:short', 'at least 16 characters'],
  ['a token with a blank', `acme:${secret} and more`, 'without blanks'],
  ['a path for a tenant', `../acme:${secret}`, 'no valid tenant'],
  ['a token that is there twice', `a:${secret}\nb:${secret}`, 'occurs twice'],
])('rejects %s at the start, without repeating the secret', ([, text, why]) => {
  const attempt = () => openFixedTokens({ file: fileOf(text!) });
  expect(attempt).toThrow(why!);
  expect(attempt).not.toThrow(secret);
});

test('reports a missing file', () => {
  expect(() => openFixedTokens({ file: '/nowhere/at/all' })).toThrow('cannot be read');
});
