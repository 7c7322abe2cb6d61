import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder, runProgram } from '#tests/support/program.ts';

const { folder, remove } = makeFolder();
afterAll(() => remove());

const env = { FOURFOLD_HOME: join(folder, 'home'), FOURFOLD_LOG_LEVEL: 'error' };
const makeNew = (...args: readonly string[]) => runProgram(['knowledge', 'new', ...args], env, '', folder);
const at = (...path: readonly string[]) => join(folder, ...path);

describe('[KN19] fourfold knowledge new', () => {
  it('writes a tree below the working directory and names the next steps', async () => {
    const { code, stdout } = await makeNew('one', '--database', 'sqlite', '--authentication');
    expect(code).toBe(0);
    expect(stdout).toContain('cd one && npm install && npm test');
    expect(readFileSync(at('one', 'src/authentication.ts'), 'utf8')).toContain('AuthenticationService');
    expect(existsSync(at('one', '.gitignore'))).toBe(true);
  });

  it('writes JavaScript and version 4', async () => {
    expect((await makeNew('two', '--database', 'mongodb', '--javascript')).code).toBe(0);
    expect(existsSync(at('two', 'src/app.js'))).toBe(true);
    expect((await makeNew('three', '--database', 'sqlite', '--version', 'v4')).code).toBe(0);
    expect(readFileSync(at('three', 'package.json'), 'utf8')).toContain('@feathersjs/express');
  });

  it('writes nothing in a dry run', async () => {
    const { code, stdout } = await makeNew('four', '--database', 'sqlite', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('src/app.ts');
    expect(existsSync(at('four'))).toBe(false);
  });

  it('keeps existing files without --force', async () => {
    mkdirSync(at('five'));
    writeFileSync(at('five', 'README.md'), 'mine');
    const refused = await makeNew('five', '--database', 'sqlite');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('FILES_TAKEN');
    expect(refused.stderr).toContain('--force');
    expect(readdirSync(at('five'))).toEqual(['README.md']);
    expect(readFileSync(at('five', 'README.md'), 'utf8')).toBe('mine');

    expect((await makeNew('five', '--database', 'sqlite', '--force')).code).toBe(0);
    expect(readFileSync(at('five', 'README.md'), 'utf8')).toContain('# feathers-app');
  });

  it.each([
    ['an unknown database', ['six', '--database', 'oracle']],
    ['no database', ['six']],
    ['no folder', ['--database', 'sqlite']],
    ['an unknown version', ['six', '--database', 'sqlite', '--version', 'v6']],
    ['a program that may only read', ['six', '--database', 'sqlite', '--read-only']],
  ])('rejects %s', async (_what, args) => {
    expect((await makeNew(...args)).code).not.toBe(0);
    expect(existsSync(at('six'))).toBe(false);
  });
});
