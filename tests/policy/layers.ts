import { posix } from 'node:path';
import { importsOf } from './imports.ts';
import type { Parsed } from './parsed.ts';
import { isInside, isTestPath } from './tree.ts';

/**
 * The kernel modules, lowest layer first: a module may import its own layer and those below. Modules share a layer if
 * they need each other: `storage` ends a transaction with the audit row and `audit` reads through the port.
 */
export const kernelLayers: readonly (readonly string[])[] = [
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
  ['workers'],
  ['storage', 'audit'],
  ['jobs'],
  ['access'],
  ['embed'],
  ['search'],
  ['tool'],
];

interface Layer {
  /** `*` matches one folder name, the same one in both members. */
  readonly of: string;
  readonly mayImport: readonly string[];
}

/** Outside the kernel: everything not listed is forbidden, and every file must be in one of these places. */
const layers: readonly Layer[] = [
  { of: 'src/main.ts', mayImport: ['src/entry'] },
  // How each surface is connected to the app and started.
  {
    of: 'src/entry',
    mayImport: [
      'src/entry',
      'src/app',
      'src/config',
      'src/surfaces',
      'src/kernel',
      'src/migrations',
      'bin',
      'dist/dashboard',
    ],
  },
  {
    of: 'src/app',
    mayImport: ['src/app', 'src/config', 'src/domains', 'src/kernel', 'src/migrations', 'package.json'],
  },
  { of: 'src/config', mayImport: ['src/config', 'src/kernel/fault', 'src/kernel/text/edit-distance.ts'] },
  { of: 'src/migrations', mayImport: ['src/migrations', 'src/kernel/storage'] },
  { of: 'src/domains/*', mayImport: ['src/domains/*', 'src/kernel'] },
  { of: 'src/surfaces/*', mayImport: ['src/surfaces/*', 'src/kernel'] },
];

/** `#kernel/` → `src/kernel/`, from package.json. */
export type Aliases = ReadonlyMap<string, string>;

export function toAliases(imports: Readonly<Record<string, string>>): Aliases {
  const bare = (pattern: string): string => pattern.slice(pattern.startsWith('./') ? 2 : 0, -1);
  return new Map(Object.entries(imports).map(([name, target]) => [bare(name), bare(target)]));
}

/** The path of a project file; undefined for packages and Node modules. */
function toPath(specifier: string, from: string, aliases: Aliases): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  for (const [name, target] of aliases) if (specifier.startsWith(name)) return target + specifier.slice(name.length);
  return undefined;
}

const moduleOf = (path: string): string => path.split('/')[2]!.replace(/\.ts$/, '');

function mayKernelImport(path: string, target: string): boolean {
  if (!isInside(target, 'src/kernel')) return false;
  const own = kernelLayers.findIndex((modules) => modules.includes(moduleOf(path)));
  const other = kernelLayers.findIndex((modules) => modules.includes(moduleOf(target)));
  return other !== -1 && other <= own;
}

/** A layer's folder for this file: `src/domains/*` → `src/domains/truth`. */
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

/** Top folders, and each domain and surface: imports between them use `#name/…`. */
function areaOf(path: string): string {
  const [, top = '', name] = path.split('/');
  if (top === 'main.ts') return 'entry';
  return top === 'domains' || top === 'surfaces' ? `${top}/${name}` : top;
}

const isKnown = (path: string): boolean =>
  isInside(path, 'src/kernel')
    ? kernelLayers.flat().includes(moduleOf(path))
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

/** Modules in the same layer of which one does not import the other. */
export function findNeedlessSharing(files: readonly Parsed[], layersOfKernel = kernelLayers): readonly string[] {
  const known = new Set(
    files.flatMap((file) =>
      importsOf(file).flatMap(({ specifier }) => {
        const target = specifier?.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : '';
        return isInside(target, 'src/kernel') ? [`${moduleOf(file.path)} ${moduleOf(target)}`] : [];
      }),
    ),
  );
  return layersOfKernel.flatMap((modules) =>
    modules.flatMap((module) =>
      modules
        .filter((other) => other !== module && !known.has(`${module} ${other}`))
        .map((other) => `${module} does not need ${other} in its layer`),
    ),
  );
}

export const findLayerViolations = (files: readonly Parsed[], aliases: Aliases): readonly string[] =>
  files.flatMap((file) => findInFile(file, aliases));
