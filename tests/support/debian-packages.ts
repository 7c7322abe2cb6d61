import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Servers are often outside the path of a user. */
const folders = (): readonly string[] => [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const findProgram = (name: string): string | undefined =>
  folders()
    .map((folder) => join(folder, name))
    .find(isExecutable);

/** `programs` has a path for each name, or `reason` says why the package is not on this machine. */
export type DebianPackage<Name extends string> =
  | { readonly programs: Readonly<Record<Name, string>>; readonly reason?: undefined }
  | { readonly programs?: undefined; readonly reason: string };

function findPrograms<Name extends string>(names: readonly Name[]): Readonly<Record<Name, string>> | undefined {
  const found = names.map((name) => [name, findProgram(name)] as const);
  if (found.some(([, path]) => path === undefined)) return undefined;
  return Object.fromEntries(found) as Record<Name, string>;
}

/** Waits for other tests that install, asks nothing, and starts no service. */
const apt = (...words: readonly string[]) =>
  run('apt-get', ['-q', '-y', '-o', 'DPkg::Lock::Timeout=240', ...words], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1', LC_ALL: 'C' },
    maxBuffer: 16 * 1024 * 1024,
  });

async function findObstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux' || findProgram('apt-get') === undefined) return 'this machine has no apt-get';
  return process.getuid?.() === 0 ? undefined : 'only root can install it';
}

const install = (name: string) => apt('install', '--no-install-recommends', name);

/** Returns the reason if the archive cannot be reached. Throws if apt-get works and the package does not install. */
async function tryToInstall(name: string): Promise<string | undefined> {
  const isInstalled = await install(name).then(
    () => true,
    () => false,
  );
  if (isInstalled) return undefined;
  try {
    await apt('update', '-o', 'APT::Update::Error-Mode=any');
  } catch {
    return 'apt-get cannot reach its archive';
  }
  await install(name);
  return undefined;
}

/**
 * The programs of a Debian package. Installs it where `apt-get` works as root; there, a package that cannot be had is an
 * error. Elsewhere a test that needs it is skipped, and its title gives the reason.
 */
export async function findDebianPackage<Name extends string>(
  name: string,
  programs: readonly Name[],
): Promise<DebianPackage<Name>> {
  const present = findPrograms(programs);
  if (present !== undefined) return { programs: present };
  const obstacle = (await findObstacle()) ?? (await tryToInstall(name));
  if (obstacle !== undefined) return { reason: `the Debian package ${name} is missing: ${obstacle}` };
  const installed = findPrograms(programs);
  if (installed === undefined) throw new Error(`the Debian package ${name} has no ${programs.join(' or no ')}`);
  return { programs: installed };
}
