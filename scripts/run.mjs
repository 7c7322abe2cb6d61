// All npm scripts. Runs on Node 18 and later, and switches to a newer Node if needed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseNode, noNodeLine } from '../bin/choose-node.js';
import { endWithParent, relaunch } from '../bin/relaunch.js';

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));
const { execPath, platform, arch, versions } = process;
const running = new Set();

const say = (text) => process.stdout.write(`${text}\n`);

/** Resolves with the exit code. `quiet` captures the output instead of printing it. */
function run(args, { quiet = false, env = {} } = {}) {
  return new Promise((resolve) => {
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(execPath, args, { cwd: root, stdio, env: { ...process.env, ...env } });
    running.add(child);
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
    child.on('error', (error) => resolve({ code: 1, printed: error.message }));
    child.on('close', (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, printed: Buffer.concat(printed).toString() });
    });
  });
}

const bin = (path) => join(root, 'node_modules', path);
const steps = {
  types: [bin('typescript/bin/tsc'), '-p', '.'],
  pages: [bin('typescript/bin/tsc'), '-p', 'dashboard'],
  format: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'],
  lint: [bin('oxlint/bin/oxlint'), '--deny-warnings'],
  unused: [bin('knip/bin/knip.js')],
  build: [...typescriptFlags(), join(root, 'scripts/build.mjs')],
};

const seconds = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;

