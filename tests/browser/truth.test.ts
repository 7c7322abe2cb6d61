import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPdf } from '#domains/truth/files/sample-files.fixture.ts';
import { runProgram } from '#tests/support/program.ts';
import { type Dashboard, findAxeViolations, keepScreenshot, openDashboard, whyNoBrowser } from './support/browser.ts';

const invoiceText = [
  'Acme Tools GmbH',
  'INVOICE',
  'Invoice number: INV-2026-0042',
  'Invoice date: 31 May 2026',
  'Bill to:',
  'Globex Corporation',
  'Total due: EUR 1,444.66',
].join('\n');

const script = '<script>globalThis.isHacked = true</script>';
const picture = '<svg onload="globalThis.isHacked = true"><a href="javascript:1">x</a></svg>';
const rightToLeft = '\u202Eevil\u202C שלום';

describe.skipIf(whyNoBrowser !== undefined)(`truth in the dashboard${whyNoBrowser ? ` (${whyNoBrowser})` : ''}`, () => {
  let dashboard: Dashboard;
  const ids: Record<string, string> = {};
  const widePage = { width: 1280, height: 900 };

  async function fact(type: string, name: string, fields: object, more: object = {}): Promise<string> {
    const answer = await dashboard.call('store_fact', { subject: { type, name }, fields, ...more });
    expect(answer).toHaveProperty('entity_id');
    return String(answer['entity_id']);
  }

  beforeAll(async () => {
    dashboard = await openDashboard();
    ids['alice'] = await fact(
      'person',
      'Alice Smith',
      { employer: 'Acme' },
      { effective_at: '2026-01-01', source: 'letter' },
    );
    await fact('person', 'Alice Smith', { employer: 'Globex' }, { effective_at: '2026-05-01', source: 'call' });
    await dashboard.call('store_fact', {
      entity_id: ids['alice'],
      relations: [{ type: 'WORKS_AT', to: { type: 'company', name: 'Globex' } }],
    });
    ids['muller'] = await fact('company', 'Müller Logistics', { city: 'Bonn' });
    ids['mueller'] = await fact('company', 'Mueller Logistics', { phone: '0228 1' });
    for (const [city, source] of [
      ['Bonn', 'register'],
      ['Ulm', 'website'],
    ]) {
      ids['disputed'] = await fact('company', 'Hooli', { seat: city }, { effective_at: '2026-02-03', source });
    }
    ids['hostile'] = await fact('person', `Mallory ${picture}`, {
      script,
      picture,
      line: 'x'.repeat(1_000_000),
      direction: rightToLeft,
    });
    const content_base64 = Buffer.from(invoiceText).toString('base64');
    const { record } = await dashboard.call('upload_file', { content_base64, file_name: 'invoice.txt' });
    ids['record'] = (record as { id: string }).id;
  });
  afterAll(() => dashboard.close());

  it('an engineer asks where a number came from, with the keyboard', async () => {
    const { page, problems } = await dashboard.visit('/truth', widePage);
    await page.getByRole('listbox', { name: 'Entities' }).getByText('Alice Smith', { exact: false }).first().waitFor();
    await keepScreenshot(page, 'truth-list');
    await page.keyboard.press('/');
    await page.keyboard.type('INV-2026-0042');
    await page
      .getByRole('option', { name: /INV-2026-0042/ })
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('INV-2026-0042');
    // From the search field over the types to the list.
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    const amount = page.getByRole('button', { name: '1444.66' });
    await amount.waitFor();
    await keepScreenshot(page, 'truth-entity');
    await amount.focus();
    await page.keyboard.press('s');
    const panel = page.getByRole('dialog', { name: 'How do we know?' });
    await panel.getByText('Total due: EUR', { exact: false }).waitFor();
    await panel.getByText('invoice.txt').waitFor();
    // Who uploaded the file.
    await panel.getByText('Recorded by').waitFor();
    expect(new URL(page.url()).searchParams.get('field')).toBe('amount');
    await keepScreenshot(page, 'truth-source');
    await page.getByRole('button', { name: 'INV-2026-0042' }).click();
    await panel.getByText('Invoice number:', { exact: false }).waitFor();
    expect(new URL(page.url()).searchParams.get('field')).toBe('invoice_number');
    // The document writes the day in another way.
    await page.getByRole('button', { name: '2026-05-31' }).click();
    await panel.getByText('31 May 2026').waitFor();
    await page.goBack();
    await page.goBack();
    await panel.getByText('Total due: EUR', { exact: false }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    // The address is the state: a copy of it shows the same.
    const copy = await page.context().newPage();
    await copy.goto(page.url());
    await copy.getByRole('dialog', { name: 'How do we know?' }).getByText('Total due: EUR', { exact: false }).waitFor();
    await panel.getByRole('link', { name: 'invoice.txt' }).click();
    await page.getByRole('heading', { level: 1, name: 'invoice.txt' }).waitFor();
    const extracted = page.getByRole('region', { name: 'What was extracted' });
    await extracted.getByText('INV-2026-0042').first().waitFor();
    await page.getByRole('region', { name: 'File' }).getByText('Bill to:', { exact: false }).waitFor();
    expect(await page.getByRole('region', { name: 'Text that was read' }).locator('mark').count()).toBeGreaterThan(0);
    await keepScreenshot(page, 'truth-record');
    expect(await findAxeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('shows a PDF file, or only its text where the browser cannot', async () => {
    const content_base64 = buildPdf(['Delivery note 77', 'Twelve frames, blue']).toString('base64');
    const { record } = await dashboard.call('upload_file', { content_base64, file_name: 'note.pdf' });
    const { page, problems } = await dashboard.visit('/truth', widePage);
    const file = page.getByRole('region', { name: 'File' });
    for (const canShow of [true, false]) {
      await page.addInitScript(
        `Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => ${canShow}, configurable: true });`,
      );
      await page.goto(`${dashboard.served.url}/truth/records?id=${(record as { id: string }).id}`);
      await file.getByRole('link', { name: 'Download note.pdf' }).waitFor();
      expect(await file.locator('iframe').count()).toBe(canShow ? 1 : 0);
      expect(await file.getByText('This browser does not show PDF files.').count()).toBe(canShow ? 0 : 1);
      await page.getByRole('region', { name: 'Text that was read' }).getByText('Twelve frames, blue').waitFor();
    }
    await keepScreenshot(page, 'truth-pdf');
    expect(problems).toEqual([]);
  });

  it('moves the time to April and sees the earlier employer', async () => {
    const { page, problems } = await dashboard.visit(`/truth/${ids['alice']}`, widePage);
    await page.getByRole('button', { name: 'Globex' }).waitFor();
    await page.getByText('employer is Globex since 2026-05-01, from call by first').waitFor();
    await page.getByLabel('True at: type a date').fill('2026-04-30');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Acme' }).waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBe('2026-04-30');
    await keepScreenshot(page, 'truth-april');
    await page.getByRole('slider', { name: 'True at' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Globex' }).waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBeNull();
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'Acme' }).waitFor();
    await page.goto(`${dashboard.served.url}/truth/${ids['alice']}?at=2020`);
    await page.getByText('known from', { exact: false }).waitFor();
    expect(problems).toEqual([]);
  });

  it('corrects a field and takes it back', async () => {
    const { page, problems } = await dashboard.visit(`/truth/${ids['alice']}`, widePage);
    await page.getByRole('button', { name: 'Correct employer' }).click();
    await page.getByLabel('Right value').fill('Initech');
    await page.getByLabel('Reason').fill('She said so');
    await keepScreenshot(page, 'truth-correct');
    await page.getByRole('button', { name: 'Correct', exact: true }).click();
    await page.getByRole('button', { name: 'Initech' }).waitFor();
    await page.getByRole('button', { name: 'History of employer' }).click();
    const history = page.getByRole('list', { name: 'History of employer' });
    await history.getByText('correction by', { exact: false }).waitFor();
    await keepScreenshot(page, 'truth-history');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Globex' }).waitFor();
    await history.getByText('retracted').waitFor();
    // A statement that is taken back by mistake comes back.
    await page.getByRole('button', { name: 'Globex' }).click();
    await page.getByRole('button', { name: 'Retract this statement…' }).click();
    await page.getByLabel('Reason').fill('Another Alice');
    await page.getByRole('button', { name: 'Retract', exact: true }).click();
    await page.getByRole('button', { name: 'Acme' }).waitFor();
    await history.getByText('Reason: Another Alice').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Globex' }).waitFor();
    await page.keyboard.press('Escape');
    // What was known before the correction was taken back.
    await page.getByLabel('Only what was known at a time').check();
    await page.getByRole('slider', { name: 'As known at' }).focus();
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'Initech' }).waitFor();
    expect(new URL(page.url()).searchParams.get('as_known_at')).toMatch(/^20\d\d-/);
    expect(await page.getByRole('button', { name: 'Correct employer' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('merges two companies that look alike, and undoes it', async () => {
    const { page, problems } = await dashboard.visit('/truth/duplicates', widePage);
    await page.getByRole('option', { name: /Logistics/ }).click();
    await page.getByText('0228 1').waitFor();
    await keepScreenshot(page, 'truth-duplicates');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keep Müller Logistics, merge the other…' }).click();
    await page.getByText('statement is added', { exact: false }).waitFor();
    await keepScreenshot(page, 'truth-merge');
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByText('is now a part of', { exact: false }).waitFor();
    await page.goto(`${dashboard.served.url}/truth/${ids['mueller']}`);
    await page.getByText('This address was merged into', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Unmerge Mueller Logistics' }).click();
    await page.getByText('statement goes back', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Unmerge', exact: true }).click();
    await page.getByText('is an entity of its own again', { exact: false }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Mueller Logistics' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('compares two statements that disagree, and accepts one', async () => {
    const { page, problems } = await dashboard.visit(`/truth/${ids['disputed']}`, widePage);
    // Badges make the bar wider: on a narrow screen it scrolls to the active page again.
    const narrow = await dashboard.visit('/sign-in', { width: 320 });
    let sendBadges = () => {};
    const isAsked = new Promise<void>((resolve) => {
      sendBadges = resolve;
    });
    await narrow.page.route('**/api/tools/overview', async (route) => {
      await isAsked;
      await route.continue();
    });
    await narrow.page.goto(`${dashboard.served.url}/truth/records`);
    const active = narrow.page.locator('.section-nav [data-active="true"]');
    const bar = narrow.page.getByRole('navigation', { name: 'Truth' });
    const rightEdge = async () => {
      const { x, width } = (await active.boundingBox())!;
      return x + width;
    };
    await expect.poll(rightEdge).toBeLessThanOrEqual(320);
    sendBadges();
    await bar.getByRole('link', { name: /Contradictions \d/ }).waitFor();
    await expect.poll(rightEdge).toBeLessThanOrEqual(320);
    await narrow.context.close();
    await page.getByRole('link', { name: 'Compare the statements' }).click();
    await page.getByRole('region', { name: 'Bonn' }).getByText('register').waitFor();
    await page.getByRole('region', { name: 'Ulm' }).getByText('website').waitFor();
    await keepScreenshot(page, 'truth-contradiction');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Accept…' }).click();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByText('No sources disagree.').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    // Two files disagree: each is named, with the words that state the value.
    const content_base64 = Buffer.from(invoiceText.replace('1,444.66', '1,250.00')).toString('base64');
    await dashboard.call('upload_file', { content_base64, file_name: 'reminder.txt' });
    await page.getByRole('option', { name: /INV-2026-0042/ }).click();
    const reminder = page.getByRole('region', { name: '1250' });
    await reminder.getByRole('link', { name: 'reminder.txt' }).waitFor();
    await reminder.getByText('Total due: EUR 1,250.00', { exact: false }).waitFor();
    const link = page.url();
    await page.getByRole('button', { name: 'Accept…' }).click();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByText('No sources disagree.').waitFor();
    // A link to a closed one still leads there.
    await page.goto(link);
    await page.getByRole('button', { name: 'Look among all' }).click();
    await page.getByText('Closed by accept', { exact: false }).waitFor();
    expect(problems).toEqual([]);
  });

  it('shows hostile values as text, also on a narrow dark screen', async () => {
    const narrow = await dashboard.visit(`/truth/${ids['hostile']}`, { width: 360, height: 740, theme: 'dark' });
    await narrow.page.getByRole('button', { name: script }).waitFor();
    await narrow.page.getByRole('button', { name: picture, exact: true }).waitFor();
    await keepScreenshot(narrow.page, 'truth-hostile-narrow');
    expect(await narrow.page.locator('html').evaluate((html) => html.scrollWidth)).toBe(360);
    const { page, problems } = await dashboard.visit(`/truth/${ids['hostile']}?field=line`, {
      ...widePage,
      theme: 'dark',
    });
    await page.getByRole('dialog', { name: 'How do we know?' }).getByText('xxx', { exact: false }).first().waitFor();
    expect((await page.content()).length).toBeLessThan(200_000);
    await keepScreenshot(page, 'truth-hostile');
    expect(await findAxeViolations(page)).toEqual([]);
    for (const one of [narrow.page, page]) expect(await one.evaluate(() => 'isHacked' in globalThis)).toBe(false);
    expect([...problems, ...narrow.problems]).toEqual([]);
  });

  it('shows neighbours as a list and as a graph that comes to rest', async () => {
    const hub = await fact('company', 'Hub', {});
    for (let at = 0; at < 300; at += 100) {
      const relations = Array.from({ length: 100 }, (_, i) => ({
        type: 'OWNS',
        to: { type: 'company', name: `Part ${at + i}` },
      }));
      await dashboard.call('store_fact', { entity_id: hub, relations });
    }
    const { page } = await dashboard.visit(`/truth/${hub}?graph=1`, widePage);
    await page.getByRole('list', { name: 'Neighbours' }).getByRole('link').first().waitFor();
    await page.getByRole('button', { name: 'Show up to 1000' }).click();
    await expect.poll(() => page.getByRole('list', { name: 'Neighbours' }).getByRole('link').count()).toBe(300);
    const drawn = page.locator('.truth-graph[data-settled="true"]');
    await drawn.or(page.getByText('WebGL is off', { exact: false })).waitFor();
    await keepScreenshot(page, 'truth-graph');

    // A click chooses; what is around the chosen one can be added.
    const chain = ['Near', 'Second', 'Third', 'Fourth'];
    const [near] = await Promise.all(chain.map((one) => fact('company', one, {})));
    for (const [i, one] of chain.slice(0, -1).entries()) {
      const relations = [{ type: 'OWNS', to: { type: 'company', name: chain[i + 1] } }];
      await dashboard.call('store_fact', { subject: { type: 'company', name: one }, relations });
    }
    await page.goto(`${dashboard.served.url}/truth/${near}?graph=1`);
    await page.getByText('2 entities within two steps').waitFor();
    await drawn.or(page.getByText('WebGL is off', { exact: false })).waitFor();
    if ((await drawn.count()) > 0) {
      // The same layout each time.
      await drawn.click({ position: { x: 301, y: 450 } });
      await page.getByRole('status').getByText('Third').waitFor();
      expect(page.url()).toContain(near);
      await page.getByRole('button', { name: 'Expand' }).click();
      await page.getByText('3 entities shown').waitFor();
      await drawn.waitFor();
      await page.getByRole('link', { name: 'Open', exact: true }).scrollIntoViewIfNeeded();
      await keepScreenshot(page, 'truth-graph-expanded');
      expect(await findAxeViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Open', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Third' }).waitFor();
    }

    // The list of all these has places for each, and loads those that are looked at.
    const { total } = (await dashboard.call('retrieve_entities', { limit: 1 })) as { total: number };
    const calls: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/retrieve_entities')) calls.push(request.postDataJSON());
    });
    await page.goto(`${dashboard.served.url}/truth`);
    const list = page.getByRole('listbox', { name: 'Entities' });
    await list.getByRole('option').first().getByRole('strong').waitFor();
    await list.focus();
    await page.keyboard.press('End');
    const last = list.locator(`[aria-posinset="${total}"][aria-setsize="${total}"]`);
    await last.getByText('Alice Smith').waitFor();
    expect(calls).not.toContainEqual(expect.objectContaining({ offset: 100 }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Alice Smith' }).waitFor();
  });

  it('offers a reader no changes, and finds nothing of another tenant', async () => {
    const newKey = async (...more: string[]) =>
      (
        JSON.parse(
          (await runProgram(['keys', 'create', '--name', 'one', '--json', ...more], dashboard.env)).stdout,
        ) as { key: string }
      ).key;
    const reader = await newKey('--scopes', 'read');
    const { page } = await dashboard.visit(`/truth/${ids['alice']}`, { ...widePage, key: reader });
    await page.getByRole('button', { name: 'History of employer' }).waitFor();
    for (const name of ['Merge…', 'Correct employer']) expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.getByText('from call by first').first().waitFor();
    await keepScreenshot(page, 'truth-reader');
    expect(await page.getByText('key:').count()).toBe(0);
    const stranger = await newKey('--scopes', 'write', '--tenant', 'other');
    const other = await dashboard.visit(`/truth/${ids['alice']}?field=employer`, { ...widePage, key: stranger });
    await other.page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    expect(await other.page.getByText('Globex').count()).toBe(0);
    await other.page.goto(`${dashboard.served.url}/truth/records?id=${ids['record']}`);
    await other.page.getByText('No record has this address.').waitFor();
    expect(await other.page.getByText('INV-2026').count()).toBe(0);
  });

  it('an admin forgets an entity after typing its name, and gets a certificate', async () => {
    const id = await fact('person', 'Nina Weber', { city: 'Ulm' });
    const { page, problems } = await dashboard.visit(`/truth/${id}`, widePage);
    await page.getByRole('button', { name: 'Forget…' }).click();
    await page.getByText('Removed for good: 1 entity,', { exact: false }).waitFor();
    // Another name is refused, and nothing is removed.
    await page.getByLabel('Type nina weber to confirm').fill('nina');
    await page.getByRole('button', { name: 'Forget', exact: true }).click();
    await page.getByText('confirm must be the name', { exact: false }).waitFor();
    await page.getByLabel('Type nina weber to confirm').fill('nina weber');
    await page.getByRole('button', { name: 'Forget', exact: true }).click();
    await page.getByRole('heading', { name: 'Forgotten' }).waitFor();
    await page.getByRole('button', { name: 'Copy certificate' }).waitFor();
    // The address shows the certificate again.
    await page.reload();
    expect(await page.getByText(/^fgt_/).innerText()).toBe(new URL(page.url()).searchParams.get('certificate'));
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await dashboard.call('get_entity_snapshot', { entity_id: id })).toMatchObject({
      error: { code: 'ENTITY_NOT_FOUND' },
    });
    expect(problems).toEqual([]);
  });
});
