import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { oauthClient, startAuthorizationServer } from '#tests/support/authorization-server.ts';
import { startProgram } from '#tests/support/program.ts';
import {
  type Dashboard,
  findAxeViolations,
  keepScreenshot,
  openDashboard,
  openForTest,
  whyNoBrowser,
} from './support/browser.ts';

describe.skipIf(whyNoBrowser !== undefined)(`the dashboard${whyNoBrowser ? ` (${whyNoBrowser})` : ''}`, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
  });
  afterAll(() => dashboard.close());

  it('signs in with the printed link once, and out again', async () => {
    const { link } = dashboard.served;
    const context = await dashboard.browser.newContext();
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole('link', { name: 'Rules' }).waitFor();
    expect(page.url()).not.toContain('ffl_');
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    await keepScreenshot(page, 'home');

    const other = await (await dashboard.browser.newContext()).newPage();
    await other.goto(link);
    await other.getByText('the link was used').waitFor();
    await keepScreenshot(other, 'sign-in');
    expect(await findAxeViolations(other)).toEqual([]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key or access token').waitFor();
    const kept = `${cookie?.name}=${cookie?.value}`;
    const answer = await fetch(`${dashboard.served.url}/api/tools/caller_show`, {
      method: 'POST',
      headers: { cookie: kept, 'content-type': 'application/json', origin: dashboard.served.url },
      body: '{}',
    });
    expect(answer.status).toBe(401);
  });

  it('signs in at the authorization server of the settings', async () => {
    const { double, oauth } = await startAuthorizationServer();
    onTestFinished(() => double.stop());
    const { browser, served } = await openForTest({
      FOURFOLD_OAUTH_ISSUER: oauth.issuer,
      FOURFOLD_OAUTH_AUDIENCE: oauth.audience,
      FOURFOLD_OAUTH_JWKS_URL: oauth.jwksUrl!,
      FOURFOLD_OAUTH_CLIENT_ID: oauthClient.clientId,
      FOURFOLD_OAUTH_CLIENT_SECRET: oauthClient.clientSecret,
    });
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${served.url}/truth?type=person`);
    const button = page.getByRole('link', { name: `Sign in with ${new URL(oauth.issuer).host}` });
    await button.waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await keepScreenshot(page, 'sign-in-oauth');
    await button.click();
    await page.getByRole('heading', { level: 1, name: 'Truth' }).waitFor();
    expect(page.url()).toBe(`${served.url}/truth?type=person`);
    double.check();
  });

  it('returns to the page that asked for the sign-in', async () => {
    const page = await (await dashboard.browser.newContext()).newPage();
    await page.goto(`${dashboard.served.url}/truth?type=person`);
    await page.getByLabel('Key or access token').fill('ff_wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('the key is unknown').waitFor();
    expect(await page.getByRole('alert').innerText()).not.toContain('Authorization');
    await page.getByLabel('Key or access token').fill(dashboard.served.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Truth' }).waitFor();
    expect(page.url()).toBe(`${dashboard.served.url}/truth?type=person`);
  });

  it('is used with the keyboard alone: go to a page, find a page, see all keys', async () => {
    const { page, problems } = await dashboard.visit('/');
    await page.getByRole('link', { name: 'Rules' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.getByRole('heading', { level: 1, name: 'Notebooks' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).waitFor();
    await page.keyboard.type('audit');
    await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('audit');
    await keepScreenshot(page, 'palette');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('dark colours');
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme="dark"]').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bearerTo');
    await page.getByRole('option', { name: /Setting bearerToken / }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByRole('row', { name: /bearerToken / }).waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.waitFor();
    await page.setViewportSize({ width: 320, height: 400 });
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await keys.waitFor();
    expect(await keys.evaluate((sheet) => sheet.scrollTop)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await keepScreenshot(page, 'keys');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('leads to the sign-in when the session is revoked while the page is idle, and back after it', async () => {
    const { page } = await dashboard.visit('/settings/connect');
    await page.getByRole('heading', { level: 1, name: 'Connect a client' }).waitFor();
    const { keys } = (await dashboard.call('keys_list', { purpose: 'browser' })) as {
      keys: readonly { readonly id: string; readonly state: string }[];
    };
    for (const { id } of keys.filter(({ state }) => state === 'active')) await dashboard.call('keys_revoke', { id });
    await page.getByLabel('Key or access token').fill(dashboard.served.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Connect a client' }).waitFor();
  });

  it('stays signed in while the server is killed and started again, and shows what changed meanwhile', async () => {
    const { page } = await dashboard.visit('/notebooks');
    await page.getByRole('heading', { level: 1, name: 'Notebooks' }).waitFor();
    const { served, env } = dashboard;
    const countStreams = async () => {
      const answer = await fetch(`${served.url}/metrics`, { headers: { authorization: `Bearer ${served.key}` } });
      return Number(/^fourfold_event_streams (\d+)$/m.exec(await answer.text())?.[1]);
    };
    const hide = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
        document.dispatchEvent(new Event('visibilitychange'));`);
    await expect.poll(countStreams).toBeGreaterThan(0);
    const shown = await countStreams();
    // A browser has six connections to a server. Hidden tabs leave them to the visible ones.
    await hide(true);
    await expect.poll(countStreams).toBe(shown - 1);
    expect(await dashboard.call('scratch_create', { scratch_id: 'while-hidden' })).toMatchObject({ ok: true });
    await hide(false);
    await page.getByRole('option', { name: 'while-hidden' }).waitFor();
    const ended = once(served.child, 'exit');
    served.child.kill('SIGKILL');
    await ended;
    await page.getByText('The connection to the server is lost.').waitFor();
    await page.getByRole('link', { name: 'Recall' }).click();
    await page.getByText('This page could not be loaded.').waitFor();
    await page.getByRole('link', { name: 'Notebooks' }).click();
    const child = startProgram(['serve', '--port', new URL(served.url).port], env);
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
    await expect
      .poll(() =>
        fetch(`${served.url}/healthz`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    expect(await dashboard.call('scratch_create', { scratch_id: 'after-the-crash' })).toMatchObject({ ok: true });
    await page.getByText('The connection to the server is lost.').waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'after-the-crash' }).waitFor();
    await page.getByRole('link', { name: 'Recall' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Recall' }).waitFor();
  });
});