/** One line per step; prints the output only of a failed step. */
async function runStep(name) {
  const startedAt = performance.now();
  const { code, printed } = await run(steps[name], { quiet: true });
  say(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${seconds(startedAt)}`);
  if (code !== 0) say(printed.trim().replaceAll(/^/gm, '    '));
  return code === 0 ? [] : [name];
}

async function runLane(names) {
  const failed = [];
  for (const name of names) failed.push(...(await runStep(name)));
  return failed;
}

/**
 * Two lanes for two cores. The type checker and the type-aware linter both use several threads, so they share a lane.
 */
const checkLanes = [
  ['types', 'pages', 'lint'],
  ['format', 'unused'],
];
const runLanes = async (lanes) => (await Promise.all(lanes.map(runLane))).flat();

const vitest = (args, options) => run([bin('vitest/vitest.mjs'), 'run', ...args], options);

/** More failed files than this are not bad luck. */
const rerunMax = 2;

/**
 * Runs the tests and resolves with the exit code and the files that failed, as far as they can be run again. The programs
 * that they start share a cache of compiled code, as those that bin/fourfold.js starts do.
 */
async function testAndList(args) {
  const folder = mkdtempSync(join(tmpdir(), 'fourfold-tests-'));
  const path = join(folder, 'failed');
  const env = { FOURFOLD_TEST_FAILED_FILES: path, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const { code } = await vitest(args, { env });
  const failed = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  rmSync(folder, { recursive: true });
  return { code, failed };
}

/** See docs/decisions/0016-run-failed-tests-again.md. */
async function testTwiceIfNeeded(args) {
  const { code, failed } = await testAndList(args);
  if (code === 0 || failed.length === 0 || failed.length > rerunMax) return { code, unreliable: [] };
  say(`Running again: ${failed.join(', ')}`);
  const again = await vitest(failed);
  return { code: again.code, unreliable: again.code === 0 ? failed : [] };
}

/** Node runs TypeScript without flags from 22.18 and 23.6 on. */
function typescriptFlags() {
  const [major, minor] = versions.node.split('.').map(Number);
  return (major === 22 && minor < 18) || (major === 23 && minor < 6)
    ? ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
    : [];
}
const runSource = (file, args) => run([...typescriptFlags(), join(root, file), ...args]);

async function buildWhenNeeded() {
  const { isBuilt } = await import('./build.mjs');
  if (isBuilt(root)) return 0;
  process.stderr.write('Building…\n');
  const { code, printed } = await run(steps.build, { quiet: true });
  if (code !== 0) process.stderr.write(printed);
  return code;
}

async function afterBuild(task) {
  const code = await buildWhenNeeded();
  return code === 0 ? task() : code;
}

const tasks = {
  async start(args) {
    return afterBuild(async () => {
      const launcher = join(root, 'bin/fourfold.js');
      process.argv = [execPath, launcher, 'serve', ...args];
      await import('../bin/fourfold.js');
      // The program decides when and how this process ends.
      return undefined;
    });
  },
  async test(args) {
    const startedAt = performance.now();
    const [types, others] = checkLanes;
    const failed = await runLanes([types, ['build', ...others]]);
    if (!failed.includes('build')) {
      const { code, unreliable } = await testTwiceIfNeeded(args);
      if (code !== 0) failed.push('tests');
      for (const file of unreliable) say(`UNRELIABLE: ${file} failed first and passed when run again; please fix it.`);
    }
    const minutes = `${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`;
    say(failed.length === 0 ? `Everything passed in ${minutes}.` : `Failed: ${failed.join(', ')}. ${minutes}.`);
    return failed.length === 0 ? 0 : 1;
  },
  build: async () => (await run(steps.build)).code,
  check: async () => ((await runLanes(checkLanes)).length === 0 ? 0 : 1),
  // From the sources, because an outdated build would write outdated files.
  generate: async (args) => (await runSource('src/main.ts', ['generate', ...args])).code,
  bench: (args) => afterBuild(async () => (await runSource('bench/main.ts', args)).code),
  perf: (args) => afterBuild(async () => (await runSource('bench/perf.ts', args)).code),
  count: async () => (await runSource('scripts/count-lines.ts', [])).code,
  'sample:prose': async (args) => (await runSource('scripts/sample-prose.ts', args)).code,
  'test:contracts': async (args) => (await vitest(['tests/contract', ...args])).code,
  // Many rounds of the tests that crash stores, syncs or migrations, a large old store, all bombs and 10,000 random histories;
  // the ordinary run makes a few.
  async 'test:campaign'(args) {
    process.env['FOURFOLD_TEST_CAMPAIGN'] = '1';
    process.env['FOURFOLD_TEST_TRUTH_HISTORIES'] ??= '10000';
    process.env['FOURFOLD_TEST_KILL_ROUNDS'] ??= '200';
    const places = ['outcomes.test.ts', 'bombs', 'old-store'].map((name) => `tests/program/${name}`);
    const files = [
      ...places,
      'tests/browser/every-page.test.ts',
      'kill.test.ts',
      'survival/approvals.test.ts',
      'random-histories.test.ts',
      'mail-crash.test.ts',
    ];
    return afterBuild(async () => (await vitest([...files, ...args])).code);
  },
  // All variants of generated applications; the ordinary run tests one per database.
  async 'test:matrix'(args) {
    process.env['FOURFOLD_TEST_MATRIX'] = '1';
    return (await vitest(['tests/feathers', ...args])).code;
  },
};

function endAll(signal, code) {
  process.once(signal, () => {
    if (running.size === 0) return;
    for (const child of running) child.kill(signal);
    process.exit(code);
  });
}

async function main([name, ...args]) {
  const task = Object.hasOwn(tasks, name ?? '') ? tasks[name] : undefined;
  if (task === undefined) {
    process.stderr.write(`node scripts/run.mjs ${Object.keys(tasks).join(' | ')}\n`);
    process.exit(2);
  }
  endAll('SIGINT', 130);
  endAll('SIGTERM', 143);
  const code = await task(args);
  if (code !== undefined) process.exitCode = code;
}

const isRelaunched = endWithParent();
const chosen = chooseNode({ root, version: versions.node, execPath, platform, arch });
if (!existsSync(join(root, 'node_modules'))) {
  process.stderr.write('Run npm install first.\n');
  process.exit(1);
} else if (chosen === execPath) {
  await main(process.argv.slice(2));
} else if (chosen === undefined || isRelaunched) {
  process.stderr.write(noNodeLine(versions.node));
  process.exit(1);
} else {
  relaunch(chosen, [...process.execArgv, self, ...process.argv.slice(2)]);
}
