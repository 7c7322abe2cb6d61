import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { type CuttingProxy, startCuttingProxy } from '#tests/support/cutting-proxy.ts';
import { startProgram } from '#tests/support/program.ts';
import { createDice, type Dice } from '#tests/support/survival/dice.ts';
import type { EngineName } from '../notebooks/notebook-program.ts';
import { type Connected, stats } from './connected-program.fixture.ts';
import type { SyncRun } from './connector-program.fixture.ts';
import { connectMail, describeMail, manyMails, startMailServer, withReason } from './mail-program.fixture.ts';

/** `npm run test:campaign` kills at 100 points of syncs of 10,000 mails; the ordinary run at a few. */
const isCampaign = process.env['FOURFOLD_TEST_CAMPAIGN'] === '1';
const mailsCount = isCampaign ? 10_000 : 400;
/** Syncs that run at the same time: after each kill they wait until the lease of the killed process ends. */
const laneEngines: readonly EngineName[] = isCampaign
  ? Array.from({ length: 5 }, (_, lane) => (lane % 2 === 0 ? 'SQLite' : 'PostgreSQL'))
  : ['SQLite', 'SQLite', 'PostgreSQL'];
const pointsPerLane = isCampaign ? 20 : 1;
const pageWords = ['--limit', isCampaign ? '100' : '20'];
const timeout = isCampaign ? 3_600_000 : 300_000;
/** Another process may take over after 15 s. */
const askAgainMs = 500;

const subjects = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `Mail ${n}`);

interface Listed {
  readonly entities: readonly { readonly observation_count: number; readonly snapshot: { readonly subject: string } }[];
  readonly total: number;
}

/** Each message that is missing, there twice, or stated twice. */
async function findFlaws(home: Connected, expected: readonly string[]): Promise<readonly string[]> {
  const seen = new Map<string, number>();
  for (let offset = 0, total = 1; offset < total; offset += 1_000) {
    const place = ['--limit', '1000', '--offset', String(offset)];
    const page = await home.ask<Listed>('retrieve', 'entities', '--entity-type', 'message', ...place);
    total = page.total;
    for (const { observation_count, snapshot } of page.entities)
      seen.set(snapshot.subject, (seen.get(snapshot.subject) ?? 0) + observation_count);
  }
  return [
    ...expected.filter((subject) => !seen.has(subject)).map((subject) => `${subject} is lost`),
    ...[...seen].filter(([, count]) => count !== 1).map(([subject, count]) => `${subject} is there ${count} times`),
  ];
}

/** Starts a sync as soon as no process holds the connector, and kills it when so many bytes have come in. */
async function killAfter(bytes: number, home: Connected, proxy: CuttingProxy): Promise<void> {
  for (;;) {
    const child = startProgram(['connectors', 'sync', 'imap', ...pageWords, '--json'], home.env);
    const printed = text(child.stdout);
    const ended = once(child, 'exit');
    const isReached = await Promise.race([proxy.passed(bytes).then(() => true), ended.then(() => false)]);
    if (isReached) {
      child.kill('SIGKILL');
      await ended;
      return;
    }
    const { status } = JSON.parse(await printed) as SyncRun;
    if (status !== 'running' && status !== 'pending') throw new Error(`the sync was not killed, it is ${status}`);
    await pause(askAgainMs);
  }
}

async function syncToEnd(home: Connected): Promise<SyncRun> {
  for (;;) {
    const run = await home.sync('imap', ...pageWords);
    if (run.status === 'completed' || run.status === 'failed') return run;
    await pause(askAgainMs);
  }
}

/** The bytes that the server sends in a whole sync. */
const streamBytes = (messages: readonly string[]): number =>
  messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0);

describeMail(withReason('[IG84] a sync of mail that is killed with kill -9'), () => {
  async function runLane(
    server: { readonly port: number },
    engine: EngineName,
    bytes: number,
    dice: Dice,
  ): Promise<readonly string[]> {
    const proxy = await startCuttingProxy(server.port);
    onTestFinished(() => proxy.stop());
    const home = await connectMail({ address: `imap://127.0.0.1:${proxy.port}` }, engine);
    for (let point = 0; point < pointsPerLane; point += 1)
      await killAfter(1 + dice.below(bytes / pointsPerLane), home, proxy);
    const run = await syncToEnd(home);
    // All processes worked on one run, so its counts are those of the whole sync.
    const wanted = { status: 'completed', stats: stats(mailsCount) };
    const said = { status: run.status, stats: run.stats };
    return [
      ...(JSON.stringify(said) === JSON.stringify(wanted) ? [] : [`the run says ${JSON.stringify(run)}`]),
      ...(await findFlaws(home, subjects(mailsCount))),
    ];
  }

  it('at random points has each message exactly once in the end, and right counts', { timeout }, async () => {
    const messages = manyMails(mailsCount);
    const server = await startMailServer(messages);
    const flaws = await Promise.all(
      laneEngines.map((engine, lane) => runLane(server, engine, streamBytes(messages), createDice(lane))),
    );
    expect(flaws).toEqual(laneEngines.map(() => []));
  });

  it('negative control: a place that is saved without its page, and a second statement, are found', async () => {
    const messages = manyMails(100);
    const server = await startMailServer(messages);
    const home = await connectMail(server);
    expect(await home.sync('imap', '--limit', '20', '--max-pages', '2')).toMatchObject({ stats: stats(40) });
    const store = new Database(join(home.folder, 'home', 'fourfold.db'));
    const { cursor } = store.prepare('select cursor from connectors').get() as { cursor: string };
    store.prepare('update connectors set cursor = ?').run(cursor.replace('\\"uid\\":40', '\\"uid\\":60'));
    store.close();
    await home.sync('imap', '--limit', '20');
    const lost = subjects(60).slice(40);
    expect(await findFlaws(home, subjects(100))).toEqual(lost.map((subject) => `${subject} is lost`));

    const { 'Mail 7': first } = await home.items('message', 'subject');
    const provenance = { source_refs: [], extracted_at: '2026-02-02T00:00:00Z', extractor_version: 'other:v1' };
    const [capability, body] = ['fourfold:store_message:v1', JSON.stringify(first)];
    const words = ['--capability-id', capability, '--body', body, '--provenance', JSON.stringify(provenance)];
    await home.ask('submit', 'payload', ...words);
    expect(await findFlaws(home, [])).toEqual(['Mail 7 is there 2 times']);
  });
});
