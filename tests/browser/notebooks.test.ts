import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Dashboard,
  findAxeViolations,
  findCutControls,
  keepScreenshot,
  openDashboard,
  whyNoBrowser,
} from './support/browser.ts';

const md = (content: string, more: object = {}) => ({ language: 'md', content, ...more });

const rtl = '\u202Eevil\u202C שלום';
const hostileCells = [
  md('<script>document.title = "owned"</script> [link](javascript:alert(1)) ![x](https://example.test/x.png)'),
  { language: 'html', content: '<svg onload="document.title=\'owned\'"><script>1</script></svg>' },
  { language: 'json', content: JSON.stringify([{ name: '<img src=x onerror=alert(1)>', note: rtl }]) },
  { language: 'txt', content: `${'long '.repeat(200_000)}end` },
];

describe.skipIf(whyNoBrowser !== undefined)(`the notebook pages${whyNoBrowser ? ` (${whyNoBrowser})` : ''}`, () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await openDashboard();
    await dashboard.call('scratch_create', {
      scratch_id: 'plan',
      metadata: { title: 'Release plan', namespace: 'release', tags: ['draft'], description: 'What ships in May.' },
      cells: [
        md('# Goals\n\nShip the **dashboard**.\n\n| step | who |\n|---|---|\n| build | Ada |', { cell_id: 'goals' }),
        { language: 'py', content: 'def ship():\n    return "done"\n', cell_id: 'code', tags: ['code'] },
        { language: 'json', content: '{"steps": [{"name": "build", "done": true}]}', cell_id: 'steps' },
        { language: 'json', content: '[{"city": "Oslo", "people": 717710}]', cell_id: 'table' },
      ],
    });
  });
  afterAll(() => dashboard?.close());

  const cellOf = (page: Page, number: number) => page.getByRole('region', { name: `Cell ${number}`, exact: true });
  const textOf = async (scratch_id: string) => {
    const { scratchpad } = (await dashboard.call('scratch_read', { scratch_id })) as {
      scratchpad: { cells: { content: string }[] };
    };
    return scratchpad.cells.map(({ content }) => content);
  };

  const focused = (page: Page) => page.evaluate<string | null>("document.activeElement?.getAttribute('aria-label')");

  it('shows a pad like a document, in both themes and on a narrow screen', async () => {
    const { page, problems } = await dashboard.visit('/notebooks');
    await page.getByRole('option', { name: /Release plan/ }).waitFor();
    await keepScreenshot(page, 'notebooks');
    await page.keyboard.press('/');
    await page.keyboard.type('gols');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    // The address follows each key, and must not move the caret to the end.
    for (const key of 'al') {
      await page.keyboard.press(key);
      await expect.poll(() => page.url()).toContain(key === 'a' ? 'q=goals' : 'q=goalls');
    }
    await page.keyboard.press('Backspace');
    expect(await page.getByRole('searchbox').inputValue()).toBe('goals');
    await page.getByRole('option', { name: /Goals/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('cell=goals');
    await page.getByRole('heading', { level: 1, name: 'Release plan' }).waitFor();
    await page.getByRole('heading', { name: 'Goals' }).waitFor();
    await page.getByRole('cell', { name: 'Ada' }).waitFor();
    await page.getByRole('columnheader', { name: 'city' }).waitFor();
    await page.getByText('return "done"').waitFor();
    await keepScreenshot(page, 'pad');
    expect(await findAxeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
    const dark = await dashboard.visit('/notebooks/plan?cell=code', { width: 360, theme: 'dark' });
    await dark.page.getByRole('heading', { level: 1, name: 'Release plan' }).waitFor();
    await dark.page.getByText('return "done"').waitFor();
    await keepScreenshot(dark.page, 'pad-narrow-dark');
    expect(await dark.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await findAxeViolations(dark.page)).toEqual([]);
  });

  it('edits a cell in place with the keyboard and shows a syntax error at its line', async () => {
    const { page, problems } = await dashboard.visit('/notebooks/plan?cell=code');
    await page.getByText('return "done"').waitFor();
    await page.keyboard.press('e');
    const editor = cellOf(page, 2).getByRole('textbox', { name: 'Text of cell 2' });
    await editor.waitFor();
    await expect.poll(() => focused(page)).toBe('Text of cell 2');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('def ship():\nreturn (\n');
    await cellOf(page, 2).getByRole('list', { name: 'Errors' }).getByText('Line 2:').first().waitFor();
    await keepScreenshot(page, 'cell-error');
    expect(problems).toEqual([]);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('shipped = True');
    const saves = '**/api/tools/scratch_replace_cell';
    await page.route(saves, (route) => route.abort('connectionrefused'));
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your text is kept here.').waitFor();
    await page.unroute(saves);
    await page.keyboard.press('Control+Enter');
    await editor.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Edit cell 2');
    expect((await textOf('plan'))[1]).toBe('shipped = True');
    expect(problems).toEqual([]);
  });

  it('shows what a cell said before and brings it back', async () => {
    const { page } = await dashboard.visit('/notebooks/plan');
    await page.getByRole('button', { name: 'History of cell 2' }).click();
    const panel = page.getByRole('dialog', { name: 'History of the cell' });
    await panel.getByText('replaced').waitFor();
    await panel
      .getByRole('button', { name: /Show change/ })
      .first()
      .click();
    await panel.locator('.cm-deletedChunk').getByText('return "done"').waitFor();
    await keepScreenshot(page, 'history');
    expect(await findAxeViolations(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Bring back version 1' }).click();
    await panel.getByText('restored').waitFor();
    expect((await textOf('plan'))[1]).toBe('def ship():\n    return "done"\n');
  });

  it('moves and tags cells', async () => {
    const { page } = await dashboard.visit('/notebooks/plan?cell=table');
    await cellOf(page, 4).getByRole('cell', { name: 'Oslo' }).waitFor();
    await page.keyboard.press('[');
    await cellOf(page, 3).getByRole('cell', { name: 'Oslo' }).waitFor();
    // The keyboard stays with the cell that it moves.
    await page.getByRole('button', { name: 'Move up cell 3' }).press('Enter');
    await expect.poll(() => focused(page)).toBe('Move up cell 2');
    await page.getByRole('button', { name: 'Move down cell 2' }).press('Enter');
    await expect.poll(() => focused(page)).toBe('Move down cell 3');
    await page.getByRole('button', { name: 'Edit cell 3' }).click();
    await page.getByLabel('Tags').fill('cities, facts');
    await page.getByRole('button', { name: 'Save' }).click();
    await cellOf(page, 3).getByText('cities').waitFor();
    const { cells } = (await dashboard.call('scratch_list_cells', { scratch_id: 'plan', tags: ['facts'] })) as {
      cells: { cell_id: string; index: number }[];
    };
    expect(cells).toMatchObject([{ cell_id: 'table', index: 2 }]);
    // The cell in the place of a deleted one gets the focus.
    await page.getByRole('button', { name: 'Delete cell 3' }).press('Enter');
    await expect.poll(() => focused(page)).toBe('Edit cell 3');
    await page.getByRole('button', { name: 'Undo' }).click();
    await cellOf(page, 3).getByText('cities').waitFor();
    // The cell that had the focus before has it again.
    expect(await focused(page)).toBe('Edit cell 4');
  });

  it.each([1280, 360])('keeps the Save button in view when a message comes, %i pixels wide', async (width) => {
    const scratch_id = `room-${width}`;
    await dashboard.call('scratch_create', { scratch_id, cells: ['first', 'last'].map((text) => md(text)) });
    const { page } = await dashboard.visit(`/notebooks/${scratch_id}`, { width });
    const edit = async (number: number, text: string) => {
      await page.getByRole('button', { name: `Edit cell ${number}` }).click();
      await page.getByRole('textbox', { name: `Text of cell ${number}` }).fill(text);
    };
    const answers: (() => Promise<void>)[] = [];
    await page.route('**/api/tools/scratch_*', (route) => {
      if (route.request().postData()?.includes('changed last') && !route.request().url().includes('validate'))
        answers.push(() => route.continue());
      else void route.continue();
    });
    await edit(2, 'changed last');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => answers.length).toBe(1);
    await edit(1, 'changed first');
    const save = cellOf(page, 1).getByRole('button', { name: 'Save' });
    const bottomOf = async (part: typeof save) => {
      const { y, height } = (await part.boundingBox())!;
      return y + height;
    };
    // The button is at the lower edge of the page.
    const below = (await bottomOf(page.locator('.page'))) - (await bottomOf(save));
    await page.setViewportSize({ width, height: Math.ceil(800 - below + 4) });
    await answers[0]?.();
    await page.getByText('The cell was saved.').waitFor();
    await keepScreenshot(page, `message-${width}`);
    const message = await page.getByRole('button', { name: 'Dismiss' }).boundingBox();
    expect(await bottomOf(save)).toBeLessThanOrEqual(message!.y);
    await page.context().close();
  });

  it('shows both versions if another browser changed the cell, and loses neither', async () => {
    await dashboard.call('scratch_create', { scratch_id: 'shared', cells: [md('first', { cell_id: 'a' })] });
    const [one, two] = [await dashboard.visit('/notebooks/shared'), await dashboard.visit('/notebooks/shared')];
    for (const [{ page }, text] of [
      [one, 'from one'],
      [two, 'from two'],
    ] as const) {
      await page.getByRole('button', { name: 'Edit cell 1' }).click();
      await page.getByRole('textbox', { name: 'Text of cell 1' }).fill(text);
    }
    await one.page.getByRole('button', { name: 'Save' }).click();
    await one.page.getByText('The cell was saved.').waitFor();
    await two.page.getByRole('button', { name: 'Save' }).click();
    await two.page.getByText('Somebody changed this cell').waitFor();
    await two.page.getByText('from one').first().waitFor();
    await keepScreenshot(two.page, 'conflict');
    expect(await textOf('shared')).toEqual(['from one']);
    await two.page.getByRole('button', { name: 'Replace theirs with mine' }).click();
    await two.page.getByText('The cell was saved.').waitFor();
    expect(await textOf('shared')).toEqual(['from two']);
    const { changes } = (await dashboard.call('scratch_history', { scratch_id: 'shared', cell_id: 'a' })) as {
      changes: { preview?: string }[];
    };
    expect(changes.map(({ preview }) => preview)).toEqual(['from one', 'first', undefined]);
  });

  it('deletes a pad and restores it from the trash', async () => {
    await dashboard.call('scratch_create', {
      scratch_id: 'old',
      metadata: { title: 'Old notes' },
      cells: [md('kept')],
    });
    const { page } = await dashboard.visit('/notebooks/old');
    await page.getByText('kept').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Old notes is in the trash.').waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Restore Old notes' }).waitFor();
    await keepScreenshot(page, 'trash');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await findCutControls(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore Old notes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Old notes' }).waitFor();
    expect(await textOf('old')).toEqual(['kept']);
  });

  it('opens a pad that is called like a page, changes its title with undo, and moves a cell by drag and drop', async () => {
    const cells = ['first', 'second', 'third'].map((text) => md(text));
    await dashboard.call('scratch_create', { scratch_id: 'trash', metadata: { title: 'Old title' }, cells });
    const { page, problems } = await dashboard.visit('/notebooks/trash');
    const isCalled = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    await isCalled('Old title');
    await page.keyboard.press('t');
    await page.getByRole('dialog').getByLabel('Title').fill('New title');
    await page.keyboard.press('Enter');
    await isCalled('New title');
    await page.getByRole('button', { name: 'Undo' }).click();
    await isCalled('Old title');
    const box = await cellOf(page, 3).boundingBox();
    await cellOf(page, 1)
      .locator('header')
      .dragTo(cellOf(page, 3), {
        sourcePosition: { x: 6, y: 6 },
        targetPosition: { x: 6, y: (box?.height ?? 0) - 4 },
      });
    await expect.poll(() => textOf('trash')).toEqual(['second', 'third', 'first']);
    expect(problems).toEqual([]);
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
  });

  it('edits a cell whose content did not fit into the answer with the pad, and loses none of it', async () => {
    const filler = { language: 'txt', content: 'x'.repeat(1_000_000) };
    await dashboard.call('scratch_create', { scratch_id: 'big', cells: [filler, filler, filler, filler] });
    for (let part = 0; part < 5; part += 1) {
      await dashboard.call('scratch_append_cell', { scratch_id: 'big', cell: filler });
    }
    await dashboard.call('scratch_append_cell', { scratch_id: 'big', cell: md('precious', { cell_id: 'last' }) });
    const { page } = await dashboard.visit('/notebooks/big?cell=last');
    await cellOf(page, 10).getByRole('button', { name: 'Edit cell 10' }).click();
    const editor = cellOf(page, 10).getByRole('textbox', { name: 'Text of cell 10' });
    await editor.getByText('precious').waitFor();
    await editor.press('Control+End');
    await page.keyboard.type(' words');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The cell was saved.').waitFor();
    const { scratchpad } = (await dashboard.call('scratch_read', { scratch_id: 'big', cell_ids: ['last'] })) as {
      scratchpad: { cells: { content: string }[] };
    };
    expect(scratchpad.cells[0]?.content).toBe('precious words');
  });

  it('opens the cell of an address although the cells above it grow, and names JSON that cannot be read', async () => {
    const table = JSON.stringify(Array.from({ length: 150 }, (_, i) => ({ city: `City ${i}`, people: i })));
    const cells = [table, table, '{ "place": "B4", }'].map((content) => ({ language: 'json', content }));
    await dashboard.call('scratch_create', {
      scratch_id: 'tall',
      cells: [...cells, md('the target', { cell_id: 'z' })],
    });
    const { page } = await dashboard.visit('/notebooks/tall?cell=z');
    await page.getByText('Not valid JSON').waitFor();
    const top = async () => (await page.getByText('the target').boundingBox())?.y;
    await expect.poll(top).toBeLessThan(800);
    expect(await top()).toBeGreaterThan(0);
  });

  it('saves a pad as a notebook, and shows hostile cells as text', async () => {
    await dashboard.call('scratch_create', { scratch_id: 'bad', metadata: { title: rtl }, cells: hostileCells });
    const { page, problems } = await dashboard.visit('/notebooks/bad');
    await page.getByText('document.title = "owned"', { exact: false }).first().waitFor();
    await page.getByText('<svg onload', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: /more characters/ }).waitFor();
    await page.getByRole('cell', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    expect(await page.title()).not.toContain('owned');
    expect(await page.locator('.cell svg, .cell script, .cell img').count()).toBe(0);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    await keepScreenshot(page, 'hostile');
    expect(problems).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '.ipynb' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('bad.ipynb');
  });

  it('offers a reader no changes, and another tenant nothing', async () => {
    const { key } = (await dashboard.call('keys_create', { name: 'reader', scopes: ['read'] })) as { key?: string };
    expect(key).toBeDefined();
    const { page } = await dashboard.visit('/notebooks/plan', { key: key! });
    await page.getByRole('heading', { name: 'Goals' }).waitFor();
    expect(await page.getByRole('button', { name: /Edit|Delete|Add a cell|New/ }).count()).toBe(0);
    const other = (await dashboard.call('keys_create', { name: 'other', scopes: ['admin'], tenant: 'other' })) as {
      key: string;
    };
    const stranger = await dashboard.visit('/notebooks/plan', { key: other.key });
    await stranger.page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    expect(await stranger.page.getByText('Goals').count()).toBe(0);
  });
});
