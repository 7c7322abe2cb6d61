import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ConnectorDeps } from '../connector.ts';
import { folder } from './folder.ts';

it('[IG20] names a folder that is too deep once, and reads the others', async () => {
  const root = mkdtempSync(join(tmpdir(), 'fourfold-deep-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const levels = Array.from({ length: 13 }, (_, level) => `level-${level}`);
  mkdirSync(join(root, ...levels), { recursive: true });
  for (const path of [['a.md'], [...levels.slice(0, 12), 'b.md'], [...levels, 'c.md']])
    writeFileSync(join(root, ...path), 'text');

  const connector = await folder.open({ address: root }, undefined, {} as ConnectorDeps);
  const { signal } = new AbortController();
  const first = await connector.fetchPage({ cursor: undefined, limit: 1, signal });
  const rest = await connector.fetchPage({ cursor: first.cursor, limit: 1, signal });
  const names = [first, rest].map(({ items }) => items.map(({ fields }) => fields['name']));
  expect(names).toEqual([['a.md'], [[...levels.slice(0, 12), 'b.md'].join('/')]]);
  expect([first.problems, rest.problems]).toEqual([
    [],
    [{ id: levels.join('/'), why: 'it lies more than 12 folders deep' }],
  ]);
});
