import { expect, test } from 'vitest';
import { setUpCli } from './sample-cli.ts';

/** What the program was asked to do, and how it ended. */
async function say(...words: readonly string[]) {
  const { run, asked } = setUpCli();
  const { code } = await run(...words);
  return { code, asked };
}

test('notebooks export takes a folder, a format, filters and how careful to be', async () => {
  expect(await say('notebooks', 'export', 'out')).toEqual({
    code: 0,
    asked: [
      [
        'notebooks export',
        {
          to: 'out',
          format: 'md',
          ids: undefined,
          namespaces: undefined,
          tags: undefined,
          force: false,
          dryRun: false,
          tenant: 'local',
        },
      ],
    ],
  });
  const words = 'notebooks export --to out --format ipynb --ids a --ids b --tags x --force --dry-run'.split(' ');
  expect((await say(...words)).asked).toEqual([
    [
      'notebooks export',
      {
        ...{ to: 'out', format: 'ipynb', ids: ['a', 'b'], namespaces: undefined, tags: ['x'], force: true },
        ...{ dryRun: true, tenant: 'local' },
      },
    ],
  ]);
});

test('notebooks import takes files and folders', async () => {
  const given = { mode: 'skip', namespace: undefined, format: undefined, dryRun: false, tenant: 'local' };
  expect((await say('notebooks', 'import', 'a.md', 'b')).asked).toEqual([
    ['notebooks import', { ...given, paths: ['a.md', 'b'] }],
  ]);
  expect((await say('notebooks', 'import', 'notes.txt', '--format', 'md')).asked).toEqual([
    ['notebooks import', { ...given, paths: ['notes.txt'], format: 'md' }],
  ]);
});

test('notebooks list, trash and restore', async () => {
  expect((await say('notebooks', 'list', '--namespaces', 'work')).asked).toEqual([
    ['notebooks list', { namespaces: ['work'], tags: undefined, limit: 100, tenant: 'local' }],
  ]);
  expect((await say('notebooks', 'trash', '--limit', '5')).asked).toEqual([
    ['notebooks trash', { limit: 5, tenant: 'local' }],
  ]);
  expect((await say('notebooks', 'restore', 'plan', '--as', 'old')).asked).toEqual([
    ['notebooks restore', { id: 'plan', as: 'old', copy: undefined, tenant: 'local' }],
  ]);
});

test.each([['export', 'out'], ['import', 'a.md'], ['list'], ['recount'], ['trash'], ['restore', 'plan']])(
  'notebooks %s takes the tenant whose scratchpads they are',
  async (...words) => {
    const { asked } = await say('notebooks', ...words, '--tenant', 'acme');
    expect(asked).toMatchObject([[`notebooks ${words[0]}`, { tenant: 'acme' }]]);
  },
);

test.each([
  [['notebooks', 'export']],
  [['notebooks', 'export', 'out', '--format', 'pdf']],
  [['notebooks', 'import']],
  [['notebooks', 'import', 'a', '--mode', 'merge']],
  [['notebooks', 'import', 'a', '--format', 'txt']],
  [['notebooks', 'restore']],
])('%j is refused', async (words) => {
  const { code, asked } = await say(...words);
  expect(code).not.toBe(0);
  expect(asked).toEqual([]);
});
