/**
 * Runs one server and its gateway for as long as its standard input is open. A process of its own, because it has to outlive
 * whoever asked for it by exactly as long as cleaning up takes, also when that one is killed.
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
    // Whoever may enter the folder of the socket is trusted; PostgreSQL takes no data that others can read.
    for (const folder of [home, join(home, 'data')]) chmodSync(folder, 0o700);
    server = await startServer({ packages, home });
    say({ url: `mongodb://127.0.0.1:${await openGateway(server.url)}` });
  } catch (error) {
    say({ reason: (error as Error).message });
    await stopAndExit(1);
  }
}

await keep();
