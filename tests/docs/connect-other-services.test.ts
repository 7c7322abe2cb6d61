import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Connected, openConnected, stats } from '#tests/program/integrations/connected-program.fixture.ts';
import type { SyncRun } from '#tests/program/integrations/connector-program.fixture.ts';
import { startGitHub } from '#tests/program/integrations/github-double.fixture.ts';
import { startInstagram } from '#tests/program/integrations/instagram-double.fixture.ts';
import { startMastodon } from '#tests/program/integrations/mastodon-double.fixture.ts';
import { expectLogin, startLogin } from '#tests/program/integrations/oauth-double.fixture.ts';
import { clientId, startX } from '#tests/program/integrations/x-double.fixture.ts';
import { programCommands, toWords } from './shell-blocks.ts';

const page = readFileSync(new URL('../../docs/how-to/connect-other-services.md', import.meta.url), 'utf8');
const token = 'S3cret-of-the-page';

const starters: Readonly<Record<string, () => Promise<{ readonly address: string; readonly token?: string }>>> = {
  github: () => startGitHub([{ number: 1, updated_at: '2026-01-02T00:00:00Z' }], token),
  async mastodon() {
    const { url } = await startMastodon({ posts: [{ id: '1' }], likes: [], bookmarks: [] }, token);
    return { address: url };
  },
  async x() {
    const { url } = await startX({ posts: [{ id: '1' }], likes: [], bookmarks: [] });
    return { address: url };
  },
  async instagram() {
    const service = await startInstagram([{ id: '1' }]);
    return { address: service.url, token: service.tokens.long };
  },
};

/** The command with the address of the double, a port that is free, and the id of its app. */
async function connect(home: Connected, provider: string, words: readonly string[]): Promise<void> {
  const service = await starters[provider]!();
  const flags = words.slice(words.findIndex((word) => word.startsWith('--')));
  if (flags[0] === '--client-id') {
    expect(flags[2]).toBe('--redirect-port');
    await expectLogin(await startLogin(home, provider, service.address, '--client-id', clientId));
    return;
  }
  expect(flags).toEqual(['--secret-file', `${provider}.token`]);
  const file = home.secretFile(service.token ?? token);
  await home.ask('connectors', 'add', provider, service.address, '--secret-file', file);
}

describe('the page about GitHub, Mastodon, X and Instagram', () => {
  it('has commands that connect and sync each of them', async () => {
    const home = await openConnected();
    home.guard('S3cret');
    const synced: Record<string, SyncRun> = {};
    for (const command of programCommands(page)) {
      const words = toWords(command);
      const [, action = '', provider = ''] = words;
      if (action === 'add') await connect(home, provider, words);
      else if (action === 'sync') synced[provider] = await home.ask(...words);
      else expect(await home.ask(...words)).toMatchObject({ connectors: [{}, {}, {}, {}] });
    }
    expect(Object.keys(synced).sort()).toEqual(Object.keys(starters).sort());
    for (const state of Object.values(synced)) expect(state).toMatchObject({ status: 'completed', stats: stats(1) });
  });
});
