import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '#tests/support/program.ts';
import { type Dashboard, keepScreenshot, openDashboard, whyNoBrowser } from './support/browser.ts';

type Step =
  | { readonly kind: 'choose' | 'see'; readonly name: string }
  | { readonly kind: 'write'; readonly name: string; readonly text: string };

interface Story {
  readonly title: string;
  readonly steps: readonly Step[];
}

type Node = ReturnType<typeof fromMarkdown>['children'][number];

const textOf = (node: object): string => {
  if ('value' in node && typeof node.value === 'string') return node.value;
  return 'children' in node && Array.isArray(node.children) ? node.children.map(textOf).join('') : '';
};

/** "Choose **X**, then **Y**. You see **Z**": bold text is chosen, or seen after "see", or filled after "write … into". */
function stepsOf(inlines: readonly object[]): readonly Step[] {
  const steps: Step[] = [];
  let verb: Step['kind'] = 'choose';
  let written = '';
  for (const node of inlines) {
    const text = textOf(node);
    if ('type' in node && node.type === 'strong') {
      steps.push(verb === 'write' ? { kind: verb, name: text, text: written } : { kind: verb, name: text });
    } else if ('type' in node && node.type === 'inlineCode') {
      written = text;
    } else {
      const words = [...text.matchAll(/\b(choose|see|into)\b/gi)].map(([word]) => word.toLowerCase());
      const last = words.at(-1);
      if (last !== undefined) verb = last === 'into' ? 'write' : last === 'see' ? 'see' : 'choose';
    }
  }
  return steps;
}

function storiesOf(markdown: string): readonly Story[] {
  const stories: { title: string; steps: Step[] }[] = [];
  for (const node of fromMarkdown(markdown).children) {
    if (node.type === 'heading' && node.depth === 2) stories.push({ title: textOf(node), steps: [] });
    if (node.type === 'list' && node.ordered) stories.at(-1)?.steps.push(...stepsOfList(node));
  }
  return stories.filter(({ steps }) => steps.length > 0);
}

const stepsOfList = (list: Node & { readonly type: 'list' }): readonly Step[] =>
  list.children.flatMap((item) =>
    item.children.flatMap((block) => ('children' in block ? stepsOf(block.children) : [])),
  );

const usualPatienceMs = 20_000;
const roles = ['button', 'link', 'option', 'tab'] as const;

const exactly = (text: string): RegExp => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);

/** Controls that are called exactly this, and those whose name only contains it. A dialog that asks something hides the page. */
async function findControls(page: Page, name: string) {
  const dialog = page.locator('.dialog');
  const place = (await dialog.count()) > 0 ? dialog.last() : page;
  return {
    exact: [
      ...roles.map((role) => place.getByRole(role, { name, exact: true })),
      place.locator('button, a').filter({ hasText: exactly(name) }),
      place.getByRole('option').filter({ has: page.getByText(name, { exact: true }) }),
    ],
    similar: roles.map((role) => place.getByRole(role, { name })),
  };
}

/** An item of a list may come later than one with a similar name. */
const exactOnlyMs = 2_000;

async function choose(page: Page, name: string, patienceMs: number): Promise<void> {
  const startedAt = performance.now();
  const waitedMs = () => performance.now() - startedAt;
  while (waitedMs() < patienceMs) {
    const { exact, similar } = await findControls(page, name);
    for (const control of waitedMs() < exactOnlyMs ? exact : [...exact, ...similar]) {
      if ((await control.count()) === 0) continue;
      await control.first().click({ timeout: patienceMs });
      return;
    }
    await page.waitForTimeout(100);
  }
  throw new Error(`nothing on the page is called ${name}`);
}

async function take(page: Page, step: Step, patienceMs = usualPatienceMs): Promise<void> {
  if (step.kind === 'write')
    await page.getByRole('dialog').getByLabel(step.name).first().fill(step.text, { timeout: patienceMs });
  else if (step.kind === 'choose') await choose(page, step.name, patienceMs);
  else
    await page
      .getByText(step.name)
      .or(page.getByRole('button', { name: step.name }))
      .first()
      .waitFor({ timeout: patienceMs });
}

const page = readFileSync(fileURLToPath(new URL('../../docs/how-to/use-the-dashboard.md', import.meta.url)), 'utf8');
const stories = storiesOf(page);

it('finds the stories of the page', () => {
  expect(stories.map(({ steps }) => steps.length)).toEqual([7, 9, 9, 10, 4]);
});

describe.skipIf(whyNoBrowser !== undefined)(
  `the how-to of the dashboard${whyNoBrowser ? ` (${whyNoBrowser})` : ''}`,
  () => {
    let dashboard: Dashboard;
    let visitor: Page;
    beforeAll(async () => {
      dashboard = await openDashboard();
      const { stdout, code } = await runProgram(['demo', '--json'], dashboard.env);
      expect(code).toBe(0);
      const { link } = JSON.parse(stdout) as { readonly link: string };
      visitor = await (await dashboard.browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
      await visitor.goto(`${dashboard.served.url}/sign-in#${link.split('#')[1]}`);
      await visitor.getByRole('link', { name: 'Home' }).waitFor();
    });
    afterAll(() => dashboard.close());

    it.each(stories)('$title', async ({ title, steps }) => {
      for (const step of steps) await take(visitor, step);
      await keepScreenshot(visitor, title);
    });

    it('negative control: a step that names nothing on the page fails', async () => {
      await expect(take(visitor, { kind: 'choose', name: 'Nothing of this name' }, 500)).rejects.toThrow(
        'nothing on the page',
      );
      await expect(take(visitor, { kind: 'see', name: 'Nothing of this text' }, 500)).rejects.toThrow('Timeout');
    });
  },
);
