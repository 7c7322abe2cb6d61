import { describe, expect, it } from 'vitest';
import { type EngineName, engines } from '../notebooks/notebook-program.ts';
import { openConnected, stats } from './connected-program.fixture.ts';
import { type SampleIssue, startGitHub } from './github-double.fixture.ts';
import { temporaryAnswers } from './service-double.fixture.ts';

const token = 'ghp_S3cretTokenOfTheTest';
const minute = (count: number): string => new Date(Date.UTC(2026, 0, 2, 0, count)).toISOString().replace('.000Z', 'Z');
const manyIssues = (count: number): SampleIssue[] =>
  Array.from({ length: count }, (_, at) => ({ number: at + 1, updated_at: minute(at) }));

async function connect(issues: SampleIssue[], engine: EngineName = 'SQLite') {
  const home = await openConnected(engine);
  home.guard(token);
  const service = await startGitHub(issues, token);
  await home.ask('connectors', 'add', 'github', service.address, '--secret-file', home.secretFile(token));
  return { home, service };
}
describe.each(engines)('[IG70] issues of GitHub, with %s', (engine) => {
  it('come in once, and again when they change', async () => {
    const issues = manyIssues(7);
    issues[6] = {
      ...issues[6]!,
      pull_request: { url: 'x' },
      body: 'Adds a **flag**.',
      labels: ['cli', { name: 'new' }],
    };
    const { home } = await connect(issues, engine);
    expect(await home.sync('github')).toMatchObject({ status: 'completed', stats: stats(7) });
    const found = await home.items('issue', 'number');
    expect(found['7']).toMatchObject({
      title: 'Issue 7',
      text: 'Adds a **flag**.',
      state: 'open',
      is_pull_request: true,
      author: 'mona',
      assignees: ['hubot'],
      labels: ['cli', 'new'],
      repository: 'octo/tools',
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-02T00:06:00.000Z',
    });
    expect(found['1']).toMatchObject({ is_pull_request: false, labels: ['bug'] });

    expect(await home.sync('github')).toMatchObject({ status: 'completed', stats: stats(0) });
    issues[0] = { ...issues[0]!, title: 'Renamed', state: 'closed', updated_at: minute(30) };
    issues.push({ number: 8, updated_at: minute(30) });
    expect(await home.sync('github')).toMatchObject({ stats: stats(1, 1) });
    expect((await home.items('issue', 'number'))['1']).toMatchObject({ title: 'Renamed', state: 'closed' });
    expect(await home.sync('github', '--sync-type', 'initial')).toMatchObject({ stats: stats(0) });
  });
});

