import type { ESTree } from 'rolldown/utils';
import { isName, memberName, nodesOf, type Parsed, walk } from './parsed.ts';
import { isInside } from './tree.ts';

interface GlobalRule {
  readonly what: string;
  readonly places: readonly string[];
  readonly matches: (node: ESTree.Node, parent: ESTree.Node | undefined) => boolean;
}

const isMember = (node: ESTree.Node, object: string, ...names: readonly string[]): boolean =>
  node.type === 'MemberExpression' &&
  (isName(node.object, object) || (node.object.type === 'MemberExpression' && memberName(node.object) === object)) &&
  names.includes(memberName(node) ?? '');

/** A use of the global itself or of a `globalThis` member: not a key, another object's member, or a type. */
function isReference(node: ESTree.Node, parent: ESTree.Node | undefined, name: string): boolean {
  if (isMember(node, 'globalThis', name)) return true;
  if (!isName(node, name) || parent === undefined) return false;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed;
  if (parent.type === 'Property') return parent.value === node;
  return !parent.type.startsWith('TS') && parent.type !== 'MethodDefinition' && parent.type !== 'PropertyDefinition';
}

/** `const { env } = process` or `read(process)`: under another name its use cannot be followed. */
const isHandedOn = (node: ESTree.Node, parent: ESTree.Node | undefined, name: string): boolean =>
  isReference(node, parent, name) && parent?.type !== 'MemberExpression' && parent?.type !== 'UnaryExpression';

const stdout = 1;
const writers: ReadonlySet<string> = new Set([
  'writeSync',
  'write',
  'writeFileSync',
  'appendFileSync',
  'createWriteStream',
]);

function isWriteToStdout(node: ESTree.Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  const name =
    callee.type === 'Identifier' ? callee.name : callee.type === 'MemberExpression' ? memberName(callee) : undefined;
  const [first] = node.arguments;
  return name !== undefined && writers.has(name) && first?.type === 'Literal' && first.value === stdout;
}

/** A place that starts with a star is a file name in any folder. */
const isAt = (path: string, place: string): boolean =>
  place.startsWith('*') ? path.endsWith(place.slice(1)) : isInside(path, place);

const entrance = 'src/entry/run-main.ts';
/** Reserves stdout for the protocol and for the answers of commands. */
export const stdoutGuard = 'src/entry/stdout-guard.ts';

/** Globals that a file may use only in certain places, although they need no import. */
const globalRules: readonly GlobalRule[] = [
  {
    what: 'reads process.env',
    places: [entrance, 'src/config'],
    matches: (node) => isMember(node, 'process', 'env'),
  },
  {
    what: 'hands process on',
    places: [stdoutGuard],
    matches: (node, parent) => isHandedOn(node, parent, 'process'),
  },
  {
    what: 'writes to stdout',
    places: [stdoutGuard],
    matches: (node) => isMember(node, 'process', 'stdout') || isWriteToStdout(node),
  },
  {
    what: 'uses console',
    places: [],
    matches: (node, parent) => isReference(node, parent, 'console'),
  },
  {
    what: 'ends the process',
    places: [entrance, 'src/entry'],
    matches: (node) => isMember(node, 'process', 'exit', 'abort', 'kill', 'reallyExit'),
  },
  {
    what: 'sends a request that is not checked',
    places: ['src/kernel/outbound'],
    matches: (node, parent) => ['fetch', 'WebSocket', 'EventSource'].some((name) => isReference(node, parent, name)),
  },
  {
    what: 'builds code from text',
    places: [],
    matches: (node, parent) =>
      isReference(node, parent, 'eval') || (node.type === 'NewExpression' && isName(node.callee, 'Function')),
  },
  {
    what: 'reads the clock past kernel/clock',
    places: ['src/kernel/clock'],
    matches: (node) =>
      isMember(node, 'Date', 'now') ||
      (node.type === 'NewExpression' && isName(node.callee, 'Date') && node.arguments.length === 0),
  },
  {
    what: 'holds SQL',
    places: [
      '*-store.ts',
      'src/kernel/storage',
      'src/kernel/search',
      'src/kernel/audit',
      'src/kernel/jobs',
      'src/migrations',
    ],
    matches: (node) => node.type === 'TaggedTemplateExpression' && isName(node.tag, 'sql'),
  },
];

export const findGlobalViolations = (files: readonly Parsed[], rules = globalRules): readonly string[] =>
  files.flatMap((file) => {
    const strict = rules.filter(({ places }) => !places.some((place) => isAt(file.path, place)));
    return walk(file.program).flatMap(({ node, parent }) =>
      strict.filter((rule) => rule.matches(node, parent)).map((rule) => `${file.at(node)} ${rule.what}`),
    );
  });

/** The first module that is loaded; undefined if only types are. */
const firstImport = ({ program }: Parsed): string | undefined =>
  nodesOf(program, 'ImportDeclaration').find(({ importKind }) => importKind !== 'type')?.source.value;

/** The guard must run before any code that could write, so main imports it first and it imports nothing. */
export const findGuardViolations = (main: Parsed, guard: Parsed): readonly string[] => [
  ...(firstImport(main) === `./${stdoutGuard.slice('src/'.length)}`
    ? []
    : [`${main.path} does not load the guard of stdout first`]),
  ...(firstImport(guard) === undefined ? [] : [`${guard.path} loads ${firstImport(guard)} before it guards`]),
];
