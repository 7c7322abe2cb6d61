import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { nodeFlags } from '../postgres/node-flags.ts';
import type { Word } from './keeper.ts';

/** A server that speaks MongoDB over TCP, for tests; or the reason why there is none on this machine. */
export type TestMongodb = Word & { stop(): Promise<void> };

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  return JSON.stringify({ reason: 'the keeper of the MongoDB server ended without a word' } satisfies Word);
}

/**
 * The server that FOURFOLD_TEST_MONGODB_URL names, or else one of our own: PostgreSQL with the DocumentDB extension behind a
 * gateway. The first time it takes half a minute to fetch, then a second. A test names its own database in the URL's path.
 */
export async function startMongodb(configuredUrl = process.env['FOURFOLD_TEST_MONGODB_URL']): Promise<TestMongodb> {
  if (configuredUrl) return { url: configuredUrl.replace(/\/+$/, ''), stop: async () => {} };
  const script = fileURLToPath(new URL('./keeper.ts', import.meta.url));
  // In a session of its own: an interrupt from the terminal must reach it only through us, after the tests have ended.
  const keeper = spawn(process.execPath, [...nodeFlags, script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(keeper, 'exit');
  const word = JSON.parse(await firstLine(keeper)) as Word;
  return {
    ...word,
    async stop() {
      keeper.stdin.end();
      await ended;
    },
  };
}
