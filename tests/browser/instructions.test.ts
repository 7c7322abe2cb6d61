import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import {
  type Dashboard,
  findAxeViolations,
  keepScreenshot,
  openDashboard,
  type Visitor,
  whyNoBrowser,
} from './support/browser.ts';

const agentsFile = `# Shop

## Database migrations

Never edit a released migration. Add a new one.

## Reviews

Every change needs a reviewer.
`;

const hostile = {
  id: 'hostile',
  title: '<script>window.hit=1</script> \u202Eltr',
  owner: 'ann',
  categories: ['git'],
  body: [
    '<script>window.hit=1</script><img src=x onerror="window.hit=1"><svg onload="window.hit=1"><a href="#">svg</a></svg>',
    '[a link](javascript:window.hit=1) and [another](data:text/html,<script>window.hit=1</script>)',
    '![picture](http://127.0.0.1:9/x.png)',
    'שלום עולם, this is right to left',
    'x'.repeat(30_000),
  ].join('\n\n'),
};

/** A line of a million characters, and everything else that a rule file may contain. */
const hostileFile = `\n## <b onclick=x>Long</b>\n\n<script>window.hit=1</script> ${'y'.repeat(1_000_000)}\n`;

const choose = (page: Page, text: string) =>
  page
    .getByLabel('Rule files')
    .setInputFiles([{ name: 'AGENTS.md', mimeType: 'text/markdown', buffer: Buffer.from(text) }]);

