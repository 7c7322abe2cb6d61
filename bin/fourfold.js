#!/usr/bin/env node
// Chooses the Node, then starts the program. Runs on every Node from 14 on: an old one gets one clear line.
import { existsSync } from 'node:fs';
// By name it would be a link error on a Node that lacks it.
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { chooseNode, noNodeLine } from './choose-node.js';
import { endWithParent, relaunch } from './relaunch.js';

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));

/** Clients often end a server by a signal that leaves no time to write the cache at the exit. */
const flushCacheMs = 2000;
const preferSizeMs = 2000;

function cacheFolder() {
  if (process.platform === 'win32')
    return join(process.env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'fourfold', 'cache');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'fourfold');
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'fourfold');
}

/** Compiled code is kept per user: the package may belong to someone else. Without a place for it the start is only slower. */
function keepCompiledCode() {
  nodeModule.enableCompileCache(join(cacheFolder(), 'compiled'));
  setTimeout(() => nodeModule.flushCompileCache(), flushCacheMs).unref();
}

/**
 * V8 otherwise doubles the space for new objects until it outgrows everything the program keeps. Preferring size over
 * speed waits until the start is over: loading a large catalog would take a quarter longer.
 */
function limitMemory() {
  setFlagsFromString('--semi-space-growth-factor=1');
  setTimeout(() => setFlagsFromString('--optimize-for-size'), preferSizeMs).unref();
}

function start() {
  const main = new URL('../dist/main.js', import.meta.url);
  if (!existsSync(main)) {
    process.stderr.write('fourfold is not built yet: run npm run build in its folder.\n');
    process.exit(1);
  }
  limitMemory();
  keepCompiledCode();
  // A failure of the program itself ends the process with its trace.
  void import(main.href);
}

const isRelaunched = endWithParent();
const { execPath, platform, arch, versions } = process;
const chosen = chooseNode({ root, version: versions.node, execPath, platform, arch });
if (chosen === execPath) {
  start();
} else if (chosen === undefined || isRelaunched) {
  process.stderr.write(noNodeLine(versions.node));
  process.exit(1);
} else {
  relaunch(chosen, [...process.execArgv, self, ...process.argv.slice(2)]);
}
