import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { entryInput } from './entries.fixture.ts';

/** A folder of rules that a build checks with commands. */
function makeRules() {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  const entries = join(folder, 'instructions');
  mkdirSync(entries);
  const env = { FOURFOLD_HOME: join(folder, 'home'), FOURFOLD_LOG_LEVEL: 'error', INSTRUCTIONS_DIR: entries };
  return {
    folder,
    entries,
    snapshot: join(entries, 'snapshots', 'canonical-instructions.json'),
    write: (name: string, content: unknown) =>
      writeFileSync(join(entries, name), typeof content === 'string' ? content : JSON.stringify(content)),
    run: (command: string, ...more: readonly string[]) =>
      runProgram([...command.split(' '), ...more, '--json'], env, '', folder),
  };
}

describe('[IN61] commands that find something end with exit code 1', () => {
  let rules: ReturnType<typeof makeRules>;
  beforeEach(() => {
    rules = makeRules();
    for (const id of ['alpha', 'beta']) rules.write(`${id}.json`, entryInput(id));
  });

  async function expectRun(command: string, code: number, stderr: string | RegExp, ...more: readonly string[]) {
    const run = await rules.run(command, ...more);
    expect([run.code, run.stderr]).toEqual([code, typeof stderr === 'string' ? stderr : expect.stringMatching(stderr)]);
    return run.stdout === '' ? undefined : (JSON.parse(run.stdout) as unknown);
  }

  it('gates evaluate', async () => {
    const missing = await expectRun('gates evaluate', 0, '');
    expect(missing).toMatchObject({ notConfigured: true });
    await expectRun('gates evaluate --fail-on warn', 1, 'Failed: gates.json is missing (--fail-on warn)\n');
    const gate = { id: 'owned', where: { owner: 'unowned' }, op: '==', value: 0, severity: 'warn' };
    rules.write('gates.json', { gates: [gate] });
    await expectRun('gates evaluate', 0, '');
    await expectRun('gates evaluate --fail-on warn', 1, /^Failed: gates not passed: owned \(2, must be == 0\)/);
    rules.write('gates.json', { gates: [{ ...gate, severity: 'error' }] });
    await expectRun('gates evaluate', 1, /^Failed: .*--fail-on error\)\n$/);
    rules.write('gates.json', { gates: [{ ...gate, where: { signal: 'stale' } }] });
    await expectRun('gates evaluate --fail-on none', 1, /VALIDATION_ERROR.*gate owned: \/where\/signal/);
  });

  it('integrity verify', async () => {
    await expectRun('integrity verify', 0, '');
    rules.write('beta.json', entryInput('beta', { sourceHash: '0'.repeat(64) }));
    await expectRun('integrity verify', 1, /^Failed: the body does not match the recorded hash: beta \(/);
    await expectRun('integrity verify --fail-on none', 0, '');
  });

  it('integrity manifest and instructions snapshot --check', async () => {
    await expectRun('integrity manifest', 0, '');
    await expectRun(
      'integrity manifest --fail-on missing',
      1,
      /the snapshot is missing; fourfold instructions snapshot/,
    );
    await expectRun('instructions snapshot --check', 1, /the snapshot is missing/);
    expect(() => readFileSync(rules.snapshot)).toThrow('ENOENT');
    await expectRun('instructions snapshot', 0, '');
    const taken = readFileSync(rules.snapshot, 'utf8');
    const same = await expectRun('instructions snapshot --check', 0, '');
    expect(same).toMatchObject({ file: rules.snapshot, count: 2, check: { manifest: 'present', drift: 0 } });
    rules.write('beta.json', entryInput('beta', { body: 'Another rule.' }));
    rmSync(join(rules.entries, 'alpha.json'));
    const why = /^Failed: changed since the snapshot: alpha \(removed\), beta \(hash-mismatch\) \(/;
    await expectRun('integrity manifest', 1, why);
    const differs = await expectRun('instructions snapshot --check --read-only', 1, why);
    expect(differs).toMatchObject({ count: 1, check: { drift: 2 } });
    expect(readFileSync(rules.snapshot, 'utf8')).toBe(taken);
    await expectRun('instructions snapshot --check --fail-on none', 0, '');
    await expectRun('instructions snapshot --read-only', 1, /PERMISSION_DENIED|READ_ONLY/);
    writeFileSync(rules.snapshot, '{}');
    await expectRun('integrity manifest', 1, /must be \{"items"/);
  });

  it('prompt review', async () => {
    const prompt = ['--prompt', 'Use the key AKIAIOSFODNN7EXAMPLE for the upload.'];
    await expectRun('prompt review', 1, /^Failed: found .*no-secrets \(critical\)/, ...prompt);
    await expectRun('prompt review --fail-on critical', 1, /no-secrets/, ...prompt);
    await expectRun('prompt review --fail-on none', 0, '', ...prompt);
    const mild = ['--prompt', 'Add tests if possible.'];
    const { issues } = (await expectRun('prompt review --fail-on critical', 0, '', ...mild)) as { issues: unknown[] };
    expect(issues.length).toBeGreaterThan(0);
    await expectRun('prompt review --fail-on info', 1, /^Failed: /, ...mild);
  });

  it('instructions import', async () => {
    const file = join(rules.folder, 'AGENTS.md');
    writeFileSync(file, '# Style\n\nUse tabs in all files.\n');
    await expectRun('instructions import --mutation', 0, '', file);
    await expectRun('instructions import --mutation --fail-on differences', 0, '', file);
    writeFileSync(file, '# Style\n\nUse tabs in all files.\n\n# Names\n\nName branches after the ticket.\n');
    await expectRun(
      'instructions import --mutation --fail-on differences',
      1,
      /^Failed: the files differed from the catalog: imported 1, overwritten 0 \(/,
      file,
    );
    const copy = join(rules.folder, 'copy');
    mkdirSync(copy);
    for (const name of ['one', 'two']) writeFileSync(join(copy, `${name}.json`), JSON.stringify(entryInput('gamma')));
    await expectRun('instructions import --mutation', 0, '', copy);
    await expectRun('instructions import --mutation --fail-on warnings', 1, /^Failed: .*gamma is already in /, copy);
    writeFileSync(join(copy, 'one.json'), JSON.stringify(entryInput('delta', { requirement: 'mandatory' })));
    await expectRun('instructions import --mutation', 1, /^Failed: rejected delta: /, copy);
  });

  it('a wrong level or flag is a usage error', async () => {
    await expectRun('gates evaluate --fail-on eror', 2, /one of error, warn, none; did you mean error\?/);
    await expectRun('integrity verify --fail-on', 2, /needs a value/);
    await expectRun('instructions list --fail-on error', 2, /has no flag --fail-on/);
  });
});