/** As a file manager does. */
async function drop(page: Page, text: string) {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(text)}], 'AGENTS.md'));
    return data;
  })()`);
  await page.getByText('Drop AGENTS.md').dispatchEvent('drop', { dataTransfer });
}

/** The focused part of a form is the CodeMirror text. */
const writeText = async (page: Page, label: string, text: string) => {
  await page.getByRole('textbox', { name: label }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
};

describe.skipIf(whyNoBrowser !== undefined)(`rules${whyNoBrowser ? ` (${whyNoBrowser})` : ''}`, () => {
  let dashboard: Dashboard;
  let keys: { readonly read: string; readonly write: string; readonly admin: string; readonly stranger: string };
  const visitors: Visitor[] = [];
  const visit = async (path: string, options?: Parameters<Dashboard['visit']>[1]) => {
    const visitor = await dashboard.visit(path, { key: keys.admin, ...options });
    visitors.push(visitor);
    return visitor.page;
  };

  beforeAll(async () => {
    dashboard = await openDashboard({ FOURFOLD_LOG_LEVEL: 'error' });
    const keyWith = async (scopes: string, tenant = 'local') => {
      const words = ['keys', 'create', '--name', `${scopes} key`, '--scopes', scopes, '--tenant', tenant, '--json'];
      const { stdout } = await runProgram(words, dashboard.env);
      return (JSON.parse(stdout) as { key: string }).key;
    };
    const [read, write, admin, stranger] = await Promise.all([
      keyWith('read'),
      keyWith('write'),
      keyWith('admin'),
      keyWith('admin', 'other'),
    ]);
    keys = { read, write, admin, stranger };
    const rules = [
      { id: 'commit-style', title: 'Commit style', body: 'Write titles in the imperative.', owner: 'ann' },
      {
        id: 'deploy-window',
        title: 'Deploy window',
        body: 'Deploy on weekdays.',
        owner: 'bob',
        requirement: 'mandatory',
      },
      { id: 'old-rule', title: 'Old rule', body: 'Old.', owner: 'bob', nextReviewDue: '2020-01-01T00:00:00.000Z' },
      { id: 'draft-rule', title: 'Draft rule', body: 'Not yet.', owner: 'ann', status: 'draft' },
      hostile,
    ];
    const entries = rules.map((rule) => ({ categories: ['git'], ...rule }));
    // As a person at the command line does: the gate restrains agents.
    const { folder, remove } = makeFolder();
    writeFileSync(join(folder, 'catalog.json'), JSON.stringify({ entries }));
    const imported = await runProgram(['instructions', 'import', 'catalog.json', '--json'], dashboard.env, '', folder);
    remove();
    expect(imported.stdout).toContain('"imported":5');
  });
  afterAll(async () => {
    await dashboard?.close();
    expect(visitors.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('lists rules by state and owner, filters them, and keeps both in the address', async () => {
    const page = await visit('/instructions');
    const list = page.getByRole('listbox', { name: 'Rules' });
    await list.getByRole('option').first().waitFor();
    const first = await list.getByRole('option').allInnerTexts();
    expect(first[0]).toMatch(/draft · ann[\s\S]*Draft rule/);
    await page.getByText('5 rules for agents.').waitFor();
    await keepScreenshot(page, 'rules');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByLabel('Owner', { exact: true }).selectOption('bob');
    await page.getByLabel('Review overdue').check();
    await expect.poll(() => list.getByRole('option').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?owner=bob&overdue=1');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Old rule' }).waitFor();
    expect(page.url()).toContain('/instructions/old-rule?owner=bob&overdue=1');
    await page.getByRole('button', { name: 'Mark as reviewed' }).click();
    await page.getByText('Marked as reviewed.').waitFor();
    await page.goto(`${dashboard.served.url}/instructions?q=imperative`);
    await expect
      .poll(() => list.getByRole('option').allInnerTexts())
      .toEqual([expect.stringContaining('Commit style')]);
  });

  it('a lead reads a proposal, approves it and rejects another with the keyboard alone', async () => {
    const propose = (entry: object, reason: string) =>
      dashboard.call('instructions_propose', { entry, reason }, keys.write);
    await propose({ id: 'commit-style', body: 'Write titles in the imperative, at most 72 characters.' }, 'shorter');
    await propose({ id: 'deploy-window', body: 'Deploy whenever you like.' }, 'faster');
    const page = await visit('/instructions');
    await page.getByRole('link', { name: 'Proposals 2' }).waitFor();
    await page.goto(`${dashboard.served.url}/instructions/-/proposals`);
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Change: Commit style' }).waitFor();
    await page.getByText('at most 72 characters').first().waitFor();
    await keepScreenshot(page, 'proposal');
    expect(await findAxeViolations(page)).toEqual([]);
    // The keys of another place end with keys of this page: neither decides.
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { level: 1, name: 'Recall' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Change: Commit style' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Change: Commit style' }).waitFor();
    // A key that is held decides one proposal, not all.
    await page.keyboard.down('a');
    await page.getByText('Approved: Commit style.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Change: Deploy window' }).waitFor();
    await page.keyboard.down('a');
    await page.keyboard.up('a');
    // The next one opens by itself.
    await page.getByRole('heading', { level: 1, name: 'Change: Deploy window' }).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('dialog').waitFor();
    await page.getByRole('dialog').getByLabel('Reason').fill('The window is there for a reason.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Rejected. Its author sees the reason.').waitFor();
    expect(await dashboard.call('instructions_get', { id: 'commit-style' })).toMatchObject({
      item: { body: 'Write titles in the imperative, at most 72 characters.' },
    });
    expect(await dashboard.call('instructions_proposals', { state: 'rejected' })).toMatchObject({
      items: [{ id: 'deploy-window', decision: 'The window is there for a reason.' }],
    });
  });

  it('edits a proposal and approves the edited text', async () => {
    const entry = { id: 'old-rule', body: 'Nearly right.' };
    const { proposal_id } = await dashboard.call('instructions_propose', { entry, reason: 'better' }, keys.write);
    const page = await visit(`/instructions/-/proposals/${String(proposal_id)}`);
    await page.getByRole('heading', { level: 1, name: 'Change: Old rule' }).waitFor();
    await page.keyboard.press('e');
    await writeText(page, 'Proposed text', 'Exactly right.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Approved with your text.').waitFor();
    expect(await dashboard.call('instructions_get', { id: 'old-rule' })).toMatchObject({
      item: { body: 'Exactly right.' },
    });
  });

  it('finds what a rule said before, and rolls it back', async () => {
    const page = await visit('/instructions/commit-style');
    await page.getByRole('heading', { level: 1, name: 'Commit style' }).waitFor();
    await page.keyboard.press('h');
    await page.getByRole('button', { name: 'Compare version 2' }).click();
    await page.getByLabel('Version 1 and version 2').waitFor();
    expect(page.url()).toContain('compare=1..2');
    await keepScreenshot(page, 'history');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Roll back to version 1' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('too strict');
    await page.keyboard.press('Enter');
    await page.getByText('Rolled back to version 1.').waitFor();
    await page.getByText('rolled back to version 1: too strict').waitFor();
    expect(await dashboard.call('instructions_get', { id: 'commit-style' })).toMatchObject({
      item: { body: 'Write titles in the imperative.' },
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Version 2 is in force again.').waitFor();
    expect(await dashboard.call('instructions_get', { id: 'commit-style' })).toMatchObject({
      item: { body: 'Write titles in the imperative, at most 72 characters.' },
    });
    const copied = await visit('/instructions/commit-style?tab=history&compare=1..2', { width: 360, theme: 'dark' });
    await copied.getByLabel('Version 1 and version 2').waitFor();
    expect(
      await copied.evaluate(
        "[...document.querySelectorAll('select')].filter((one) => one.getBoundingClientRect().right > innerWidth).length",
      ),
    ).toBe(0);
    await keepScreenshot(copied, 'history-narrow-dark');
    expect(await findAxeViolations(copied)).toEqual([]);
  });

  it('two people edit the same rule, and the second sees both versions', async () => {
    const [one, two] = [
      await visit('/instructions/deploy-window?edit=1'),
      await visit('/instructions/deploy-window?edit=1'),
    ];
    await writeText(two, 'Text of the rule', 'Deploy on weekdays, never on Friday.');
    await writeText(one, 'Text of the rule', 'Deploy on weekdays before noon.');
    // The connection breaks: the text stays as it was written, and the error is shown while other calls hang.
    await one.route(
      '**/api/tools/**',
      (route) => route.request().url().includes('instructions_add') && route.abort('connectionreset'),
    );
    await one.keyboard.press('Control+Enter');
    await one.getByRole('alert').getByText('The server does not answer.').waitFor();
    await one.unroute('**/api/tools/**');
    expect(await one.getByRole('textbox', { name: 'Text of the rule' }).locator('.cm-line').allInnerTexts()).toEqual([
      'Deploy on weekdays before noon.',
    ]);
    await one.keyboard.press('Control+Enter');
    await one.getByText('Saved.').waitFor();
    await two.getByText('Somebody else changed this rule after you began.').waitFor();
    const both = two.getByRole('region', { name: 'Changed meanwhile' });
    await both.getByText('before noon').waitFor();
    await both.getByText('never on Friday').first().waitFor();
    await keepScreenshot(two, 'conflict');
    expect(await two.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await two.reload();
    await both.getByText('never on Friday').first().waitFor();
    await two.getByRole('button', { name: 'Continue with mine' }).click();
    await two.getByRole('button', { name: 'Save' }).click();
    await two.getByText('Saved.').waitFor();
    await one.getByText('never on Friday').waitFor();
    expect(await dashboard.call('instructions_history', { id: 'deploy-window' })).toMatchObject({ count: 3 });
  });

  it('imports a dropped AGENTS.md after a preview, and the tester shows what an agent gets', async () => {
    const page = await visit('/instructions/-/import');
    await choose(page, agentsFile + hostileFile);
    await page.getByRole('article', { name: 'Database migrations' }).getByText('sounds mandatory').waitFor();
    await page.getByText('<script>window.hit=1</script> yyy').waitFor();
    await keepScreenshot(page, 'import');
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await dashboard.call('instructions_get', { id: 'reviews' })).toMatchObject({ notFound: true });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await drop(page, agentsFile);
    await page.getByRole('button', { name: 'Import 2 rules' }).click();
    await page.getByText('2 rules imported').waitFor();
    await page.getByRole('link', { name: 'See what an agent is told now' }).click();
    await page.getByLabel('Task').fill('add a column to the orders table');
    await page.getByRole('article', { name: 'Database migrations' }).waitFor();
    await page.getByLabel('Files, one per line').fill('src/orders.sql');
    await expect.poll(() => new URL(page.url()).searchParams.get('files')).toBe('src/orders.sql');
    await keepScreenshot(page, 'tester');
    expect(await findAxeViolations(page)).toEqual([]);
    const usage = await dashboard.call('instructions_inspect', { id: 'database-migrations', scope: 'usage' });
    expect(usage).toMatchObject({ data: { raw: { served: null } } });
  });

  it('writes a new rule, removes it, and restores it', async () => {
    const page = await visit('/instructions/-/new');
    await page.getByLabel('Title').fill('Naming of files');
    await writeText(page, 'Text of the rule', 'Use kebab-case.');
    await page.getByLabel('Files', { exact: true }).fill('src/**/*.ts');
    // A rule may be called like a page of the dashboard.
    await page.getByLabel(/^Id/).fill('new');
    await keepScreenshot(page, 'new-rule');
    // What was typed outlives a look at another page, and a cancelled edit can be taken back.
    await page.getByRole('link', { name: 'Checks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Checks' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('textbox', { name: 'Text of the rule' }).getByText('Use kebab-case.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Naming of files' }).waitFor();
    await page.getByText('file matches').waitFor();
    await keepScreenshot(page, 'rule');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('This rule was removed').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Naming of files' }).waitFor();
    await page.goto(`${dashboard.served.url}/instructions/-/archive`);
    await page.getByRole('button', { name: 'Restore Naming of files' }).click();
    await page.getByText('Naming of files is back.').waitFor();
    expect(await dashboard.call('instructions_get', { id: 'new' })).toMatchObject({
      item: { appliesTo: { files: ['src/**/*.ts'] } },
    });
  });

  it('shows gates and integrity, in the dark', async () => {
    const page = await visit('/instructions/-/checks', { theme: 'dark' });
    await page.getByText('No gates are set up.').waitFor();
    await page.getByText('matches its recorded hash').waitFor();
    await page.getByText('There is no snapshot').waitFor();
    await page.getByText('"reviews-on-time"').waitFor();
    expect(await page.locator('[aria-current]').allInnerTexts()).toEqual(['Rules', 'Checks']);
    await keepScreenshot(page, 'checks-dark');
    expect(await findAxeViolations(page)).toEqual([]);
  });

  it('shows hostile rules as text', async () => {
    const page = await visit('/instructions/hostile');
    await page.getByRole('heading', { level: 1, name: '<script>' }).waitFor();
    await page.getByText('javascript:window.hit=1').first().waitFor();
    await page.goto(`${dashboard.served.url}/instructions/hostile?raw=1`);
    await page.getByText('onerror=').first().waitFor();
    await keepScreenshot(page, 'hostile');
    await page.goto(`${dashboard.served.url}/instructions/-/tester?task=${encodeURIComponent(hostile.title)}`);
    await page.getByRole('article', { name: 'Deploy window' }).waitFor();
    for (const visitor of visitors) {
      expect(await visitor.page.evaluate(() => 'hit' in globalThis)).toBe(false);
    }
  });

  it('offers what the scope allows, and says what is not there', async () => {
    const reader = await visit('/instructions/commit-style', { key: keys.read });
    await reader.getByRole('heading', { level: 1, name: 'Commit style' }).waitFor();
    expect(await reader.getByRole('button', { name: /Edit|Remove|Propose/ }).count()).toBe(0);
    await reader.keyboard.press('e');
    expect(await reader.getByRole('form').count()).toBe(0);
    await reader.goto(`${dashboard.served.url}/instructions/-/import`);
    await reader.getByText('Your key may only read.').waitFor();
    await reader.goto(`${dashboard.served.url}/instructions/no-such-rule`);
    await reader.getByText('There is no rule with this id').waitFor();
    await reader.goto(`${dashboard.served.url}/instructions/-/proposals/p-none`);
    await reader.getByText('There is no such proposal.').waitFor();
    const stranger = await visit('/instructions/commit-style?tab=history', { key: keys.stranger });
    await stranger.getByText('There is no rule with this id').waitFor();
    // Another tenant has no such file, so nothing is taught that cannot work.
    await stranger.goto(`${dashboard.served.url}/instructions/-/checks`);
    await stranger.getByText('Only the tenant of the operator has such a file.').first().waitFor();
    expect(await stranger.getByText('gates.json').count()).toBe(0);

    const writer = await visit('/instructions/commit-style', { key: keys.write, width: 360 });
    await writer.getByRole('button', { name: 'Propose a change' }).click();
    await writeText(writer, 'Text of the rule', 'Write short titles.');
    await writer.getByLabel('Reason').fill('shorter');
    await keepScreenshot(writer, 'edit-narrow');
    expect(await findAxeViolations(writer)).toEqual([]);
    await writer.getByRole('button', { name: 'Propose', exact: false }).last().click();
    await writer.getByText('Your change is proposed.').waitFor();
    await writer.getByText('A proposal waits').first().waitFor();
  });
});
