import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { programCommands, toWords } from './shell-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].filter((page) => !page.includes('reference'));
const { folder, remove } = makeFolder();
const env = { FOURFOLD_HOME: join(folder, 'home'), FOURFOLD_LOG_LEVEL: 'error' };

afterAll(() => remove());

describe('the pages of the docs', () => {
  it('find their commands', () => {
    expect(programCommands('```sh\nfourfold a "b c"   # why\nls\n```\nfourfold no')).toEqual(['fourfold a "b c"']);
    expect(toWords('fourfold a "b c" d')).toEqual(['a', 'b c', 'd']);
    expect(toWords(`fourfold a '{"b": "c d"}'`)).toEqual(['a', '{"b": "c d"}']);
  });

  it.each([
    'docs/tutorial.md',
    'README.md',
    'docs/how-to/back-up-and-restore.md',
    'docs/how-to/govern-your-rules.md',
    'docs/how-to/move-notebooks.md',
    'docs/how-to/search-by-meaning.md',
  ])('%s: each command runs as written', async (page) => {
    const cwd = join(folder, page.replaceAll('/', '-'));
    mkdirSync(cwd);
    const commands = programCommands(read(page));
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const run = await runProgram(toWords(command), env, '', cwd);
      expect(run.code, `${command}: ${run.stderr}`).toBe(0);
    }
  });

  it.each(pages)('%s: each link to a file leads somewhere', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const broken = links
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => !existsSync(join(root, dirname(page), link.replace(/#.*$/, ''))));
    expect(broken).toEqual([]);
  });
});
