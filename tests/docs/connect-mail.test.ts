import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openConnected, stats } from '#tests/program/integrations/connected-program.fixture.ts';
import type { SyncRun } from '#tests/program/integrations/connector-program.fixture.ts';
import {
  describeMail,
  manyMails,
  password,
  startMailServer,
  withReason,
} from '#tests/program/integrations/mail-program.fixture.ts';
import { startService } from '#tests/program/integrations/service-double.fixture.ts';
import { programCommands, toWords } from './shell-blocks.ts';

const page = readFileSync(new URL('../../docs/how-to/connect-mail.md', import.meta.url), 'utf8');
const token = 'S3cret-token-of-the-page';

/** With the address of the server on loopback; everything else as the page has it. */
function toLocal(words: readonly string[], address: string): readonly string[] {
  const [connectors, action, provider, ...rest] = words;
  if (action !== 'add') return words;
  const flags = rest[0] === 'imap.example.org' ? rest.slice(1) : rest;
  expect(flags[0]).toBe('--user');
  return [connectors!, action, provider!, address, ...flags];
}

const secrets = { 'gmail.password': password, 'mail.password': password, 'mail.token': token };

describeMail(withReason('docs/how-to/connect-mail.md'), () => {
  it('has commands that connect and sync a mailbox', async () => {
    const service = await startService(({ query }) => ({
      body: { active: query.get('token') === token, username: 'you@example.org' },
    }));
    const users = { 'you@gmail.com': password, 'you@example.org': password };
    const introspectionUrl = `${service.url}/introspect?token=`;
    const server = await startMailServer([], { users, introspectionUrl });
    const [first, second, third] = manyMails(3);
    server.deliver('you@gmail.com', first!);
    server.deliver('you@example.org', second!);
    server.deliver('you@example.org', third!, 'Archive');
    const home = await openConnected();
    home.guard(token, password);
    const synced: SyncRun[] = [];
    for (const command of programCommands(page)) {
      const words = toWords(command);
      for (const [name, text] of Object.entries(secrets)) writeFileSync(join(home.folder, name), `${text}\n`);
      const answer = await home.ask<SyncRun>(...toLocal(words, server.address));
      // As the page says. A password that is left in a file fails the test.
      for (const name of Object.keys(secrets)) rmSync(join(home.folder, name));
      if (words[1] === 'sync') synced.push(answer);
    }
    expect(synced.map((run) => [run.status, run.stats])).toEqual([
      ['completed', stats(1)],
      ['completed', stats(1)],
    ]);
    const { connectors } = await home.ask<{ connectors: readonly { connector_id: string; name: string }[] }>(
      ...['connectors', 'list'],
    );
    expect(connectors.map(({ name }) => name)).toEqual(['gmail', 'imap', 'work', 'token']);
    const idOf = (name: string) => connectors.find((one) => one.name === name)!.connector_id;
    const sync = (name: string) => home.sync('imap', '--connector-id', idOf(name));
    // Another connector of the same account knows the entities already.
    expect(await sync('work')).toMatchObject({ status: 'completed', stats: stats(1, 1) });
    expect(await sync('token')).toMatchObject({ status: 'completed' });
    expect(Object.keys(await home.items('message', 'subject'))).toHaveLength(3);
  });
});
