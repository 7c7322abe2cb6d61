import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { programCommands, toWords } from './shell-blocks.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/how-to/check-rules-in-ci.md', import.meta.url)), 'utf8');
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
const commandsOf = (heading: string): readonly string[] =>
  programCommands(page.slice(page.indexOf(heading)).split(/\n## /)[0] ?? '');

interface Workflow {
  readonly jobs: {
    readonly rules: {
      readonly env: Readonly<Record<string, string>>;
      readonly steps: readonly { readonly run?: string }[];
    };
  };
}

const { env: jobEnv, steps } = (parse(blockOf('yaml')) as Workflow).jobs.rules;
const jobCommands = steps.flatMap(({ run }) => run?.replace(/^npx /, '') ?? []);

const agentsText = '# Names\n\nName branches after the ticket.\n';

/** A repository whose owner has followed the first steps of the page. */
async function createRepository() {
  const { folder, remove } = makeFolder();
  const env = { FOURFOLD_HOME: join(folder, 'home'), FOURFOLD_LOG_LEVEL: 'error', ...jobEnv };
  const cwd = join(folder, 'project');
  const rules = join(cwd, 'rules');
  mkdirSync(rules, { recursive: true });
  writeFileSync(join(cwd, 'AGENTS.md'), agentsText);
  const run = (command: string, home = env.FOURFOLD_HOME) =>
    runProgram(toWords(command), { ...env, FOURFOLD_HOME: home }, '', cwd);
  let runnersCount = 0;
  for (const command of commandsOf('## 1.')) expect(await run(command)).toMatchObject({ code: 0 });
  writeFileSync(join(rules, 'gates.json'), blockOf('json'));
  return {
    run,
    remove,
    /** The data folder of a new runner: only the repository is the same. */
    newRunner() {
      runnersCount += 1;
      return join(folder, `runner-${runnersCount}`);
    },
    agents: join(cwd, 'AGENTS.md'),
    rule: (id: string) => JSON.parse(readFileSync(join(rules, `${id}.json`), 'utf8')) as object,
    write: (id: string, rule: object) => writeFileSync(join(rules, `${id}.json`), JSON.stringify(rule)),
    /** The commands of the job that fail, with their last line. */
    async failures(home?: string) {
      const failed: string[] = [];
      for (const command of jobCommands) {
        const { code, stderr } = await run(command, home);
        if (code !== 0) failed.push(`${command}: ${code} ${stderr.trim()}`);
      }
      return failed;
    },
  };
}

describe('[IN61] docs/how-to/check-rules-in-ci.md', () => {
  let repository: Awaited<ReturnType<typeof createRepository>>;
  beforeAll(async () => {
    repository = await createRepository();
    return () => repository.remove();
  });

  it('the workflow runs the commands that the page explains', () => {
    expect(jobCommands).toEqual(expect.arrayContaining([...commandsOf('## 3.')]));
    expect(jobCommands.length).toBeGreaterThan(3);
  });

  it('passes for reviewed rules, also on a new runner', async () => {
    expect(await repository.failures()).toEqual([]);
    expect(await repository.failures(repository.newRunner())).toEqual([]);
  });

  it('fails on a new runner for a section that was changed and not taken over', async () => {
    writeFileSync(repository.agents, agentsText.replace('the ticket', 'the author'));
    const why = expect.stringContaining('changed since they were imported: AGENTS.md');
    expect(await repository.failures(repository.newRunner())).toEqual([why]);
    writeFileSync(repository.agents, agentsText);
  });

  it('fails for a rule that was edited without a new snapshot', async () => {
    const before = repository.rule('review-checklist');
    repository.write('review-checklist', { ...before, body: 'Look twice.' });
    const why = expect.stringMatching(/: 1 Failed: .*review-checklist/);
    expect(await repository.failures()).toEqual([why, why]);
    repository.write('review-checklist', before);
    expect(await repository.failures()).toEqual([]);
  });

  it('fails for an overdue review', async () => {
    const before = repository.rule('review-checklist');
    repository.write('review-checklist', { ...before, nextReviewDue: '2020-01-01T00:00:00.000Z' });
    expect(await repository.failures()).toEqual([expect.stringContaining('reviews-on-time')]);
    repository.write('review-checklist', before);
  });

  it('fails for an outdated rule until it is corrected, and every command of the page succeeds', async () => {
    const [track = '', ...others] = commandsOf('## 5.');
    expect(await repository.run(track)).toMatchObject({ code: 0 });
    expect(await repository.failures()).toEqual([expect.stringContaining('no-outdated-rules (1, must be == 0)')]);
    for (const command of others) expect(await repository.run(command)).toMatchObject({ code: 0, stderr: '' });
    expect(await repository.failures()).toEqual([]);
  });
});
