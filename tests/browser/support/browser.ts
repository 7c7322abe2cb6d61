import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { makeFolder, type Served, serveProgram } from '#tests/support/program.ts';
import { launchBrowser } from './launch.ts';

/** The browser of the package works on Linux x64 only; elsewhere name an installed one in FOURFOLD_TEST_BROWSER. */
export const whyNoBrowser: string | undefined =
  process.env['FOURFOLD_TEST_BROWSER'] !== undefined || (process.platform === 'linux' && process.arch === 'x64')
    ? undefined
    : 'no browser: set FOURFOLD_TEST_BROWSER to the path of an installed Chromium';

export interface SignInOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  readonly key?: string;
}

/** A person's browser on a running program. Any script error or violation of the content policy fails the test. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Script errors and violations of the content policy so far. */
  readonly problems: string[];
}

export interface Dashboard {
  readonly served: Served;
  readonly env: Readonly<Record<string, string>>;
  readonly browser: Browser;
  /** Opens a new browser profile, signed in, at this path. */
  visit(path?: string, options?: SignInOptions): Promise<Visitor>;
  /** Calls a tool with the first key, as an agent would. */
  call(name: string, args: object, key?: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const isExpected = (text: string): boolean => /status of 4\d\d|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/.test(text);

function watchProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.text())) problems.push(message.text());
  });
  return problems;
}

/** Starts the built program on a new folder, and a browser. Close it with `close`, or use `openForTest`. */
export async function openDashboard(extraEnv: Readonly<Record<string, string>> = {}): Promise<Dashboard> {
  const { folder, remove } = makeFolder();
  const env = { FOURFOLD_HOME: folder, ...extraEnv };
  const [served, browser] = await Promise.all([serveProgram(env), launchBrowser()]);

  async function signIn(context: BrowserContext, key: string): Promise<void> {
    const answer = await context.request.post(`${served.url}/api/session`, {
      data: { credential: key },
      headers: { origin: served.url },
    });
    expect(answer.status()).toBe(200);
  }

  return {
    served,
    env,
    browser,
    async visit(path = '/', { width = 1280, height = 800, theme = 'light', key = served.key } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale: 'en-GB' });
      await signIn(context, key);
      const page = await context.newPage();
      const problems = watchProblems(page);
      await page.goto(served.url + path);
      return { context, page, problems };
    },
    async call(name, args, key = served.key) {
      const answer = await fetch(`${served.url}/api/tools/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify(args),
      });
      return (await answer.json()) as Record<string, unknown>;
    },
    async close() {
      await browser.close();
      await served.stop();
      remove();
    },
  };
}

/** For one test. Several stories of one file share a dashboard with `beforeAll(openDashboard)` instead. */
export async function openForTest(extraEnv?: Readonly<Record<string, string>>): Promise<Dashboard> {
  const dashboard = await openDashboard(extraEnv);
  onTestFinished(() => dashboard.close());
  return dashboard;
}

/** Names of accessibility rules that the page violates, with the elements. */
export async function findAxeViolations(page: Page): Promise<readonly string[]> {
  const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  // The content policy of the page forbids script elements, so the script is evaluated by the debugger.
  await page.evaluate(readFileSync(source, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
  });
}

/** Buttons and links of tables that are outside of the visible part, where they are not looked for. */
export const findCutControls = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('.table-scroll')].flatMap((table) =>
      [...table.querySelectorAll('button, a')]
        .filter((control) => control.getBoundingClientRect().right > table.getBoundingClientRect().right + 1)
        .map((control) => control.innerText + ' is outside of ' + table.getAttribute('aria-label')))`);

/** Keeps a picture for a person to look at when FOURFOLD_TEST_SCREENSHOTS names a folder. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['FOURFOLD_TEST_SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
