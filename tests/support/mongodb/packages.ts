/**
 * Downloads PostgreSQL with the DocumentDB extension from Debian and unpacks it into a folder without installing it.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const extensionPackage = 'postgresql-18-documentdb';
const outputBytes = 16 * 1024 * 1024;

/** The library folder and the loader of this processor architecture. */
const loaders: Readonly<Record<string, { readonly triplet: string; readonly loader: string }>> = {
  x64: { triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

/** The reason why it cannot be downloaded here, or undefined. */
export async function findObstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux' || loaders[process.arch] === undefined) {
    return `Debian has no packages for ${process.platform} on ${process.arch}`;
  }
  if (!existsSync(keyring)) return "Debian's keyring is not on this machine, so its packages cannot be verified";
  for (const program of ['apt-get', 'apt-cache', 'dpkg-deb']) {
    try {
      await run(program, ['--version']);
    } catch {
      return `${program} is not on this machine`;
    }
  }
  return (await findArchive()) === undefined ? 'the packages of this machine do not come from Debian' : undefined;
}

/** The mirror of this machine; it also has the newest suite. */
async function findArchive(): Promise<string | undefined> {
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']);
  return stdout.split('\n').find((address) => /^https?:\/\/\S+\/debian\/?$/.test(address));
}

/** Makes apt use its own lists and our folder, and leave the system alone. */
function writeAptSettings(folder: string, archive: string): NodeJS.ProcessEnv {
  for (const name of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'status'), '');
  writeFileSync(join(folder, 'sources.list'), `deb [signed-by=${keyring}] ${archive} sid main\n`);
  const settings = {
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
    'APT::Sandbox::User': 'root',
    'APT::Update::Error-Mode': 'any',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '1',
    'Acquire::http::Timeout': '15',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`);
  writeFileSync(join(folder, 'apt.conf'), lines.join(''));
  return { ...process.env, APT_CONFIG: join(folder, 'apt.conf'), LC_ALL: 'C' };
}

/** Dependencies that the extension does not need at run time. */
const isNeeded = (name: string): boolean =>
  /^(lib|postgresql-18|postgresql-client-18)/.test(name) && !/^lib(gdal|sfcgal|perl|llvm)/.test(name);

/** Parses `apt-cache depends --recurse`: a name, then its dependencies on indented lines. */
export function chooseNeeded(printed: string, root: string): string[] {
  const dependencies = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of printed.split('\n')) {
    const dependency = /^ [ |](?:Pre)?Depends: ([^\s<]+)$/.exec(line)?.[1];
    if (dependency !== undefined) current.push(dependency);
    else if (/^[a-z0-9]/.test(line)) {
      current = [];
      dependencies.set(line.trim(), current);
    }
  }
  const chosen = new Set([root]);
  for (const name of chosen) for (const next of dependencies.get(name) ?? []) if (isNeeded(next)) chosen.add(next);
  return [...chosen];
}

async function download(folder: string): Promise<string> {
  mkdirSync(folder);
  const archive = await findArchive();
  if (archive === undefined) throw new Error('apt names no archive of Debian any more');
  const env = writeAptSettings(folder, archive);
  await run('apt-get', ['update', '-q'], { env, maxBuffer: outputBytes });
  const kinds = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'];
  const question = ['depends', '--recurse', ...kinds.map((kind) => `--no-${kind}`), extensionPackage];
  const { stdout } = await run('apt-cache', question, { env, maxBuffer: outputBytes });
  const archives = join(folder, 'archives');
  mkdirSync(archives);
  const names = chooseNeeded(stdout, extensionPackage);
  await run('apt-get', ['download', '-q', ...names], { env, cwd: archives, maxBuffer: outputBytes });
  return archives;
}

/**
 * The C library of the packages is newer than the system's, so their own loader starts the programs. initdb starts
 * postgres by its path, so a script takes its place.
 */
function wrap(bin: string, program: string): void {
  const { triplet, loader } = loaders[process.arch]!;
  renameSync(join(bin, program), join(bin, `${program}.elf`));
  const script = `#!/bin/sh
bin="\${0%/*}"
lib="$bin/../../.."
exec "$lib/${triplet}/${loader}" --library-path "$lib/${triplet}:$bin/../lib" --argv0 "$0" "$0.elf" "$@"
`;
  writeFileSync(join(bin, program), script);
  chmodSync(join(bin, program), 0o755);
}

/** PostgreSQL's programs are at `usr/lib/postgresql/18/bin` of the returned folder. */
export async function unpackPostgres(folder: string): Promise<void> {
  mkdirSync(folder);
  const workshop = join(folder, 'apt');
  const archives = await download(workshop);
  for (const archive of readdirSync(archives)) await run('dpkg-deb', ['-x', join(archives, archive), folder]);
  for (const unwanted of ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'usr/lib/postgresql/18/lib/bitcode']) {
    rmSync(join(folder, unwanted), { recursive: true, force: true });
  }
  rmSync(workshop, { recursive: true });
  // The package's install script would do this.
  symlinkSync('postgis-3.control', join(folder, 'usr/share/postgresql/18/extension/postgis.control'));
  for (const program of ['postgres', 'initdb']) wrap(join(folder, 'usr/lib/postgresql/18/bin'), program);
}
