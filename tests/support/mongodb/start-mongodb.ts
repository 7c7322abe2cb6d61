import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { nodeFlags } from '../postgres/node-flags.ts';
import type { Word } from './keeper.ts';

/** A test server that speaks MongoDB over TCP, or the reason why this machine has none. */
export type TestMongodb = Word & { stop(): Promise<void> };

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  return JSON.stringify({ reason: 'the keeper of the MongoDB server ended without a message' } satisfies Word);
}

/**
 * The server of FOURFOLD_TEST_MONGODB_URL, or else our own: PostgreSQL with the DocumentDB extension behind a gateway.
 * The first download takes half a minute, a later start one second. A test puts its database into the path of the URL.
 */
export async function startMongodb(configuredUrl = process.env['FOURFOLD_TEST_MONGODB_URL']): Promise<TestMongodb> {
  if (configuredUrl) return { url: configuredUrl.replace(/\/+$/, ''), stop: async () => {} };
  const script = fileURLToPath(new URL('./keeper.ts', import.meta.url));
  // In its own session: an interrupt from the terminal must reach it only through us, after the tests.
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
