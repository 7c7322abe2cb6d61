import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '#tests/support/program.ts';
import { type Dashboard, findAxeViolations, keepScreenshot, openDashboard, whyNoBrowser } from './support/browser.ts';

const hostile = [
  '# Hostile page',
  '',
  '<script>document.title = "owned"</script>',
  '',
  '[run](javascript:alert(1)) and [data](data:text/html,x)',
  '',
  '[odd](http://[) and [odder](%zz.md#%zz) and [above](../../../etc/passwd.md)',
  '',
  '<svg onload="document.title=\'owned\'"></svg>',
  '',
  `\u202Eevil\u202C ${'long'.repeat(2_000)}`,
].join('\n');

describe.skipIf(whyNoBrowser !== undefined)(`the knowledge pages${whyNoBrowser ? ` (${whyNoBrowser})` : ''}`, () => {
  let dashboard: Dashboard;
  const source = makeFolder();
  beforeAll(async () => {
    mkdirSync(join(source.folder, 'guide'));
    const page = (name: string, text: string) => writeFileSync(join(source.folder, 'guide', name), text);
    page(
      'retries.md',
      '# Retries\n\nSee [priorities](./queues.md#priorities) and [code](../src/retry.ts).\n\n## Backoff\n\nA walrus retry waits longer each time.\n\n## Limits\n\nStop.\n\n```ts\n// At most <b>three</b> times.\nconst limit = 3;\nretry({ limit, after: "1s" });\n```',
    );
    page('queues.md', '# Queues\n\n## Priorities\n\nUrgent jobs overtake others.');
    dashboard = await openDashboard({ FOURFOLD_FILE_ROOTS: source.folder });
    await dashboard.call('knowledge_ingest', {
      ...{ library: '@acme/hostile', version: '1.0.0' },
      pages: [{ path: 'bad.md', content: hostile }],
    });
    const pages = Array.from({ length: 30 }, (_, n) => ({
      path: `p${n}.md`,
      content: `# Walrus ${n}\n\nThe walrus number ${n} swims.`,
    }));
    await dashboard.call('knowledge_ingest', { library: 'zoo', version: '2.1.0', pages });
  });
  afterAll(async () => {
    await dashboard?.close();
    source.remove();
  });

  it('adds a folder with a preview, refreshes it and removes it with undo', async () => {
    const { page, problems } = await dashboard.visit('/knowledge');
    await page.getByRole('button', { name: 'Add a library' }).click();
    await page.getByLabel('Source on the server').fill(source.folder);
    await page.getByRole('textbox', { name: /^Library/ }).fill('jobs');
    await page.getByRole('textbox', { name: 'Version' }).fill('1.0.0');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('2 pages to add').waitFor();
    await keepScreenshot(page, 'add-library');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('jobs@1.0.0 is ready: 2 pages').waitFor();
    await page.getByRole('link', { name: 'jobs' }).waitFor();
    await keepScreenshot(page, 'knowledge');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Refresh jobs@1.0.0' }).click();
    await page.getByText('2 unchanged').waitFor();
    // A package is refreshed in the version that is installed now.
    const install = (version: string) => {
      const folder = join(source.folder, 'node_modules', 'mini');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'mini', version }));
      writeFileSync(join(folder, 'README.md'), '# Mini\n\nSmall.');
    };
    install('1.0.0');
    await page.goto(`${dashboard.served.url}/knowledge?add=1`);
    await page.getByLabel('Source on the server').fill('npm:mini');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('mini@1.0.0 is ready: 1 page').waitFor();
    install('1.1.0');
    await page.getByRole('button', { name: 'Refresh mini@1.0.0' }).click();
    await page.getByText('mini@1.1.0 is ready').waitFor();
    await page.getByRole('button', { name: 'Remove zoo@2.1.0' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('zoo@2.1.0 was removed.').waitFor();
    await page.getByRole('link', { name: 'zoo' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'zoo' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('cancels a run that takes long, and says so', async () => {
    const { page } = await dashboard.visit('/knowledge');
    // Held back, so that the run lasts until it is cancelled.
    await page.route('**/api/tools/knowledge_ingest', () => {});
    await page.getByRole('button', { name: 'Refresh jobs@1.0.0' }).click();
    await page.getByText('Reading jobs…').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Reading jobs was cancelled.').waitFor();
  });

  it('finds a passage, says why, and opens its page at the section', async () => {
    const { page, problems } = await dashboard.visit('/knowledge');
    await page.getByRole('link', { name: 'Knowledge' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('walrus retry backoff');
    await page.keyboard.press('Enter');
    const results = page.getByRole('list', { name: 'Results' });
    const first = results.getByRole('listitem').first();
    await first.getByRole('link', { name: 'Backoff' }).waitFor();
    await first.getByText('Found by the words').waitFor();
    expect(await first.locator('mark').allTextContents()).toEqual(['walrus', 'retry']);
    await keepScreenshot(page, 'docs-search');
    expect(await findAxeViolations(page)).toEqual([]);
    const before = await results.locator('.hit').count();
    await page.getByRole('button', { name: 'Show more results' }).click();
    await expect.poll(() => results.locator('.hit').count()).toBeGreaterThan(before);
    await first.getByRole('link', { name: 'Backoff' }).click();
    await page.getByRole('heading', { level: 1, name: 'Retries' }).first().waitFor();
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Backoff');
    await page.getByRole('navigation', { name: 'Outline' }).getByRole('link', { name: 'Limits' }).click();
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Limits');
    expect(new URL(page.url()).searchParams.get('section')).toBe('#limits');
    await page.locator('pre .tok-keyword').getByText('const').waitFor();
    await page.locator('pre .tok-comment').getByText('<b>three</b>').waitFor();
    await keepScreenshot(page, 'reader');
    expect(await findAxeViolations(page)).toEqual([]);
    // A link to another page of the library stays in the reader. Source code has no page, so its name is not a link.
    expect(await page.getByRole('link', { name: 'code' }).count()).toBe(0);
    await page.getByRole('link', { name: 'priorities' }).click();
    await page.getByRole('heading', { level: 1, name: 'Queues' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Priorities');
    expect(problems).toEqual([]);
  });

  it('reads the docs that are included, on a narrow dark screen', async () => {
    const { page } = await dashboard.visit('/knowledge/feathers?version=v5', { width: 360, theme: 'dark' });
    await page.getByRole('listbox', { name: 'Pages' }).getByRole('option').first().click();
    await page.getByRole('link', { name: 'All pages' }).waitFor();
    await page.locator('pre .tok-keyword').first().waitFor();
    await keepScreenshot(page, 'reader-narrow-dark');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await findAxeViolations(page)).toEqual([]);
  });

  it('shows hostile docs as text, also of a library with a scope in its name', async () => {
    const { page, problems } = await dashboard.visit('/knowledge');
    await page.getByRole('link', { name: '@acme/hostile' }).click();
    await page.getByRole('option', { name: /Hostile page/ }).click();
    await page.getByText('document.title = "owned"', { exact: false }).first().waitFor();
    expect(await page.title()).not.toContain('owned');
    expect(await page.locator('.reader script, .reader svg').count()).toBe(0);
    expect(await page.locator('a[href^="javascript"], a[href^="data"]').count()).toBe(0);
    const above = await page.getByRole('link', { name: 'above' }).getAttribute('href');
    expect(above).toContain('/knowledge/%40acme%2Fhostile?');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(problems).toEqual([]);
  });
});