describe('[IG70] a sync of GitHub', () => {
  it.each([1, 2, 3, 100])('reads issues that changed in the same second with %i per page', async (limit) => {
    const issues = [
      ...manyIssues(3),
      ...manyIssues(12)
        .slice(3)
        .map((issue) => ({ ...issue, updated_at: minute(5) })),
    ];
    const { home } = await connect(issues);
    expect(await home.sync('github', '--limit', String(limit))).toMatchObject({ stats: stats(12) });
    expect(Object.keys(await home.items('issue', 'number'))).toHaveLength(12);
  });

  it('does not skip an issue if others change while it runs', async () => {
    const issues = manyIssues(9);
    const { home, service } = await connect(issues);
    // After the first page has been read, its issues move to the end of the list.
    service.answerNext((response) => {
      const page = issues.slice(0, 3).map((issue) => ({
        ...{ html_url: `${service.url}/octo/tools/issues/${issue.number}`, title: 'Old', state: 'open' },
        ...{ created_at: minute(0), ...issue },
      }));
      for (let at = 0; at < 3; at += 1) issues[at] = { ...issues[at]!, updated_at: minute(40) };
      const link = `<${service.url}/api/v3/repos/octo/tools/issues?page=2>; rel="next"`;
      response.writeHead(200, { link, 'content-type': 'application/json' }).end(JSON.stringify(page));
    });
    expect(await home.sync('github', '--limit', '3')).toMatchObject({ stats: stats(9, 3) });
  });

  it('[IG75] goes on after kill -9 in the middle of a page, without loss and repetition', async () => {
    const { home, service } = await connect(manyIssues(12));
    const ended = await home.syncKilledAt(service.holdAfter(2), 'github', '--limit', '5');
    expect(ended).toMatchObject({ stats: stats(12), pages: 3 });
    expect(Object.keys(await home.items('issue', 'number'))).toHaveLength(12);
  });

  it('[IG75] names an issue that is not as documented once, and stores the others', async () => {
    const issues = manyIssues(5);
    issues[2] = { ...issues[2]!, title: 7 };
    const { home, service } = await connect(issues);
    expect(await home.sync('github', '--limit', '3')).toMatchObject({
      status: 'completed',
      stats: stats(4, 0, 1),
      problems: [{ id: `${service.url}/octo/tools/issues/3`, why: expect.stringContaining('title') }],
    });
  });

  it('[IG75] repeats what failed for the moment', async () => {
    const { home, service } = await connect(manyIssues(2));
    for (const answer of temporaryAnswers) service.answerNext(answer);
    expect(await home.sync('github')).toMatchObject({ status: 'completed', stats: stats(2) });
  });

  it('waits for the end of a rate limit, or ends if that is far away', async () => {
    const { home, service } = await connect(manyIssues(2));
    const limited = (reset: number) => ({
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.trunc(reset / 1_000)) },
    });
    service.answerNext(limited(Date.now() + 3_600_000));
    expect((await home.sync('github')).error?.message).toMatch(/allows no more requests for now/);
    service.answerNext({ status: 403, headers: { 'retry-after': '0' } });
    // The clock of the service is behind.
    service.answerNext(limited(Date.now() - 60_000));
    expect(await home.sync('github')).toMatchObject({ status: 'completed', stats: stats(2) });
  });

  it('[IG75] ends with a reason at each broken answer, and then goes on', async () => {
    const { home, service } = await connect(manyIssues(3));
    await home.expectReasons(service, 'github');
    expect(await home.sync('github')).toMatchObject({ status: 'completed', stats: stats(3) });
  });

  it('ends if the service returns the same page again and again', async () => {
    const { home, service } = await connect(manyIssues(1));
    for (let times = 0; times < 3; times += 1)
      service.answerNext((response) => {
        const link = `<${service.url}/api/v3/repos/octo/tools/issues?page=2>; rel="next"`;
        const issue = { html_url: 'https://x/1', number: 1, title: 'One', state: 'open' };
        const body = [{ ...issue, created_at: minute(0), updated_at: minute(0) }];
        response.writeHead(200, { link, 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    expect((await home.sync('github')).error?.message).toContain('the same page again and again');
  });
});

describe('[IG70] a clock that is wrong', () => {
  it('at GitHub does not hide later issues', async () => {
    const issues: SampleIssue[] = [{ number: 1, updated_at: '2099-01-01T00:00:00Z' }];
    const { home } = await connect(issues);
    expect(await home.sync('github')).toMatchObject({ status: 'completed', stats: stats(1) });
    // The clock was set right.
    issues.unshift({ number: 2, updated_at: new Date().toISOString() });
    expect(await home.sync('github')).toMatchObject({ status: 'completed', stats: stats(1) });
    expect(await home.sync('github')).toMatchObject({ stats: stats(0) });
  });
});

describe('[IG70] connectors add github', () => {
  it('reads a public repository without a token', async () => {
    const home = await openConnected();
    const service = await startGitHub(manyIssues(2));
    await home.ask('connectors', 'add', 'github', `${service.address}.git`);
    expect(await home.sync('github')).toMatchObject({ stats: stats(2) });
  });

  it('stores nothing if the address or the token is wrong, or the host is not public', async () => {
    const home = await openConnected();
    const service = await startGitHub([]);
    for (const address of ['tools', 'octo/..', 'https://github.com/octo', 'ftp://x/y/z/a'])
      expect((await home.run('connectors', 'add', 'github', address)).stderr).toContain('owner/repository');
    service.answerNext({ status: 404 });
    expect((await home.run('connectors', 'add', 'github', service.address)).stderr).toContain('HTTP 404');
    const closed = await openConnected('SQLite', '');
    const refused = await closed.run('connectors', 'add', 'github', service.address);
    expect(refused.stderr).toContain('127.0.0.1 is not a public host');
    expect(await home.call('connectors_list')).toEqual({ connectors: [] });
    expect(await closed.ask('connectors', 'list')).toEqual({ connectors: [] });
  });
});
