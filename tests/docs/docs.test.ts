import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { programCommands, toWords } from './shell-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const topPages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
const pages = [...topPages, ...globSync('docs/**/*.md', { cwd: root })];
const { folder, remove } = makeFolder();
const env = { FOURFOLD_HOME: join(folder, 'home'), FOURFOLD_LOG_LEVEL: 'error' };

afterAll(() => remove());

const aProposalId = /p-[0-9a-f]{12}/;

/** The id that GitHub gives a heading. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const anchorsOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => toAnchor(heading));

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(read(target)).includes(anchor);
}

describe('documentation pages', () => {
  it('have their commands extracted from sh blocks', () => {
    expect(programCommands('```sh\nfourfold a "b c"   # why\nls\n```\nfourfold no')).toEqual(['fourfold a "b c"']);
    expect(programCommands('```sh\nnpx fourfold a\n```')).toEqual(['fourfold a']);
    expect(toWords('fourfold a "b c" d')).toEqual(['a', 'b c', 'd']);
    expect(toWords(`fourfold a '{"b": "c d"}'`)).toEqual(['a', '{"b": "c d"}']);
  });

  it.each([
    'docs/tutorial.md',
    'README.md',
    'docs/how-to/back-up-and-restore.md',
    'docs/how-to/bring-in-files-and-commits.md',
    'docs/how-to/configure-semantic-search.md',
    'docs/how-to/govern-your-rules.md',
    'docs/how-to/move-notebooks.md',
    'docs/how-to/upgrade.md',
  ])('%s: every command succeeds', async (page) => {
    const cwd = join(folder, page.replaceAll('/', '-'));
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'AGENTS.md'), '## Pushing\n\nNever force push to main.\n\n## Naming\n\nUse kebab-case.\n');
    const commands = programCommands(read(page));
    expect(commands.length).toBeGreaterThan(0);
    let proposalId = '';
    for (const command of commands) {
      // Ids are random: a command gets the last one that was printed.
      const words = toWords(command).map((word) => (aProposalId.test(word) ? proposalId : word));
      const run = await runProgram(words, env, '', cwd);
      expect(run.code, `${command}: ${run.stderr}`).toBe(0);
      proposalId = aProposalId.exec(run.stdout)?.[0] ?? proposalId;
    }
  });

  it.each(pages)('%s: every relative link leads to a file and heading', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const broken = links.filter((link) => !/^https?:/.test(link)).filter((link) => !leadsSomewhere(page, link));
    expect(broken).toEqual([]);
  });

  it('name only folders and files that exist on the architecture page', () => {
    const named = [...read('docs/explanation/architecture.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
  });

  it.each(['missing.md', 'tutorial.md#missing'])('reports the broken link %s', (link) => {
    expect(leadsSomewhere('docs/glossary.md', link)).toBe(false);
  });
});
