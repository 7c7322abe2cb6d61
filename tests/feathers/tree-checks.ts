import { posix } from 'node:path';
import { parse } from '@babel/parser';
import type { TemplateTree } from '#domains/knowledge/templates/compose-template.ts';

type Files = TemplateTree['files'];

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const isScript = (path: string) => /\.[cm]?[jt]s$/.test(path);

/** Everything that a file imports by name: imports, exports from, `import()` and `require()` of a literal. */
function specifiersOf(path: string, content: string): readonly string[] {
  const { program } = parse(content, {
    sourceType: 'unambiguous',
    plugins: path.endsWith('ts') ? ['typescript'] : [],
    attachComment: false,
    allowReturnOutsideFunction: true,
  });
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const node = value as {
      type: string;
      source?: { value?: unknown } | null;
      callee?: { name?: string; type: string };
      arguments?: readonly { value?: unknown }[];
    };
    if (typeof node.source?.value === 'string' && /^(?:Import|Export)/.test(node.type)) found.push(node.source.value);
    if (node.type === 'CallExpression' && (node.callee?.name === 'require' || node.callee?.type === 'Import')) {
      const [first] = node.arguments ?? [];
      if (typeof first?.value === 'string') found.push(first.value);
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(program.body);
  return found;
}

const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Listed only to fix the major version for the packages that need them. */
const pinned: ReadonlySet<string> = new Set(['@feathersjs/transport-commons']);

/** Packages whose types come with another package. */
const typesWith: Readonly<Record<string, string>> = {
  express: '@feathersjs/express',
  'socket.io': '@feathersjs/socketio',
};

/** Commands whose package has another name. */
const commands: Readonly<Record<string, string>> = { tsc: 'typescript' };

/** Names in scripts and settings: commands, drivers, registered loaders. */
function namedInSettings(files: Files, { scripts = {} }: Manifest): ReadonlySet<string> {
  const words = Object.values(scripts).flatMap((script) => script.split(/[\s=]+/));
  const settings = [...files].filter(([path]) => /^(?:config\/|\.mocharc|tsconfig)/.test(path));
  for (const [, content] of settings)
    for (const [, word = ''] of content.matchAll(/"(?:import=)?([\w@/-]+)"/g)) words.push(word);
  return new Set(words.flatMap((word) => [word, commands[word] ?? word, `@types/${word}`]));
}

/** Files that are found by path or name: started, run as tests or migrations, registered as services. */
const isEntry = (path: string) =>
  /^(?:src\/index|test\/setup|knexfile|knex)\.[jt]s$|\.(?:test|service)\.[jt]s$|migrations\/\d[^/]*$/.test(path);

/** One line per problem: missing packages, unused packages, missing files and unused files. */
export function findFaults(files: Files): readonly string[] {
  const manifest = JSON.parse(files.get('package.json') ?? '{}') as Manifest;
  const installed = new Set([
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.devDependencies ?? {}),
  ]);
  // If a package has its types elsewhere, only the types may be imported; running the tree checks the rest.
  const isInstalled = (name: string) =>
    installed.has(name) || installed.has(`@types/${name}`) || installed.has(typesWith[name] ?? name);
  const named = namedInSettings(files, manifest);
  const imported = new Set<string>();
  const reached = new Set<string>();
  const faults: string[] = [];
  for (const [path, content] of files) {
    if (!isScript(path)) continue;
    try {
      for (const specifier of specifiersOf(path, content)) {
        if (specifier.startsWith('.')) {
          const target = posix.join(posix.dirname(path), specifier);
          const candidates = [
            target,
            target.replace(/\.js$/, '.ts'),
            `${target}.ts`,
            `${target}.js`,
            `${target}/index.ts`,
            `${target}/index.js`,
            `${target}.json`,
          ];
          const found = candidates.find((candidate) => files.has(candidate));
          if (found === undefined) faults.push(`${path} imports ${specifier}, which is not there`);
          else reached.add(found);
        } else if (!specifier.startsWith('node:')) {
          imported.add(packageName(specifier));
          if (!isInstalled(packageName(specifier))) faults.push(`${path} imports ${specifier}, which is not installed`);
          // In JavaScript, because there an import is never type-only.
          if (/^src\/.*\.js$/.test(path) && Object.hasOwn(manifest.devDependencies ?? {}, packageName(specifier)))
            faults.push(`${path} imports ${specifier}, which a server does not install`);
        }
      }
    } catch (error) {
      faults.push(`${path} cannot be read: ${(error as Error).message}`);
    }
    // Slots must not remain in the output.
    if (content.includes('<<')) faults.push(`${path} has a slot left`);
  }
  for (const path of files.keys())
    if (isScript(path) && !isEntry(path) && !reached.has(path)) faults.push(`${path} is not imported`);
  for (const name of installed) {
    const isUsed =
      pinned.has(name) || imported.has(name) || named.has(name) || imported.has(name.replace('@types/', ''));
    if (!isUsed) faults.push(`${name} is installed and not used`);
  }
  return faults;
}
