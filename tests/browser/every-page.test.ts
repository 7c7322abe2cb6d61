import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '#tests/support/program.ts';
import {
  type Dashboard,
  findAxeViolations,
  findCutControls,
  keepScreenshot,
  openDashboard,
  whyNoBrowser,
} from './support/browser.ts';
import { watchCalls } from './support/settled.ts';

const isCampaign = process.env['FOURFOLD_TEST_CAMPAIGN'] === '1';
const whyNot = isCampaign ? whyNoBrowser : 'part of npm run test:campaign';

const pagesFolder = new URL('../../dashboard/src/pages/', import.meta.url);

/** As the route files name them. */
const paths = readdirSync(pagesFolder)
  .map((name) => new URL(`${name}/routes.tsx`, pagesFolder))
  .filter((file) => existsSync(file))
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/path: '([^']+)'/g)].map(([, path]) => path!));

interface Ids {
  readonly entity: string;
  readonly contradiction: string;
  readonly receipts: readonly [string, string];
  readonly proposal: string;
}

const entityPages = ({ entity }: Ids): readonly string[] => [
  `/truth/${entity}`,
  `/truth/${entity}?field=lead_time_weeks`,
  `/truth/${entity}?graph=1&history=lead_time_weeks`,
];

/** The addresses at which a page is visited. A page with a parameter is also visited where nothing is. */
const addressesOf: Readonly<Record<string, (ids: Ids) => readonly string[]>> = {
  '/instructions/{-$ruleId}': () => [
    '/instructions',
    ...['', '?tab=history', '?tab=use', '?tab=details', '?edit=1'].map(
      (more) => `/instructions/refunds-need-two${more}`,
    ),
    '/instructions/none',
  ],
  '/instructions/-/proposals/{-$proposalId}': ({ proposal }) => [
    '/instructions/-/proposals',
    `/instructions/-/proposals/${proposal}`,
    '/instructions/-/proposals/none',
  ],
  '/instructions/-/tester': () => ['/instructions/-/tester?task=refund'],
  '/knowledge/-/search': () => ['/knowledge/-/search', '/knowledge/-/search?q=return'],
  '/knowledge/$library': () => ['/knowledge/handbook', '/knowledge/none'],
  '/notebooks/{-$scratchId}': () => [
    '/notebooks',
    '/notebooks/incident-checkout-march',
    '/notebooks/incident-checkout-march?history=all',
    '/notebooks/none',
  ],
  '/truth/contradictions': ({ contradiction }) => [
    '/truth/contradictions',
    `/truth/contradictions?id=${contradiction}`,
  ],
  '/truth/$entityId': entityPages,
  '/recall': () => ['/recall', '/recall?task=refund'],
  '/recall/receipts/$receiptId': ({ receipts: [first] }) => [`/recall/receipts/${first}`],
  '/recall/receipts/compare': ({ receipts: [a, b] }) => [`/recall/receipts/compare?a=${a}&b=${b}`],
  '/audit': () => ['/audit', '/audit?seq=3'],
};

const addressesOfPath = (path: string, ids: Ids): readonly string[] => addressesOf[path]?.(ids) ?? [path];

it('knows an address for each page with a parameter, and names no page that is gone', () => {
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => path.includes('$') && addressesOf[path] === undefined)).toEqual([]);
  expect(Object.keys(addressesOf).filter((path) => !paths.includes(path))).toEqual([]);
});

const looks = [1_600, 900, 320].flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, theme })));

describe.skipIf(whyNot !== undefined)(`every page of the dashboard${whyNot ? ` (${whyNot})` : ''}`, () => {
  let dashboard: Dashboard;
  let lead: string;
  let ids: Ids;
  beforeAll(async () => {
    dashboard = await openDashboard();
    const run = async (...args: string[]) =>
      JSON.parse((await runProgram([...args, '--json'], dashboard.env)).stdout) as Record<string, string>;
    const { tenant } = await run('demo');
    const { key } = await run('keys', 'create', '--name', 'lead', '--scopes', 'admin', '--tenant', tenant!);
    lead = key!;
    const ask = async <T>(name: string, args: object = {}) => (await dashboard.call(name, args, lead)) as T;
    const { contradictions } = await ask<{ contradictions: { contradiction_id: string; entity_id: string }[] }>(
      'list_contradictions',
    );
    const { receipts } = await ask<{ receipts: { receipt_id: string }[] }>('recall_receipts');
    const { items } = await ask<{ items: { proposal_id: string }[] }>('instructions_proposals');
    ids = {
      entity: contradictions[0]!.entity_id,
      contradiction: contradictions[0]!.contradiction_id,
      receipts: [receipts[0]!.receipt_id, receipts[1]!.receipt_id],
      proposal: items[0]!.proposal_id,
    };
  });
  afterAll(() => dashboard.close());

  /** Visits all addresses in one tab, as a person would. */
  async function visitAll(visited: readonly string[], look: (typeof looks)[number], key: string): Promise<string[]> {
    const { page, problems, context } = await dashboard.visit('/', { ...look, key });
    const settled = watchCalls(page);
    const found: string[] = [];
    for (const path of visited) {
      for (const address of addressesOfPath(path, ids)) {
        await page.goto(dashboard.served.url + address);
        await page.locator('main').waitFor();
        await settled();
        const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (tooWide > 0) found.push(`${address}: ${tooWide} px wider than the screen`);
        found.push(...(await findCutControls(page)).map((control) => `${address}: ${control}`));
        found.push(...(await findAxeViolations(page)).map((violation) => `${address}: ${violation}`));
        found.push(...problems.splice(0).map((problem) => `${address}: ${problem}`));
        await keepScreenshot(page, `${look.width}-${look.theme}${address.replaceAll(/[^a-z0-9]+/gi, '-')}`);
      }
    }
    await context.close();
    return found;
  }

  it.each(looks)('has no violation at $width px, $theme', async (look) => {
    const found = await visitAll(paths, look, lead);
    const ofOperator = paths.filter((path) => path === '/' || path.startsWith('/settings'));
    found.push(...(await visitAll(ofOperator, look, dashboard.served.key)));
    expect(found).toEqual([]);
  });

  it('negative control: finds an unnamed button, a button outside of its table, and a broken script', async () => {
    const { page, problems } = await dashboard.visit('/', { key: lead });
    await page.locator('main').waitFor();
    await page.evaluate("document.querySelector('main').append(document.createElement('button'))");
    expect((await findAxeViolations(page)).join()).toContain('button-name');
    await page.evaluate(`
      const make = (tag, more) => Object.assign(document.createElement(tag), more);
      const table = make('div', { className: 'table-scroll' });
      const button = make('button', { textContent: 'Far away' });
      // The content policy allows no style attribute in a text.
      button.style.marginLeft = '200vw';
      table.append(button);
      document.querySelector('main').append(table);`);
    expect((await findCutControls(page)).join()).toContain('Far away');
    await page.evaluate(
      "document.body.append(Object.assign(new Image(), { src: 'https://elsewhere.invalid/pixel.png' }))",
    );
    await expect.poll(() => problems.join()).toContain('Content Security Policy');
  });
});
