import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, probeProgram, type Run } from '#tests/support/program.ts';

const { runProgram } = probeProgram;
const put = '{"jsonrpc":"2.0","id":1,"method":"probe/put","params":{"id":"a","text":"b"}}\n';
const health = '{"jsonrpc":"2.0","id":2,"method":"health/check"}\n';

interface Answer {
  readonly id: number;
  readonly result?: { readonly status?: string; readonly hash?: string };
  readonly error?: { readonly code: number; readonly data: { readonly name: string; readonly suggestion: string } };
}

/** Sorted by id: an answer that needs no store may overtake one that does. */
const answers = ({ stdout }: Run): readonly Answer[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Answer)
    .sort((a, b) => a.id - b.id);

describe('a data folder that cannot be used', () => {
  let home: string;
  let env: Readonly<Record<string, string>>;
  let remove: () => void;

  beforeEach(() => {
    const made = makeFolder();
    ({ remove } = made);
    home = join(made.folder, 'home');
    env = { FOURFOLD_HOME: home };
  });
  afterEach(() => remove());

  /** The write fails with a registered fault, the next request works, and stdout carries only the protocol. */
  async function expectRefusal(name: string, words: RegExp): Promise<void> {
    const run = await runProgram([], env, put + health);
    const [refused, healthy] = answers(run);
    expect(refused?.error?.data.name).toBe(name);
    expect(refused?.error?.data.suggestion).toMatch(/doctor|install|restore/i);
    expect(healthy?.result?.status).toBe('ok');
    const serve = await runProgram(['serve', '--port', '0'], env);
    expect(serve.code).toBe(1);
    expect(serve.stdout).toBe('');
    expect(serve.stderr).toMatch(words);
  }

  it('is rejected if it is a file', async () => {
    writeFileSync(home, 'not a folder');
    await expectRefusal('STORE_UNAVAILABLE', /data folder|folder/);
    expect(readFileSync(home, 'utf8')).toBe('not a folder');
  });

  it('is rejected if the store is not a database, and the file is unchanged', async () => {
    mkdirSync(home);
    writeFileSync(join(home, 'fourfold.db'), 'x'.repeat(10_000));
    await expectRefusal('STORE_UNAVAILABLE', /not a database/);
    expect(readFileSync(join(home, 'fourfold.db'), 'utf8')).toBe('x'.repeat(10_000));
  });

  it('is rejected if a newer version wrote it, and nothing is changed', async () => {
    expect(answers(await runProgram([], env, put))[0]?.result?.hash).toBeDefined();
    const db = new Database(join(home, 'fourfold.db'));
    db.pragma('user_version = 9999');
    db.close();
    await expectRefusal('STORE_NEWER', /newer version/);
  });

  it('is rejected if its key file is damaged', async () => {
    mkdirSync(home);
    writeFileSync(join(home, 'key'), 'short');
    const [refused] = answers(await runProgram([], env, put));
    expect(refused?.error?.data.name).toBe('CONFIG_ERROR');
    expect(readFileSync(join(home, 'key'), 'utf8')).toBe('short');
  });

  it('is created for its owner only', async () => {
    await runProgram([], env, put);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(home)) expect(statSync(join(home, name)).mode & 0o077, name).toBe(0);
  });
});

describe('a folder called instructions in the working directory', () => {
  it('is reported at the start, with the setting that serves it', async () => {
    const { folder, remove } = makeFolder();
    mkdirSync(join(folder, 'instructions'));
    writeFileSync(join(folder, 'instructions', 'a.json'), '{"id":"a","body":"b"}');
    const env = { FOURFOLD_HOME: join(folder, 'home') };
    const near = await runProgram(['serve', '--port', '0', '--host', 'not a host'], env, '', folder);
    expect(near.stderr).toContain('INSTRUCTIONS_DIR=./instructions');
    const set = await runProgram(
      ['serve', '--port', '0', '--host', 'not a host'],
      { ...env, INSTRUCTIONS_DIR: './instructions' },
      '',
      folder,
    );
    expect(set.stderr).not.toContain('INSTRUCTIONS_DIR=./instructions');
    remove();
  });
});
