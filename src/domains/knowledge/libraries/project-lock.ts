import { parse } from 'yaml';
import type { Clock } from '#kernel/clock/clock.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { createAllowedRoots } from '#kernel/paths/allowed-roots.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';

type Versions = ReadonlyMap<string, string>;

const objectAt = (value: unknown, key: string): Readonly<Record<string, unknown>> => {
  const inner = isObject(value) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
};

/** The copies at the top of `node_modules` are the ones that the project itself imports. */
function readNpmLock(text: string): Versions {
  const versions = new Map<string, string>();
  const prefix = 'node_modules/';
  for (const [path, entry] of Object.entries(objectAt(JSON.parse(text), 'packages'))) {
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : '';
    if (name === '' || name.includes(prefix) || !isObject(entry) || typeof entry['version'] !== 'string') continue;
    versions.set(name, entry['version']);
  }
  return versions;
}

/** `3.23.8(react@19.0.0)` → `3.23.8`: what follows are the peers. */
const withoutPeers = (version: string): string => version.split('(', 1)[0]!;

function readPnpmLock(text: string): Versions {
  const versions = new Map<string, string>();
  const project = objectAt(objectAt(parse(text, { schema: 'core', maxAliasCount: 50 }), 'importers'), '.');
  for (const kind of ['optionalDependencies', 'devDependencies', 'dependencies']) {
    for (const [name, entry] of Object.entries(objectAt(project, kind))) {
      const version = isObject(entry) ? entry['version'] : undefined;
      if (typeof version === 'string') versions.set(name, withoutPeers(version));
    }
  }
  return versions;
}

/** `"@scope/name@^1.0.0", "@scope/name@npm:^1.2.0":` → `@scope/name`. */
function nameOfYarnEntry(line: string): string {
  const first = line.split(',', 1)[0]!.replaceAll('"', '').trim();
  return first.slice(0, first.indexOf('@', 1));
}

/** Both formats have a line without indentation per package, and its version in the lines below. */
function readYarnLock(text: string): Versions {
  const versions = new Map<string, string>();
  let name = '';
  for (const line of text.split('\n')) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#')) continue;
    if (!line.startsWith(' ')) name = bare.endsWith(':') ? nameOfYarnEntry(bare) : '';
    else if (name !== '' && bare.startsWith('version')) {
      versions.set(name, bare.slice('version'.length).replaceAll(/[":\s]/g, ''));
      name = '';
    }
  }
  return versions;
}

const readers: readonly (readonly [file: string, read: (text: string) => Versions])[] = [
  ['package-lock.json', readNpmLock],
  ['npm-shrinkwrap.json', readNpmLock],
  ['pnpm-lock.yaml', readPnpmLock],
  ['yarn.lock', readYarnLock],
];

const manifestFile = 'package.json';

/** The packages that the project itself imports, without the versions of their copies. */
function readManifest(text: string): Versions {
  const manifest: unknown = JSON.parse(text);
  const kinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  return new Map(kinds.flatMap((kind) => Object.keys(objectAt(manifest, kind)).map((name) => [name, ''] as const)));
}

/** The names of packages. */
export type Dependencies = Pick<Versions, 'has' | 'size'>;

export interface ProjectLock {
  /** The version of a package that the project has locked; undefined without a readable lock file. */
  versionOf(name: string): Promise<string | undefined>;
  /** Those in `package.json`. Synchronous if they were read a moment ago. */
  dependencies(): Dependencies | Promise<Dependencies>;
}

export interface ProjectLockDeps {
  /** The folder of the project; undefined if no folder may be read. */
  readonly folder: string | undefined;
  readonly forbidden: readonly string[];
  readonly clock: Clock;
}

interface ReadLock {
  readonly stamp: string;
  readonly versions: Versions;
}

/** Reads the lock file of a project, again only after it changed. A damaged file counts as missing. */
export function createProjectLock({ folder, forbidden, clock }: ProjectLockDeps): ProjectLock {
  const roots = folder === undefined ? undefined : createAllowedRoots({ roots: [folder], forbidden });
  const known = new Map<string, ReadLock>();
  let manifest: { readonly names: Dependencies; readonly readAt: number } | undefined;

  async function load(file: string, read: (text: string) => Versions): Promise<Versions | undefined> {
    const opened = await roots?.open(file).catch(() => undefined);
    if (opened === undefined) return undefined;
    try {
      const { mtimeNs, size } = opened.stat;
      const stamp = `${mtimeNs}-${size}`;
      const before = known.get(file);
      if (before?.stamp === stamp) return before.versions;
      if (size > BigInt(knowledgeLimits.lockFileBytes)) return undefined;
      const versions = read(await opened.handle.readFile('utf8'));
      known.set(file, { stamp, versions });
      return versions;
    } catch {
      return undefined;
    } finally {
      await opened.handle.close();
    }
  }

  async function readDependencies(): Promise<Dependencies> {
    const readAt = clock.now();
    const names = (await load(manifestFile, readManifest)) ?? new Map();
    manifest = { names, readAt };
    return names;
  }

  return {
    dependencies() {
      const isFresh =
        manifest !== undefined && Math.abs(clock.now() - manifest.readAt) < knowledgeLimits.manifestFreshMs;
      return isFresh ? manifest!.names : readDependencies();
    },
    async versionOf(name) {
      for (const [file, read] of readers) {
        const version = (await load(file, read))?.get(name);
        if (version !== undefined) return version;
      }
      return undefined;
    },
  };
}
