import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Dashboard, findAxeViolations, keepScreenshot, openDashboard, whyNoBrowser } from './support/browser.ts';

const hostile = '<img src=x onerror=alert(1)> "quoted" [link](javascript:alert(1))';

describe.skipIf(whyNoBrowser !== undefined)(`the start page${whyNoBrowser ? ` (${whyNoBrowser})` : ''}`, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard.close());

  async function write(name: string, args: object): Promise<void> {
    expect(await dashboard.call(name, args)).not.toHaveProperty('error');
  }

  const rule = (id: string, body: string) => ({
    entry: { id, title: id, body, priority: 50, audience: 'all', requirement: 'recommended', categories: ['style'] },
  });

  it('teaches the first step on an empty server, and follows the first write without a reload', async () => {
    const { page, problems } = await dashboard.visit('/');
    await page.getByText('Nothing needs you now.').waitFor();
    await page.getByText('No agent has used this server yet.').waitFor();
    await keepScreenshot(page, 'home-empty');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Connect a client' }).click();
    await page.getByRole('heading', { level: 1, name: 'Connect a client' }).waitFor();
    await page.goBack();
    await page.getByText('No agent has used this server yet.').waitFor();
    await write('scratch_create', { scratch_id: 'plan', metadata: { title: hostile } });
    await page.getByRole('link', { name: hostile }).waitFor();
    expect(await page.getByText('No agent has used this server yet.').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('shows a lead what needs her, and leads her there with the keyboard alone', async () => {
    await write('instructions_propose', { ...rule('deploy-window', 'Deploy on Tuesdays.'), reason: hostile });
    for (const budget of [100, 250]) {
      const subject = { type: 'project', name: hostile };
      await write('store_fact', {
        subject,
        fields: { budget },
        source: `s${budget}`,
        effective_at: '2025-05',
      });
    }
    const { page, problems } = await dashboard.visit('/');
    await page.getByText('2 things need you.').waitFor();
    await page.getByText('1 contradiction between statements is open').waitFor();
    await page.locator('canvas').first().waitFor();
    await keepScreenshot(page, 'home');
    expect(await findAxeViolations(page)).toEqual([]);
    const proposals = page.getByRole('link', { name: '1 proposed rule waits for a decision' });
    expect(await proposals.getAttribute('href')).toBe('/instructions/-/proposals');
    await page.getByRole('link', { name: 'Whole trail' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/audit');
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { name: 'What changed' }).waitFor();
    const changes = await page.getByRole('region', { name: 'What changed' }).getByRole('listitem').allInnerTexts();
    expect(changes[0]).toMatch(/^first signed in\n/);
    expect(changes[1]).toMatch(/^first created/);
    expect(problems).toEqual([]);
  });

  it('leaves out for a reader what needs the scope admin', async () => {
    const made = await dashboard.call('keys_create', { name: 'reader', scopes: ['read'] });
    const { page, problems } = await dashboard.visit('/', { key: String(made['key']) });
    await page.getByText('1 proposed rule waits for a decision').waitFor();
    expect(await page.getByRole('heading', { name: 'What changed' }).count()).toBe(0);
    expect(await page.getByText('reader of local').count()).toBe(1);
    expect(await page.getByText('need you').count()).toBe(0);
    expect(await page.locator('.badge-dot').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it.each([
    ['light', 360],
    ['dark', 1280],
    ['dark', 360],
    ['light', 1920],
  ] as const)('is readable in %s colours at %i px', async (theme, width) => {
    const { page, problems } = await dashboard.visit('/', { theme, width });
    await page.getByText('2 things need you.').waitFor();
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await keepScreenshot(page, `home-${theme}-${width}`);
    expect(await findAxeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
