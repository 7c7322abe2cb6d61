import { check, checkParameters, checkRange, type SeenRequest, startService } from './service-double.fixture.ts';

export interface SampleIssue {
  readonly number: number;
  readonly updated_at: string;
  readonly title?: unknown;
  readonly body?: string | null;
  readonly state?: string;
  readonly pull_request?: object;
  readonly labels?: readonly unknown[];
}

/** `GET /repos/{owner}/{repo}/issues` of an enterprise server, as in the REST description of version 2022-11-28. */
export async function startGitHub(issues: SampleIssue[], token?: string) {
  const path = '/api/v3/repos/octo/tools/issues';
  let url = '';
  const toAnswer = (issue: SampleIssue) => ({
    id: 1_000 + issue.number,
    node_id: `I_${issue.number}`,
    html_url: `${url}/octo/tools/issues/${issue.number}`,
    title: `Issue ${issue.number}`,
    state: 'open',
    body: null,
    user: { login: 'mona', id: 1 },
    assignees: [{ login: 'hubot' }],
    labels: [{ id: 1, name: 'bug' }],
    milestone: null,
    created_at: '2026-01-01T00:00:00Z',
    closed_at: null,
    ...issue,
  });
  function answer({ method, path: asked, query, headers }: SeenRequest) {
    check(method === 'GET' && asked === path, 'no such operation');
    check(headers['x-github-api-version'] === '2022-11-28', 'X-GitHub-Api-Version');
    check(headers.accept === 'application/vnd.github+json', 'Accept');
    check((headers['user-agent'] ?? '') !== '', 'User-Agent');
    check(headers.authorization === (token && `Bearer ${token}`), 'Authorization');
    checkParameters(query, {
      state: /^all$/,
      sort: /^updated$/,
      direction: /^asc$/,
      since: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
      per_page: /^\d+$/,
      page: /^[1-9]\d*$/,
    });
    const size = checkRange(query, 'per_page', 1, 100);
    const page = Number(query.get('page') ?? 1);
    const found = issues
      .filter(({ updated_at }) => updated_at >= (query.get('since') ?? ''))
      .sort((a, b) => (a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : a.number - b.number));
    const next = new URLSearchParams(query);
    next.set('page', String(page + 1));
    const link = `<${url}${path}?${next.toString()}>; rel="next", <${url}${path}?page=99>; rel="last"`;
    return {
      headers: page * size < found.length ? { link } : {},
      body: found.slice((page - 1) * size, page * size).map(toAnswer),
    };
  }
  const double = await startService(answer);
  url = double.url;
  return { ...double, address: `${url}/octo/tools` };
}
