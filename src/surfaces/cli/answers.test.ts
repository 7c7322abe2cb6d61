import { describe, expect, it } from 'vitest';
import { runCli, setUpCli } from '#tests/cli/sample-cli.ts';
import type { DoctorCheck } from './admin.ts';
import { renderValue } from './render-answer.ts';

describe('answers', () => {
  it('are readable by default, and stored text cannot control the terminal', async () => {
    expect((await runCli('notes', 'list')).out).toBe(
      [
        'notes (2)',
        '  id  title                      tags',
        '  a   First \\u001b[31mred\\u009b  x, y',
        '  b   Second',
        'nextCursor  c1',
        '',
      ].join('\n'),
    );
    expect((await runCli('notes', 'list', 'tags')).out).toBe('tags  (none)\ntext\n  one\n  two\n');
  });

  it('show items with long texts by lines, and the rest as a table', () => {
    const item = { id: 'a', diff: '-one\n+two' };
    const short = { id: 'b', diff: 'same' };
    expect(renderValue([item], 80)).toBe('id    a\ndiff\n  -one\n  +two\n');
    expect(renderValue([item, short, short], 80)).toBe(
      'id    a\ndiff\n  -one\n  +two\n\nid  diff\nb   same\nb   same\n',
    );
    expect(renderValue([short, item], 80)).toBe('id    b\ndiff  same\n\nid    a\ndiff\n  -one\n  +two\n');
  });

  it('are JSON on request: one line for programs, indented for people', async () => {
    const { out } = await runCli('notes', 'list', '--json');
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    expect(out).not.toContain('\u009b');
    expect(JSON.parse(out).notes[0].title).toBe('First \u001b[31mred\u009b');
    const { run: runHere } = setUpCli({ terminal: { stdout: true } });
    expect((await runHere('notes', 'list', '--json')).out).toContain('\n  "notes": [');
  });

  it('fit the terminal, and fall back to lines if a table does not fit', async () => {
    const narrow = await setUpCli({ terminal: { columns: 24 } }).run('notes', 'list');
    expect(narrow.out.split('\n').filter((line) => line.length > 24)).toEqual([]);
    expect(narrow.out).toContain('…');
    const tiny = await setUpCli({ terminal: { columns: 12 } }).run('notes', 'list');
    expect(tiny.out).toContain('  id');
    expect(tiny.out).not.toContain('…');
  });

  it('show progress only on a terminal, and clear it at the end', async () => {
    const { err } = await setUpCli({ terminal: { stderr: true } }).run(
      'notes',
      'slow',
      'n1',
      '--idempotency-key',
      'k1',
    );
    expect(err.split('\r\u001B[K')).toEqual(['', '25 % halfway through k1', expect.stringMatching(/^NOT_FOUND: /)]);
    expect((await runCli('notes', 'slow', 'n1')).err).toMatch(/^NOT_FOUND: /);
  });
});

describe('[IN61] a tool that finds something to fail on', () => {
  const failed = (why: string) => `Failed: found an ${why} in a note\\u001b (--fail-on ${why})\n`;

  it.each([
    [[], 0, ''],
    [['--found', 'warn'], 0, ''],
    [['--found', 'error'], 1, failed('error')],
    [['--found', 'warn', '--fail-on', 'warn'], 1, failed('warn')],
    [['--found', 'error', '--fail-on=none'], 0, ''],
  ])('ends with the documented exit code: %j', async (words, code, err) => {
    const run = await runCli('notes', 'check', ...words, '--json');
    expect([run.code, run.err]).toEqual([code, err]);
    expect(JSON.parse(run.out)).toEqual({ found: words[1] ?? 'nothing' });
  });

  it('takes the level from JSON input too', async () => {
    const input = (level: unknown) =>
      setUpCli({ stdin: JSON.stringify({ found: 'warn', failOn: level }) }).run('notes', 'check', '--input', '-');
    expect((await input('warn')).code).toBe(1);
    expect(await input('info')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('error, warn, none') });
    expect((await input(7)).code).toBe(2);
  });

  it('rejects an unknown level, and the flag on other commands', async () => {
    const wrong = await runCli('notes', 'check', '--fail-on', 'wran');
    expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringContaining('did you mean warn?') });
    expect(await runCli('notes', 'list', '--fail-on', 'warn')).toMatchObject({ code: 2, out: '' });
  });

  it('names the levels in the help', async () => {
    const { out } = await runCli('notes', 'check', '--help');
    expect(out).toContain('--fail-on <error|warn|none>');
    expect(out).toContain('What ends the command with exit code 1 [default: "error"]');
  });
});

