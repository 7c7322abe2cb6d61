import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Dashboard,
  findAxeViolations,
  keepScreenshot,
  openDashboard,
  openForTest,
  whyNoBrowser,
} from './support/browser.ts';

const task = 'refund a customer whose bicycle arrived late';

const rule = (limit: number) => ({
  entry: {
    id: 'refund-limit',
    title: `Refunds above ${limit} EUR need two people`,
    body: `Ask a second person above ${limit} EUR.`,
    priority: 20,
    audience: 'all',
    requirement: 'mandatory',
    owner: 'finance',
    categories: ['finance'],
    appliesTo: { tasks: ['refund'] },
  },
  overwrite: true,
});

const hostile = '<img src=x onerror=alert(1)> ‮ [x](javascript:alert(1))';

describe.skipIf(whyNoBrowser !== undefined)(`recall${whyNoBrowser ? ` (${whyNoBrowser})` : ''}`, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard({ MCP_ENABLE_MUTATION: '1' });
    await dashboard.call('instructions_add', rule(200));
    await dashboard.call('store_fact', {
      subject: { type: 'company', name: 'Late bicycle deliveries' },
      fields: { refund: hostile },
      source: 'mail',
    });
    await dashboard.call('remember', { text: `refund of a bicycle: ${hostile}` });
    const pages = [
      { path: 'refunds.md', content: '# Refunds\n\nA customer whose bicycle arrives late gets a refund.\n' },
    ];
    await dashboard.call('knowledge_ingest', { library: 'handbook', version: '1.0', pages });
  });
  afterAll(() => dashboard?.close());

  it('a lead tries a task, opens the receipt, changes a rule, and sees the write that made the difference', async () => {
    const { page, problems } = await dashboard.visit('/recall');
    await page.getByText('Describe a task in your own words.').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(task);
    for (let i = 0; i < 5; i += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Refunds above 200 EUR need two people' }).first().waitFor();
    expect(page.url()).toContain('task=refund+a+customer');
    const text = page.getByRole('region', { name: 'As an agent gets it' });
    expect(await text.textContent()).toContain('"Ask a second person above 200 EUR."');
    const budget = page.getByRole('figure', { name: 'Use of the budget' });
    expect(await budget.textContent()).toMatch(/Rules \d+.*Facts \d+.*Notes \d+.*Docs \d+.*\d+ of 1500 tokens/);
    await page.getByRole('link', { name: 'Inbox' }).first().waitFor();
    const shares = await budget.textContent();
    expect(await page.locator('img').count()).toBe(0);
    expect(await findAxeViolations(page)).toEqual([]);
    await keepScreenshot(page, 'recall');

    await page.getByRole('link', { name: /^rcp_/ }).click();
    await page.getByRole('heading', { level: 1, name: /^Receipt rcp_/ }).waitFor();
    await page.getByRole('table', { name: 'Items', exact: true }).getByRole('link', { name: 'refund-limit' }).waitFor();
    expect(await budget.textContent()).toBe(shares);
    await page.getByRole('link', { name: 'Inbox' }).first().waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await keepScreenshot(page, 'receipt');

    await dashboard.call('instructions_add', rule(300));
    await page.getByRole('button', { name: 'Ask the same now' }).click();
    await page.getByRole('link', { name: 'Refunds above 300 EUR need two people' }).first().waitFor();
    await page.getByRole('link', { name: 'Receipts' }).click();
    const boxes = page.getByRole('checkbox', { name: new RegExp(`^Compare ${task}`) });
    await boxes.nth(1).waitFor();
    await boxes.nth(0).press('Space');
    await boxes.nth(1).press('Space');
    await keepScreenshot(page, 'receipts');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Compare', exact: true }).press('Enter');
    const changed = page.getByRole('region', { name: 'Changed: 1' });
    await changed.getByRole('link', { name: 'refund-limit' }).waitFor();
    expect(await changed.textContent()).toMatch(/changed by first with instructions\/add.*write \d+/);
    expect(await findAxeViolations(page)).toEqual([]);
    await keepScreenshot(page, 'compare');
    expect(problems).toEqual([]);
  });

  it('shows a missing receipt and a wrong budget with their fix', async () => {
    const { page } = await dashboard.visit('/recall/receipts/rcp_nothing');
    await page.getByRole('alert').getByText('recall_receipts lists the receipts').waitFor();
    await page.goto(`${dashboard.served.url}/recall?task=x&budget=5`);
    await page.getByRole('alert').waitFor();
  });

  it.each([
    ['light', 360],
    ['dark', 1280],
    ['dark', 360],
  ] as const)('is readable in the theme %s at %i pixels', async (theme, width) => {
    const path = `/recall?${new URLSearchParams({ task }).toString()}`;
    const { page, problems } = await dashboard.visit(path, { theme, width });
    await page.getByRole('region', { name: 'What it came from' }).waitFor();
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await findAxeViolations(page)).toEqual([]);
    await keepScreenshot(page, `recall-${theme}-${width}`);
    expect(problems).toEqual([]);
  });

  it('an operator creates the example company on an empty start page, sees something on every page, and removes it', async () => {
    const empty = await openForTest();
    const { page: home } = await empty.visit('/');
    await home.getByRole('button', { name: 'Create the example company' }).press('Enter');
    const link = await home.getByRole('link', { name: 'Open the example company' }).getAttribute('href');
    expect(await findAxeViolations(home)).toEqual([]);
    await keepScreenshot(home, 'demo-home');
    // A page that is opened later offers the removal, and says how to get in.
    const later = await empty.visit('/settings/tenants');
    await later.page.getByText(/^fourfold link --tenant demo-/).waitFor();
    await later.page.getByRole('button', { name: 'Remove the example company' }).waitFor();
    await later.context.close();
    const page = await (await empty.browser.newContext()).newPage();
    await page.goto(link!);
    await page.getByRole('link', { name: 'Rules' }).waitFor();
    for (const [path, text] of [
      ['/instructions', 'Deploy the shop before noon'],
      ['/truth', 'Tallowmere Frames'],
      ['/notebooks', 'Checkout incident'],
      ['/knowledge', 'handbook'],
      ['/recall/receipts', 'deploy the checkout service'],
    ] as const) {
      await page.goto(empty.served.url + path);
      await page.getByText(text).first().waitFor();
    }
    await keepScreenshot(page, 'demo-receipts');
    await home.getByRole('button', { name: 'Remove the example company' }).press('Enter');
    await home.getByText('The example company was removed.').waitFor();
    await home.getByRole('button', { name: 'Create the example company' }).waitFor();
    await page.goto(`${empty.served.url}/recall/receipts`);
    await page.getByLabel('Key or access token').waitFor();
  });
});
