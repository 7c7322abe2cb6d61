import { posix } from 'node:path';
import { importsOf } from './imports.ts';
import type { Parsed } from './parsed.ts';
import { isInside, isTestPath } from './tree.ts';

/**
 * The rooms of the kernel, ground floor first: a room may import the floors below its own. Two rooms on one floor know each
 * other: `storage` ends a transaction with the audit row, and `audit` reads through the port; the pool's entry knows the
 * kernel's tasks, and those are given to the pool.
 */
export const kernelFloors: readonly (readonly string[])[] = [
  ['limits'],
  ['fault'],
  ['clock'],
  ['hash'],
  ['json'],
  ['log'],
  ['call'],
  ['ids'],
  ['text'],
  ['markup'],
  ['limiter'],
  ['paths'],
  ['keys'],
  ['cursor'],
  ['features'],
  ['blob'],
  ['outbound'],
  ['workers', 'pattern'],
  ['storage', 'audit'],
  ['jobs'],
  ['access'],
  ['embed'],
  ['search'],
  ['tool'],
];

interface Layer {
  /** `*` stands for one folder name, the same one in both members. */
  readonly of: string;
  readonly mayImport: readonly string[];
}

/** Outside the kernel. What is not named here may not be imported; a file in none of these places may not exist. */
const layers: readonly Layer[] = [
  { of: 'src/main.ts', mayImport: ['src/entry', 'src/app', 'src/config', 'src/surfaces', 'src/kernel/fault'] },
  // The rooms of main: how one surface is put together with the app and run.
  { of: 'src/entry', mayImport: ['src/entry', 'src/app', 'src/config', 'src/surfaces', 'src/kernel', 'bin'] },
  {
    of: 'src/app',
    mayImport: ['src/app', 'src/config', 'src/domains', 'src/kernel', 'src/migrations', 'package.json'],
  },
  { of: 'src/config', mayImport: ['src/config', 'src/kernel/fault'] },
  { of: 'src/migrations', mayImport: ['src/migrations', 'src/kernel/storage'] },
  { of: 'src/domains/*', mayImport: ['src/domains/*', 'src/kernel'] },
  { of: 'src/surfaces/*', mayImport: ['src/surfaces/*', 'src/kernel'] },
];

/** `#kernel/` → `src/kernel/`, as the package says it. */
export type Aliases = ReadonlyMap<string, string>;

export function toAliases(imports: Readonly<Record<string, string>>): Aliases {
  const bare = (pattern: string): string => pattern.slice(pattern.startsWith('./') ? 2 : 0, -1);
  return new Map(Object.entries(imports).map(([name, target]) => [bare(name), bare(target)]));
}

/** The path of a file of ours; undefined for a package or a module of Node. */
function toPath(specifier: string, from: string, aliases: Aliases): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  for (const [name, target] of aliases) if (specifier.startsWith(name)) return target + specifier.slice(name.length);
  return undefined;
}

const roomOf = (path: string): string => path.split('/')[2]!.replace(/\.ts$/, '');

function mayKernelImport(path: string, target: string): boolean {
  if (!isInside(target, 'src/kernel')) return false;
  const floor = kernelFloors.findIndex((rooms) => rooms.includes(roomOf(path)));
  const other = kernelFloors.findIndex((rooms) => rooms.includes(roomOf(target)));
  return other !== -1 && other <= floor;
}

/** The place of a layer as it is for this file: `src/domains/*` → `src/domains/truth`. */
function placeOf(path: string, { of }: Layer): string | undefined {
  const parts = path.split('/');
  const place = of.split('/').map((part, i) => (part === '*' ? parts[i] : part));
  return isInside(path, place.join('/')) ? place.join('/') : undefined;
}

function mayImport(path: string, target: string): boolean | undefined {
  if (isInside(path, 'src/kernel')) return mayKernelImport(path, target);
  for (const layer of layers) {
    const own = placeOf(path, layer);
    if (own === undefined) continue;
    return layer.mayImport.some((place) => isInside(target, place.includes('*') ? own : place));
  }
  return undefined;
}

/** Top folders, and every domain and surface for itself: between two of them an import goes by `#name/…`. */
function areaOf(path: string): string {
  const [, top = '', name] = path.split('/');
  if (top === 'main.ts') return 'entry';
  return top === 'domains' || top === 'surfaces' ? `${top}/${name}` : top;
}

const isKnown = (path: string): boolean =>
  isInside(path, 'src/kernel')
    ? kernelFloors.flat().includes(roomOf(path))
    : layers.some((layer) => placeOf(path, layer) !== undefined);

function findInFile(file: Parsed, aliases: Aliases): readonly string[] {
  if (!isKnown(file.path)) return [`${file.path} is in no layer`];
  return importsOf(file).flatMap(({ specifier, at }) => {
    if (specifier === undefined) return [`${at} imports something that only shows when it runs`];
    const target = toPath(specifier, file.path, aliases);
    if (target === undefined)
      return specifier.startsWith('#') ? [`${at} imports ${specifier}, which leads nowhere`] : [];
    if (isTestPath(target) || mayImport(file.path, target) !== true) return [`${at} may not import ${target}`];
    const isFarRelative = specifier.startsWith('.') && isInside(target, 'src') && areaOf(target) !== areaOf(file.path);
    return isFarRelative ? [`${at} reaches ${target} by a relative path`] : [];
  });
}

/** Rooms that share a floor without need: the one does not import the other. */
export function findIdleFloors(files: readonly Parsed[], floors = kernelFloors): readonly string[] {
  const known = new Set(
    files.flatMap((file) =>
      importsOf(file).flatMap(({ specifier }) => {
        const target = specifier?.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : '';
        return isInside(target, 'src/kernel') ? [`${roomOf(file.path)} ${roomOf(target)}`] : [];
      }),
    ),
  );
  return floors.flatMap((rooms) =>
    rooms.flatMap((room) =>
      rooms
        .filter((other) => other !== room && !known.has(`${room} ${other}`))
        .map((other) => `${room} does not need ${other} on its floor`),
    ),
  );
}

export const findLayerViolations = (files: readonly Parsed[], aliases: Aliases): readonly string[] =>
  files.flatMap((file) => findInFile(file, aliases));
