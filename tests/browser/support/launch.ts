import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const lockPollMs = 50;
const lockMaxAgeMs = 60_000;

/** Test files run at the same time, and the package unpacks into one folder: only one of them may do it. */
async function locked<T>(name: string, work: () => Promise<T>): Promise<T> {
  const lock = join(tmpdir(), name);
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      // A run that was killed leaves its lock.
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > lockMaxAgeMs) rmSync(lock, { recursive: true, force: true });
      else await delay(lockPollMs);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** The package brings the system libraries that the browser needs, for machines without them. */
async function findBrowser(): Promise<{ readonly path: string; readonly libraries: string | undefined }> {
  const installed = process.env['FOURFOLD_TEST_BROWSER'];
  if (installed !== undefined) return { path: installed, libraries: undefined };
  const { default: packaged, inflate } = await import('@sparticuz/chromium');
  return locked('fourfold-browser.lock', async () => {
    const path = await packaged.executablePath();
    const libraries = join(tmpdir(), 'al2023', 'lib');
    const bin = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin');
    if (!existsSync(libraries)) await inflate(join(bin, 'al2023.tar.br'));
    return { path, libraries };
  });
}

/** A headless Chromium: the one of the package, or the installed one that FOURFOLD_TEST_BROWSER names. */
export async function launchBrowser(): Promise<Browser> {
  const { path, libraries } = await findBrowser();
  return chromium.launch({
    executablePath: path,
    args: flags,
    env: { ...process.env, ...(libraries && { LD_LIBRARY_PATH: libraries }) },
  });
}
