#!/usr/bin/env node
// Chooses a Node, then starts the program. Must run on every Node from 14 on: an old one gets one clear line.
import { existsSync } from 'node:fs';
// A named import would be a link error on a Node that lacks it.
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { chooseNode, noNodeLine } from './choose-node.js';
import { endWithParent, relaunch } from './relaunch.js';

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));

/** Clients often kill a server without leaving it time to write the cache at exit. */
const flushCacheMs = 2000;
const preferSizeMs = 2000;
const largeHeapBytes = 96 * 1024 * 1024;
const checkHeapMs = 1000;

function cacheFolder() {
  if (process.platform === 'win32')
    return join(process.env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'fourfold', 'cache');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'fourfold');
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'fourfold');
}

/** Compiled code is cached per user: the package may belong to another user. Without a cache the start is only slower. */
function keepCompiledCode() {
  nodeModule.enableCompileCache(join(cacheFolder(), 'compiled'));
  setTimeout(() => nodeModule.flushCompileCache(), flushCacheMs).unref();
}

/** A server keeps its memory for days. A command ends soon, and an import takes half as long again with these limits. */
function isServer() {
  const [, , first = '-'] = process.argv;
  return first === 'serve' || first.startsWith('-');
}

/**
 * V8 otherwise doubles the space for new objects until it outgrows everything the program keeps. Preferring size over
 * speed waits until the start is over: loading a large catalog would take a quarter longer. With the memories of a large
 * store, V8 would collect garbage so often that calls take half as long again.
 */
function limitMemory() {
  setFlagsFromString('--semi-space-growth-factor=1');
  setTimeout(() => {
    setFlagsFromString('--optimize-for-size');
    const timer = setInterval(() => {
      if (getHeapStatistics().used_heap_size < largeHeapBytes) return;
      setFlagsFromString('--no-optimize-for-size');
      clearInterval(timer);
    }, checkHeapMs).unref();
  }, preferSizeMs).unref();
}

function start() {
  const main = new URL('../dist/main.js', import.meta.url);
  if (!existsSync(main)) {
    process.stderr.write('fourfold is not built yet: run npm run build in its folder.\n');
    process.exit(1);
  }
  if (isServer()) limitMemory();
  keepCompiledCode();
  // An error of the program ends the process with a stack trace.
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
