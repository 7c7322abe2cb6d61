import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anEvent, openCalendars, toCalendar } from '#tests/program/integrations/calendar.fixture.ts';
import { openConnected, stats } from '#tests/program/integrations/connected-program.fixture.ts';
import type { SyncRun } from '#tests/program/integrations/connector-program.fixture.ts';
import { type ServiceAnswer, startService } from '#tests/program/integrations/service-double.fixture.ts';
import { radicalePackage } from '#tests/support/radicale.ts';
import { programCommands, toWords } from './shell-blocks.ts';

const page = readFileSync(new URL('../../docs/how-to/follow-feeds-and-calendars.md', import.meta.url), 'utf8');
const password = 'S3cret-of-the-page';

const serve = async (path: string, body: ServiceAnswer['body']): Promise<string> =>
  (await startService(() => ({ body }))).url + path;

const feed =
  '<rss version="2.0"><channel><title>Blog</title><item><guid>1</guid><title>One</title></item></channel></rss>';

/** The address of a server in place of the one on the page. */
const starters: Readonly<Record<string, () => Promise<string>>> = {
  rss: () => serve('/feed.xml', feed),
  ics: () => serve('/fixtures.ics', toCalendar(anEvent('match'))),
  'google-calendar': () => serve('/private/basic.ics', toCalendar(anEvent('meeting'))),
  async caldav() {
    const server = await openCalendars(password);
    await server.put('lunch');
    return server.url;
  },
};

const { reason } = radicalePackage;
const providers = Object.keys(starters).filter((name) => reason === undefined || name !== 'caldav');

describe('the page about feeds and calendars', () => {
  it(`has commands that connect and sync each of them${reason === undefined ? '' : `; without CalDAV: ${reason}`}`, async () => {
    const home = await openConnected();
    home.guard(password, '/private/basic.ics');
    const synced: Record<string, SyncRun> = {};
    for (const command of programCommands(page)) {
      const words = toWords(command);
      const [topic = '', action = '', provider = ''] = words;
      if (topic === 'connectors' && provider !== '' && !providers.includes(provider)) continue;
      if (action === 'add') {
        const address = await starters[provider]!();
        const shown = words.map((word) => (word.startsWith('https://') ? address : word));
        const isAddress = provider === 'google-calendar';
        const file = shown.indexOf('--secret-file') + 1;
        if (file > 0) shown[file] = home.secretFile(isAddress ? address : password);
        await home.ask(...shown);
      } else if (action === 'sync') synced[provider] = await home.ask(...words);
      else if (topic === 'list') expect(await home.ask(...words)).toMatchObject({ total: providers.length - 1 });
      else expect(await home.ask(...words)).toMatchObject({ connectors: providers.map(() => ({})) });
    }
    expect(Object.keys(synced).sort()).toEqual(providers.toSorted());
    for (const state of Object.values(synced)) expect(state).toMatchObject({ status: 'completed', stats: stats(1) });
  });
});
