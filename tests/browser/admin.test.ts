import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '#tests/support/program.ts';
import {
  type Dashboard,
  findAxeViolations,
  findCutControls,
  keepScreenshot,
  openDashboard,
  whyNoBrowser,
} from './support/browser.ts';

const hostile = '<script>alert(1)</script>';

describe.skipIf(whyNoBrowser !== undefined)(`administration${whyNoBrowser ? ` (${whyNoBrowser})` : ''}`, () => {
  let dashboard: Dashboard;
  const backups = makeFolder();
  beforeAll(async () => {
    dashboard = await openDashboard({
      MCP_ENABLE_MUTATION: '1',
      FOURFOLD_BEARER_TOKEN: 'a-token-that-stays-secret',
      FOURFOLD_BACKUP_DIR: backups.folder,
    });
  });
  afterAll(async () => {
    await dashboard.close();
    backups.remove();
  });

  async function keyOf(name: string, scope: string, tenant = 'local'): Promise<string> {
    const made = await dashboard.call('keys_create', { name, scopes: [scope], tenant });
    expect(made).not.toHaveProperty('error');
    return String(made['key']);
  }
  const sectionsOf = (page: Page) =>
    page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allInnerTexts();
  const fits = async (page: Page) =>
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);

  it('lets an operator create a key with the keyboard, copy it once, and revoke it', async () => {
    const { page, context, problems } = await dashboard.visit('/settings');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await page.getByRole('row', { name: /first/ }).first().waitFor();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'Create a key' });
    await dialog.waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await keepScreenshot(page, 'keys-create');
    await dialog.getByRole('textbox', { name: 'Name' }).first().fill(hostile);
    await dialog.getByRole('radio', { name: /^Read/ }).check();
    await page.keyboard.press('Enter');
    const shown = page.getByRole('dialog', { name: `Key ${hostile}` });
    const text = await shown.getByTestId('key').innerText();
    expect(text).toMatch(/^ff_/);
    await shown.getByRole('button', { name: 'Copy key' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
    expect(await shown.getByText('claude mcp add').innerText()).toContain(text);
    await keepScreenshot(page, 'keys-shown');
    expect(await findAxeViolations(page)).toEqual([]);
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(text);
    expect(await dashboard.call('caller_show', {}, text)).toMatchObject({ name: hostile, scopes: ['read'] });

    await page.getByRole('button', { name: `Revoke ${hostile}` }).click();
    await page.getByRole('dialog').getByText('This cannot be undone').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: /script.*revoked/ }).waitFor();
    expect(await dashboard.call('caller_show', {}, text)).toHaveProperty('error');
    expect(await findAxeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('shows the operator every page of the settings, without secrets', async () => {
    const { page, problems } = await dashboard.visit('/settings/values?set=1');
    await page
      .getByRole('row', { name: /bearerToken/ })
      .getByText('***')
      .waitFor();
    expect(await page.content()).not.toContain('a-token-that-stays-secret');
    for (const [link, heading] of [
      ['Connect', 'Connect a client'],
      ['Connectors', 'Connectors'],
      ['Metrics', 'Metrics'],
      ['Tenants', 'Tenants'],
      ['Jobs', 'Jobs'],
      ['Backups', 'Backups'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' });
      await keepScreenshot(page, `settings-${link.toLowerCase()}`);
      // Each job has a sentence of its own.
      expect(await page.getByText('Background work of this program').count()).toBe(0);
      expect([link, await findAxeViolations(page)]).toEqual([link, []]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect([link, await findCutControls(page)]).toEqual([link, []]);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText(/files?, .* in .*fourfold-backup-/).waitFor();
    await page.getByRole('cell', { name: /store and files/ }).waitFor();
    await keepScreenshot(page, 'settings-backups-done');
    expect(problems).toEqual([]);
  });

  it('shows an admin of another tenant only its own', async () => {
    const key = await keyOf('acme admin', 'admin', 'acme');
    const { page, problems } = await dashboard.visit('/settings/keys', { key });
    await page.getByRole('heading', { name: 'Keys of acme' }).waitFor();
    expect(await sectionsOf(page)).toEqual(['Connect', 'Keys', 'Connectors', 'Metrics']);
    expect(await page.getByRole('row', { name: /first/ }).count()).toBe(0);
    await page.goto(`${dashboard.served.url}/settings/keys?tenant=local`);
    await page.getByText('another tenant requires the operator').first().waitFor();
    await page.goto(`${dashboard.served.url}/settings/tenants`);
    await page.getByText('This page is for the operator').waitFor();
    await page.goto(`${dashboard.served.url}/audit?seq=1`);
    await page.getByRole('heading', { name: /operator created key/ }).waitFor();
    expect(problems).toEqual([]);
  });

  it('offers a reader nothing that the scope forbids', async () => {
    const { page, problems } = await dashboard.visit('/settings', { key: await keyOf('reader', 'read') });
    await page.getByRole('heading', { level: 1, name: 'Connect a client' }).waitFor();
    expect(await sectionsOf(page)).toEqual(['Connect', 'Connectors', 'Metrics']);
    await page.goto(`${dashboard.served.url}/settings/keys`);
    await page.getByText('This page needs the scope admin.').waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await page.goto(`${dashboard.served.url}/audit`);
    await page.getByText('The audit trail needs the scope admin.').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('shows who changed what and what it replaced, and verifies the trail', async () => {
    const entry = {
      id: 'tabs',
      title: 'Tabs',
      priority: 50,
      audience: 'all',
      requirement: 'recommended',
      categories: [],
    };
    for (const body of ['Indent with tabs.', `Indent with ${hostile}.`]) {
      const made = await dashboard.call('instructions_add', { entry: { ...entry, body }, overwrite: true });
      expect(made).not.toHaveProperty('error');
    }
    const { page, problems } = await dashboard.visit('/audit?topic=instruction');
    const list = page.getByRole('listbox', { name: 'Changes' });
    await list.getByRole('option').nth(1).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'first changed rule tabs' }).waitFor();
    await page.getByText(`+Indent with ${hostile}.`).waitFor();
    await keepScreenshot(page, 'audit-change');
    expect(await findAxeViolations(page)).toEqual([]);
    expect(page.url()).toMatch(/seq=\d+/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Verify the trail' }).click();
    await page.getByText(/All \d+ rows are as they were written/).waitFor();
    await page.getByText(/Verified: all rows up to \d+ are as written/).waitFor();
    await keepScreenshot(page, 'audit');
    expect(await findAxeViolations(page)).toEqual([]);

    await dashboard.call('instructions_remove', { ids: ['tabs'] });
    await list.getByText('removed rule').waitFor();
    await page.getByLabel('Kind of item').selectOption('api_keys');
    await list.getByText('signed in with key').first().waitFor();
    await page.getByLabel('Tool').fill('instructions/none');
    await page.getByText('No change matches.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await list.getByRole('option').nth(3).waitFor();
    expect(problems).toEqual([]);
  });

  it.each([
    ['light', 360],
    ['dark', 1280],
  ] as const)('is readable in %s colours at %i px', async (theme, width) => {
    const { page, problems } = await dashboard.visit('/settings/keys', { theme, width });
    await page.getByRole('row', { name: /first/ }).first().waitFor();
    await fits(page);
    expect(await findCutControls(page)).toEqual([]);
    await keepScreenshot(page, `keys-${theme}-${width}`);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.goto(`${dashboard.served.url}/audit`);
    await page.getByRole('option').first().waitFor();
    await fits(page);
    await keepScreenshot(page, `audit-${theme}-${width}`);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('option').first().click();
    await page.getByRole('heading', { level: 2, name: 'Proof' }).waitFor();
    await fits(page);
    await keepScreenshot(page, `audit-change-${theme}-${width}`);
    expect(problems).toEqual([]);
  });
});