describe('program commands', () => {
  it('call their functions with typed options', async () => {
    const { run: runHere, asked } = setUpCli();
    for (const words of [
      ['serve'],
      ['stdio'],
      ['migrate'],
      ['backup'],
      ['backup', 'out', '--with-keys'],
      ['restore', '--from', 'in', '--new-keys'],
      ['export', 'out'],
      ['import', 'in', '--mode', 'skip'],
      ['import', 'a.jsonl', '--from', 'server-memory', '--dry-run'],
      ['keys', 'create', 'laptop', '--scopes', 'read', '--scopes', 'admin', '--expires-days', '30'],
      ['keys', 'create', 'laptop'],
      ['keys', 'list', '--tenant', 'acme'],
      ['keys', 'list', '--all'],
      ['keys', 'revoke', 'k1'],
      ['keys', 'revoke', 'k1', '--all'],
    ]) {
      expect((await runHere(...words)).code).toBe(0);
    }
    expect(asked).toEqual([
      'serve',
      'stdio',
      'migrate',
      ['backup', { to: undefined, withKeys: false, filesOnly: false }],
      ['backup', { to: 'out', withKeys: true, filesOnly: false }],
      ['restore', { from: 'in', force: false, newKeys: true }],
      ['export', { to: 'out', tenant: 'local' }],
      ['import', { file: 'in', mode: 'skip', tenant: undefined }],
      [
        'import memories',
        { from: 'server-memory', paths: ['a.jsonl'], namespace: undefined, dryRun: true, tenant: undefined },
      ],
      ['keys create', { name: 'laptop', tenant: 'local', scopes: ['read', 'admin'], expiresDays: 30 }],
      ['keys create', { name: 'laptop', tenant: 'local', scopes: ['read', 'write'], expiresDays: undefined }],
      ['keys list', { tenant: 'acme', all: false }],
      ['keys list', { tenant: 'local', all: true }],
      ['keys revoke', { id: 'k1', tenant: 'local', all: false }],
      ['keys revoke', { id: 'k1', tenant: 'local', all: true }],
    ]);
  });

  it('list the tools', async () => {
    const { out } = await runCli('tools');
    expect(out).toMatch(/^command +toolset +effect +summary\n/);
    expect(out).toMatch(/fourfold notes slow +notes +create +Reports progress/);
    expect(JSON.parse((await runCli('tools', '--json')).out)[0]).toMatchObject({
      name: 'notes/echoAll',
      command: 'fourfold notes echo all',
    });
  });

  it('show the doctor checks, and fail when one fails', async () => {
    const checks: readonly DoctorCheck[] = [
      { name: 'store', status: 'ok', detail: 'opened' },
      { name: 'port', status: 'warn', detail: '8787 is taken', fix: 'Use --port.' },
    ];
    const warned = await setUpCli({ checks }).run('doctor');
    expect(warned).toEqual({
      code: 0,
      err: '',
      out: 'ok    store  opened\nwarn  port   8787 is taken\n             → Use --port.\n\n1 warning\n',
    });
    const failing: DoctorCheck = { name: 'disk', status: 'fail', detail: 'full', fix: 'Free some.' };
    const failed = await setUpCli({ checks: [...checks, failing, failing] }).run('doctor', '--json');
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.out)).toHaveLength(4);
    expect((await runCli('doctor')).out).toBe('\nNo problems found.\n');
  });

  it('report outdated generated files', async () => {
    expect(await runCli('generate', '--check')).toEqual({ code: 1, out: 'outdated: docs/a.md\n', err: '' });
    expect(await runCli('generate')).toEqual({ code: 0, out: 'All generated files are up to date.\n', err: '' });
  });

  it('show the configuration', async () => {
    expect((await runCli('config')).out).toBe('setting  value  origin\nport     8787   default\n');
  });
});
