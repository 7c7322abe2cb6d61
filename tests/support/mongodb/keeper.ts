/**
 * Runs one server and its gateway while standard input is open. A separate process, because it must clean up even if
 * the process that started it is killed.
 */
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClusterFolder } from '../postgres/binaries.ts';
import { findUser } from '../postgres/server-process.ts';
import { openGateway } from './gateway.ts';
import { prepare } from './prepare.ts';
import { giveToUser, type Server, startServer } from './server.ts';

export type Word = { readonly url: string } | { readonly reason: string };

const say = (word: Word): void => void process.stdout.write(`${JSON.stringify(word)}\n`);

async function keep(): Promise<void> {
  let home: string | undefined;
  let server: Server | undefined;
  const stopAndExit = async (code: number) => {
    await server?.stop('quick');
    if (home !== undefined) rmSync(home, { recursive: true, force: true });
    process.exit(code);
  };
  const stop = () => void stopAndExit(0);
  process.stdin.on('end', stop).on('error', stop).resume();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  try {
    const { packages, data } = await prepare();
    home = createClusterFolder(findUser() !== undefined);
    cpSync(data, join(home, 'data'), { recursive: true });
    giveToUser(home);
    // PostgreSQL refuses a data folder that others can read; access to the socket folder is the only protection.
    for (const folder of [home, join(home, 'data')]) chmodSync(folder, 0o700);
    server = await startServer({ packages, home });
    say({ url: `mongodb://127.0.0.1:${await openGateway(server.url)}` });
  } catch (error) {
    say({ reason: (error as Error).message });
    await stopAndExit(1);
  }
}

await keep();
