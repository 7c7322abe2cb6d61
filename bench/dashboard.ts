import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../tests/browser/support/launch.ts';
import { watchCalls } from '../tests/browser/support/settled.ts';
import { distFolder, firstLine, makeHome, programFile, runProgram, type Started, start } from './processes.ts';
import type { Row } from './table.ts';
import { spreadOf } from './timing.ts';
import { fill, sizeOr } from './truth.ts';

const rounds = 10;
const pageChangesCount = 1_000;
const warmPageChangesCount = 100;
const slowDown = 4;
/** The longest of few keys or frames varies with whatever else the machine does. */
const shortRounds = 5;
const rowsCount = sizeOr(100_000);
const cellsPerPad = 1_000;
const observationsEach = 3;

interface Server {
  readonly url: string;
  readonly key: string;
  readonly program: Started;
}

async function startServer(env: Readonly<Record<string, string>>): Promise<Server> {
  const create = ['keys', 'create', '--name', 'bench', '--scopes', 'admin', '--json'];
  const { key } = JSON.parse(await runProgram(create, env)) as { key: string };
  const program = start(programFile, ['serve', '--port', '0'], env);
  const url = /http:\/\/\S+/.exec(await firstLine(program.child))?.[0] ?? '';
  return { url, key, program };
}

async function callTool<T>({ url, key }: Server, name: string, args: object): Promise<T> {
  const answer = await fetch(`${url}/api/tools/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(args),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
}

async function signIn(browser: Browser, { url, key }: Server): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.request.post(`${url}/api/session`, { data: { credential: key }, headers: { origin: url } });
  return context;
}

/** The moment after the frame in which an element of this selector is first shown. */
const watchPaint = (selector: string): string => `
  const look = () => document.querySelector(${JSON.stringify(selector)})
    ? requestAnimationFrame(() => setTimeout(() => { window.paintedAt = performance.now(); }))
    : requestAnimationFrame(look);
  look();`;

/** A new profile each time, so nothing is cached. */
async function timeToPaint(browser: Browser, server: Server, address: string, selector: string): Promise<number> {
  const context = await signIn(browser, server);
  const page = await context.newPage();
  await page.addInitScript(watchPaint(selector));
  await page.goto(address);
  await page.waitForFunction(() => 'paintedAt' in globalThis);
  const ms = await page.evaluate<number>('window.paintedAt');
  await context.close();
  return ms;
}

/** Bytes that the browser receives for the first screen. */
function firstScreenBytes(): number {
  const folder = join(distFolder, 'dashboard');
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  return readdirSync(join(folder, 'assets'))
    .filter((name) => page.includes(name))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, 'assets', name))).length, page.length);
}

/** Alternates the page with a text file of the same size that the same program serves. */
async function comparePaint(browser: Browser, server: Server, what: string, path: string, selector: string) {
  const text = 'x '.repeat(firstScreenBytes() / 2);
  const upload = { content_base64: Buffer.from(text).toString('base64'), file_name: 'page.txt' };
  const uploaded = await callTool<{ file_url: string }>(server, 'upload_file', upload);
  const { signed_url } = await callTool<{ signed_url: string }>(server, 'get_file_url', {
    file_path: uploaded.file_url,
  });
  const [pages, statics]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    pages.push(await timeToPaint(browser, server, server.url + path, selector));
    statics.push(await timeToPaint(browser, server, signed_url, 'pre'));
  }
  return compare(`dashboard: first meaningful paint of ${what}`, spreadOf(pages).p50, spreadOf(statics).p50, 'ms', 4);
}

const compare = (what: string, value: number, baseline: number, unit: string, bar: number): Row => ({
  what,
  value,
  unit,
  baseline,
  ratio: value / baseline,
  bar: `< ${bar} ×`,
  isMet: value / baseline < bar,
});

async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
}

/** The longest time from a key to the next paint while a text is typed. */
async function timeTyping(page: Page, selector: string): Promise<number> {
  await throttle(page);
  await page.evaluate(`
    window.longestMs = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'keydown' || entry.name === 'keypress' || entry.name === 'input')
        window.longestMs = Math.max(window.longestMs, entry.duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: false });`);
  await page.locator(selector).click();
  await page.keyboard.type('deployment window of the cluster', { delay: 120 });
  await page.waitForTimeout(1_000);
  return page.evaluate<number>('Math.max(16, window.longestMs)');
}

/** Alternates the search over all cells with a field on an empty page. */
async function measureTyping(browser: Browser, server: Server): Promise<Row> {
  let searchesCount = 0;
  const [searching, empty]: [number[], number[]] = [[], []];
  for (let round = 0; round < shortRounds; round += 1) {
    const page = await (await signIn(browser, server)).newPage();
    page.on('response', (answer) => {
      if (answer.url().endsWith('/scratch_search') && answer.ok()) searchesCount += 1;
    });
    await page.goto(`${server.url}/notebooks`);
    await page.locator('.list [role="option"]').first().waitFor();
    searching.push(await timeTyping(page, '[data-filter]'));
    await page.context().close();
    const other = await openEmpty(browser);
    empty.push(await timeTyping(other, '#typed'));
    await other.context().close();
  }
  // Otherwise the time of typing would say nothing.
  if (searchesCount === 0) throw new Error('no search answered while the text was typed');
  return compare(
    `dashboard: typing a search over ${rowsCount} cells, longest key to paint, CPU ${slowDown} × slower`,
    spreadOf(searching).p50,
    spreadOf(empty).p50,
    'ms',
    3,
  );
}

const dragSteps = 120;

/** Moves through the whole list, as a person who drags the scrollbar to its end. */
const dragToEnd = (selector: string): string => `(async () => {
  const list = document.querySelector(${JSON.stringify(selector)});
  const end = list.scrollHeight - list.clientHeight;
  for (let step = 1; step <= ${dragSteps}; step += 1) {
    list.scrollTop = end * step / ${dragSteps};
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
})()`;

/** The longest frame while the wheel turns, and then the scrollbar is dragged to the end. */
async function timeScrolling(page: Page, selector: string): Promise<number> {
  await page.evaluate(`
    window.longestMs = 0;
    let last = performance.now();
    const next = (now) => { window.longestMs = Math.max(window.longestMs, now - last); last = now; requestAnimationFrame(next); };
    requestAnimationFrame(next);`);
  const box = await page.locator(selector).boundingBox();
  await page.mouse.move((box?.x ?? 0) + 50, (box?.y ?? 0) + 100);
  for (let turn = 0; turn < 100; turn += 1) {
    await page.mouse.wheel(0, 600);
    await page.waitForTimeout(16);
  }
  await page.evaluate(dragToEnd(selector));
  return page.evaluate<number>('window.longestMs');
}

/** A place in the list whose row is not there yet. */
const missingRow = '.list [role="option"]:not(:has(strong))';

/** Alternates the list of all entities with an empty scroller of the same height. */
async function measureScrolling(browser: Browser, server: Server): Promise<readonly Row[]> {
  const [listing, empty, ends]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < shortRounds; round += 1) {
    const page = await (await signIn(browser, server)).newPage();
    await page.goto(`${server.url}/truth`);
    await page.locator('.list [role="option"] strong').first().waitFor();
    listing.push(await timeScrolling(page, '.list'));
    const endedAt = performance.now();
    await page.locator(missingRow).first().waitFor({ state: 'detached' });
    ends.push(performance.now() - endedAt);
    const last = await page.locator('.list [role="option"]').last().getAttribute('aria-posinset');
    if (Number(last) < rowsCount) throw new Error(`the list ends at ${last}`);
    await page.context().close();
    const other = await openEmpty(browser);
    empty.push(await timeScrolling(other, '#tall'));
    await other.context().close();
  }
  return [
    compare(
      `dashboard: longest frame while a list of ${rowsCount} rows scrolls and is dragged to its end`,
      spreadOf(listing).p50,
      spreadOf(empty).p50,
      'ms',
      3,
    ),
    { what: 'dashboard: until the rows at the end of the list are there', value: spreadOf(ends).p50, unit: 'ms' },
  ];
}

const emptyPage = `<body><input id="typed"><div id="tall" style="height: 660px; overflow: auto">
  <div style="height: 5600000px"></div></div></body>`;

async function openEmpty(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.setContent(emptyPage);
  return page;
}

async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1024 / 1024;
}

/** Each page has the answers to all its calls before the next one is opened. */
async function changePages(page: Page, settled: () => Promise<void>, count: number): Promise<void> {
  const keys = ['i', 'k', 'n', 't', 'a', 'h'];
  for (let n = 0; n < count; n += 1) {
    await page.keyboard.press('g');
    await page.keyboard.press(keys[n % keys.length]!);
    await settled();
  }
}

async function measureMemory(browser: Browser, server: Server): Promise<Row> {
  const page = await (await signIn(browser, server)).newPage();
  const settled = watchCalls(page);
  await page.goto(server.url);
  await page.getByRole('navigation').first().waitFor();
  await changePages(page, settled, warmPageChangesCount);
  const before = await heapMb(page);
  await changePages(page, settled, pageChangesCount);
  const after = await heapMb(page);
  return compare(`dashboard: heap after ${pageChangesCount} page changes`, after, before, 'MB', 1.2);
}

async function fillPads(server: Server): Promise<void> {
  const words = ['deployment', 'cluster', 'window', 'invoice', 'retry', 'index', 'queue', 'budget', 'review', 'cache'];
  for (let pad = 0; pad * cellsPerPad < rowsCount; pad += 1) {
    const cells = Array.from({ length: cellsPerPad }, (_, n) => ({
      language: 'md',
      content: `${words[n % 10]} of the ${words[(n * 7 + pad) % 10]} number ${pad * cellsPerPad + n}`,
    }));
    await callTool(server, 'scratch_create', { scratch_id: `pad-${pad}`, cells });
  }
}

/** The web application in a real browser, on a store with many cells and entities. */
export async function benchDashboard(): Promise<readonly Row[]> {
  const { home, env: folder, remove } = makeHome();
  const env = { ...folder, FOURFOLD_EMBEDDING_MODEL: 'debug' };
  await fill(home, env, rowsCount * observationsEach);
  const [server, browser] = [await startServer(env), await launchBrowser()];
  try {
    await fillPads(server);
    const { entities } = await callTool<{ entities: { entity_id: string }[] }>(server, 'retrieve_entities', {
      limit: 1,
    });
    const rows: Row[] = [
      await comparePaint(browser, server, 'Home', '/', '.page h1'),
      await comparePaint(browser, server, 'an entity', `/truth/${entities[0]!.entity_id}`, '.page table td'),
    ];
    rows.push(...(await measureScrolling(browser, server)));
    rows.push(await measureTyping(browser, server), await measureMemory(browser, server), {
      what: 'dashboard: first screen, gzip',
      value: firstScreenBytes() / 1024,
      unit: 'KB',
      bar: '< 250',
      isMet: firstScreenBytes() < 250 * 1024,
    });
    return rows;
  } finally {
    await browser.close();
    await server.program.stop();
    remove();
  }
}
