import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCli, sampleCards, setUpCli } from '#tests/cli/sample-cli.ts';
import { faultBytes } from '#tests/support/fault-bytes.ts';
import { createFlagOwner } from './commands.ts';

const echoed = async (...words: readonly string[]): Promise<unknown> => {
  const { code, out, err } = await runCli('notes', 'echo', 'all', ...words, '--json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
};

describe('nasty arguments', () => {
  it.each([
    ['many keys', () => Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1]))],
    ['a long key', () => ({ ['k'.repeat(1_000_000)]: 1 })],
    [
      'keys of control characters',
      () => Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}${'\u0080\u0001\u007f'.repeat(50_000)}`, 1])),
    ],
  ])('are answered within the limit of a fault: %s', async (_label, make) => {
    const folder = mkdtempSync(join(tmpdir(), 'ff-cli-'));
    const file = join(folder, 'input.json');
    writeFileSync(file, JSON.stringify(make()));
    const { code, err } = await runCli('notes', 'echo', 'all', '--text', 'x', '--input', file, '--json');
    rmSync(folder, { recursive: true });
    expect(code).toBe(1);
    expect(Buffer.byteLength(err)).toBeLessThan(faultBytes);
    expect(JSON.parse(err)).toMatchObject({ error: { message: expect.stringContaining('additional properties') } });
  });
});

describe('without a command', () => {
  it('speaks the protocol on a pipe', async () => {
    const { run: runHere, asked } = setUpCli();
    expect(await runHere()).toEqual({ code: 0, out: '', err: '' });
    expect(asked).toEqual(['stdio']);
  });

  it('shows help on a terminal and on request', async () => {
    const { run: runHere, asked } = setUpCli({ terminal: { stdin: true } });
    const { out } = await runHere();
    expect(out).toContain('backup');
    expect(out).toContain('notes echo all, notes list');
    expect(out).toContain('Settings: …');
    expect(out).not.toContain('hidden');
    expect(asked).toEqual([]);
    expect((await runCli('--help')).out).toBe(out);
    expect((await runCli('-h')).out).toBe(out);
    expect((await runCli('help')).out).toBe(out);
  });

  it('lists the commands of a group on request', async () => {
    const { code, out, err } = await runCli('notes', '--help');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^fourfold notes <command> \[flags\]\n/);
    expect(out).toContain('notes echo all  ');
    expect(out).toContain('notes list  ');
    expect(out).not.toContain('backup');
    expect((await runCli('notes', '-h')).out).toBe(out);
    expect((await runCli('help', 'notes')).out).toBe(out);
    expect((await runCli('notes', 'echo', '--help')).out).toContain('notes echo all  ');
    expect((await runCli('nots', '--help')).code).toBe(2);
  });

  it('prints its version', async () => {
    expect(await runCli('--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });
});

describe('a tool as a command', () => {
  it.each([
    [['notes', 'echo', 'all']],
    [['notes', 'echo-all']],
    [['notes/echoAll']],
    [['notes_echo_all']],
    [['notes', 'echoAll']],
    [['notes', 'repeat']],
  ])('is called by %j', async (words) => {
    expect(JSON.parse((await runCli(...words, '--text', 'x', '--json')).out)).toEqual({ text: 'x', max_count: 5 });
  });

  it('matches the longest command name', async () => {
    expect((await runCli('notes', 'list', 'tags', '--json')).out).toContain('"tags"');
    expect((await runCli('notes', 'list', '--json')).out).toContain('"notes"');
  });

  it('parses each kind of argument', async () => {
    expect(
      await echoed(
        '--text=a=b',
        '--max-count',
        '7',
        '--ratio',
        '-0.5',
        '--dry-run',
        '--tags',
        'one',
        '--tags=two, three',
        '--sizes',
        '1',
        '--sizes',
        '2',
        '--filter',
        '{"a":1}',
        '--mode',
        'fast',
        '--note',
        'n',
        '--value',
        '12',
      ),
    ).toEqual({
      text: 'a=b',
      max_count: 7,
      ratio: -0.5,
      dryRun: true,
      tags: ['one', 'two, three'],
      sizes: [1, 2],
      filter: { a: 1 },
      mode: 'fast',
      note: 'n',
      value: 12,
    });
    expect(await echoed('--text', 'x', '--no-dry-run', '--value', 'twelve')).toMatchObject({
      dryRun: false,
      value: 'twelve',
    });
    expect(await echoed('--text', '-', '--dryRun=false', '--max_count=2')).toMatchObject({
      text: '-',
      dryRun: false,
      max_count: 2,
    });
  });

  it('accepts a list of objects one by one or as a whole', async () => {
    const filters = [{ a: 1 }, { a: 2 }, { a: 3 }];
    expect(await echoed('--text', 'x', '--filters', '{"a":1}', '--filters', '[{"a":2},{"a":3}]')).toMatchObject({
      filters,
    });
  });

  it('fills required arguments from words without a flag', async () => {
    expect(await echoed('hello')).toMatchObject({ text: 'hello' });
    expect(JSON.parse((await runCli('notes', 'echo', 'all', '--json', '--', '--odd')).out)).toMatchObject({
      text: '--odd',
    });
  });

  it('renames the flag of an argument that clashes with a shared flag', async () => {
    expect(await echoed('--text', 'x', '--arg-json', 'y')).toMatchObject({ json: 'y' });
  });

  it('reads arguments from a file or stdin, and flags override them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fourfold-cli-'));
    const file = join(folder, 'in.json');
    writeFileSync(file, '{"text":"from file","max_count":3}');
    expect(await echoed('--input', file, '--max-count', '4')).toEqual({ text: 'from file', max_count: 4 });
    rmSync(folder, { recursive: true });
    const { run: runHere } = setUpCli({ stdin: '{"text":"from stdin"}' });
    expect(JSON.parse((await runHere('notes', 'repeat', '--input', '-', '--json')).out)).toMatchObject({
      text: 'from stdin',
    });
  });

  it('passes any text unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\0')),
        async (text) => {
          expect(await echoed(`--text=${text}`)).toEqual({ text, max_count: 5 });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is not offered if its declaration excludes the CLI', async () => {
    expect((await runCli('notes', 'hidden')).code).toBe(2);
  });
});

describe('errors', () => {
  it.each([
    [['nots'], 'unknown command nots; did you mean fourfold notes echo all?'],
    [['notes'], 'fourfold notes is not complete: fourfold notes echo all, fourfold notes list'],
    [['notes', 'list', 'tgs'], 'unknown command notes list tgs'],
    [['tools', 'fnd'], 'unknown command tools fnd'],
    [['notes', 'echo', 'all', '--txt', 'x'], 'fourfold notes echo all has no flag --txt; did you mean --text?'],
    [['notes', 'echo', 'all', '--pro', 'x'], 'did you mean --port?'],
    [['serve', '--x'], 'fourfold serve has no flag --x'],
    [['notes', 'echo', 'all'], 'fourfold notes echo all needs --text'],
    [['notes', 'echo', 'all', '--text'], '--text needs a value'],
    [['notes', 'echo', 'all', '--text', 'a', '--text', 'b'], '--text is given twice'],
    [['notes', 'echo', 'all', 'a', 'b'], 'does not know what to do with "b"'],
    [['notes', 'repeat', '--text=x', '--max-count=few'], '--max-count: "few" is not an integer'],
    [['notes', 'repeat', '--text=x', '--max-count=1.5'], '--max-count: "1.5" is not an integer'],
    [['notes', 'repeat', '--text=x', '--ratio='], '--ratio: "" is not a number'],
    [['notes', 'repeat', '--text=x', '--filter={a'], '--filter: "{a" is not JSON'],
    [['notes', 'repeat', '--text=x', '--dry-run=maybe'], '--dry-run: "maybe" is not true or false'],
    [['notes', 'repeat', '--input=/nowhere/x.json'], '/nowhere/x.json cannot be read'],
    [['notes', 'repeat', '--input=-'], 'the input on stdin is not JSON'],
    [['restore'], 'fourfold restore needs --from'],
    [['import', 'x', 'y'], 'fourfold import takes one exported file'],
    [['import', 'x', '--dry-run'], '--dry-run and --namespace need --from'],
    [['import', 'x', '--from=mem0', '--mode=skip'], '--mode does not go with --from'],
    [['import', 'x', '--mode=all'], '--mode: "all" is not one of fail, skip, replace; did you mean '],
    [['restore', '--input', 'x'], 'fourfold restore has no flag --input'],
  ])('rejects %j as a usage error', async (words, why) => {
    const { code, out, err } = await runCli(...words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`USAGE_ERROR: `);
    expect(err).toContain(why);
    expect(err).toContain('\nFix: ');
  });

  it('names the flags of the command if one is unknown', async () => {
    const { err } = await runCli('notes', 'echo', 'all', '--txt', 'x');
    expect(err).toMatch(/\nFix: It takes --text.*\. fourfold notes echo all --help explains them\.\n$/);
  });

  it('prints a fault of the tool with every invalid argument', async () => {
    const { code, err } = await runCli('notes', 'repeat', `--text=${'x'.repeat(3_000)}`, '--max-count=99');
    expect(code).toBe(1);
    expect(err).toMatch(/^VALIDATION_ERROR: .*text.*\n {2}\/max_count .*\nFix: .*\n$/);
  });

  it('prints a fault as JSON to stderr with --json', async () => {
    const { code, out, err } = await runCli('notes', 'slow', 'n1', '--json');
    expect([code, out]).toEqual([1, '']);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'NOT_FOUND', message: 'Not found: n1', retryable: false } });
  });

  it('rethrows a bug', async () => {
    const bug = new Error('a bug');
    await expect(setUpCli({ bug }).run('doctor')).rejects.toBe(bug);
  });
});

it('prints help for each command', async () => {
  const { out } = await runCli('notes', 'echo', 'all', '--help');
  expect(out).toMatch(/^fourfold notes echo all <text> \[flags\]\n\nSays what it was given\.\n/);
  expect(out).toMatch(/--text <text> +What to say \[required\]/);
  expect(out).toMatch(/--max-count <integer> +1 to 20 \[default: 5\]/);
  expect(out).toMatch(/--mode <fast\|slow>/);
  expect(out).toContain(String.raw`Example: fourfold notes echo all --text 'it'\''s' --tags a --tags b --dry-run`);
  expect((await runCli('help', 'notes', 'echo', 'all')).out).toBe(out);
  expect((await runCli('backup', '--help')).out).toContain('fourfold backup [to] [flags]');
});

it('passes a flag to the tool that has it as an argument', () => {
  const owns = createFlagOwner(() => sampleCards());
  expect(owns(['notes', 'echo', 'all'], 'port')).toBe(true);
  expect(owns(['notes/echoAll', 'x'], 'port')).toBe(true);
  expect(owns(['notes', 'list'], 'port')).toBe(false);
  expect(owns(['serve'], 'port')).toBe(false);
});
