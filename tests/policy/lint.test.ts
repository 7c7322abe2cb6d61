import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTool } from './run-tool.ts';
import { root } from './tree.ts';

interface Finding {
  readonly code: string;
  readonly filename: string;
}

/** The type-aware part of the linter; it is searched for next to the linted files unless its path is set. */
const typeHalf = `@oxlint-tsgolint/${process.platform}-${process.arch}/tsgolint${process.platform === 'win32' ? '.exe' : ''}`;

/** Uses the project's configuration; `npm test` lints the project itself in a separate step. */
async function lint(files: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> {
  const args = ['-c', join(root, '.oxlintrc.json'), '-f', 'json'];
  const env = { OXLINT_TSGOLINT_PATH: createRequire(import.meta.url).resolve(typeHalf) };
  const report = await runTool({ script: 'oxlint/bin/oxlint', args, env }, files);
  const { diagnostics } = report as { diagnostics: readonly Finding[] };
  return new Set(diagnostics.map(({ filename, code }) => `${filename} ${code}`));
}

const declared = `declare function save(text: string): Promise<void>;
declare function isReady(): Promise<boolean>;
declare const query: { where(id: string): { execute(): Promise<readonly string[]> } };
`;

interface Planted {
  readonly rule: string;
  readonly text: string;
}

/** Seven ways to lose a promise; all of them compile. */
const promiseBugs: Readonly<Record<string, Planted>> = {
  dropped: { rule: 'no-floating-promises', text: `export function keep() { save('a'); }` },
  unheard: { rule: 'no-floating-promises', text: `export function keep() { save('a').then(() => 1); }` },
  unsent: {
    rule: 'no-floating-promises',
    text: `export async function keep() { query.where('a').execute(); await save('a'); }`,
  },
  condition: { rule: 'no-misused-promises', text: `export const ready = () => (isReady() ? 1 : 2);` },
  callback: {
    rule: 'no-misused-promises',
    text: `export function keep(texts: readonly string[]) { texts.forEach(async (text) => { await save(text); }); }`,
  },
  nothing: { rule: 'await-thenable', text: `export async function count(n: number) { await n; }` },
  escaping: {
    rule: 'return-await',
    text: `export async function keep() { try { return save('a'); } catch { return undefined; } }`,
  },
};

/** Other bugs that only a type-aware linter finds. */
const typeBugs: Readonly<Record<string, Planted>> = {
  forgotten: {
    rule: 'switch-exhaustiveness-check',
    text: `export function say(what: 'a' | 'b') { switch (what) { case 'a': return 1; } return 2; }`,
  },
  unsafe: { rule: 'no-unsafe-return', text: `export const read = (text: string): { id: string } => JSON.parse(text);` },
  unordered: {
    rule: 'require-array-sort-compare',
    text: `export const sort = (n: readonly number[]) => [...n].sort();`,
  },
};

const sound = `export async function keep() { await save('a'); return (await isReady()) ? query.where('a').execute() : []; }`;

const compilerOptions = { strict: true, target: 'es2024', module: 'nodenext', noEmit: true, types: [] };

test('the linter finds seven promise bugs and three type bugs, and accepts correct code', async () => {
  const bugs = Object.entries({ ...promiseBugs, ...typeBugs });
  const found = await lint({
    ...Object.fromEntries(bugs.map(([name, { text }]) => [`${name}.ts`, text])),
    'sound.ts': sound,
    'declared.d.ts': declared,
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
  });
  expect(found).toEqual(new Set(bugs.map(([name, { rule }]) => `${name}.ts typescript(${rule})`)));
});
