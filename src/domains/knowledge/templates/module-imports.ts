import { parse } from '@babel/parser';

type Program = ReturnType<typeof parse>['program'];
export type Statement = Program['body'][number];
type ImportStatement = Extract<Statement, { type: 'ImportDeclaration' }>;

export interface Import {
  readonly source: string;
  readonly isType: boolean;
  readonly defaultName?: string;
  readonly namespace?: string;
  /** As written: `a`, `a as b`. */
  readonly names: readonly string[];
}

const lineMax = 120;

/** Names in braces, on one line if they fit. */
export function printNames(before: string, names: readonly string[], after: string): string {
  const short = `${before}{ ${names.join(', ')} }${after}`;
  return short.length <= lineMax ? short : `${before}{\n${names.map((name) => `  ${name},\n`).join('')}}${after}`;
}

export const parseModule = (content: string): Program =>
  parse(content, { sourceType: 'module', plugins: ['typescript'], attachComment: false }).program;

export const isImport = (statement: Statement): statement is ImportStatement => statement.type === 'ImportDeclaration';

export function toImport({ source, importKind, specifiers }: ImportStatement): Import {
  let defaultName: string | undefined;
  let namespace: string | undefined;
  const names: string[] = [];
  for (const specifier of specifiers) {
    if (specifier.type === 'ImportDefaultSpecifier') defaultName = specifier.local.name;
    else if (specifier.type === 'ImportNamespaceSpecifier') namespace = specifier.local.name;
    else {
      const { imported, local, importKind: kind } = specifier;
      if (kind === 'type') throw new Error('types are imported by a statement of their own');
      const name = imported.type === 'Identifier' ? imported.name : imported.value;
      names.push(name === local.name ? name : `${name} as ${local.name}`);
    }
  }
  return {
    source: source.value,
    isType: importKind === 'type',
    names,
    ...(defaultName === undefined ? {} : { defaultName }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

const byText = (a: string, b: string) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);

function mergeTwo(a: Import, b: Import): Import {
  const names = [...new Set([...a.names, ...b.names])].toSorted(byText);
  return { ...a, ...b, names };
}

/** One statement per module and kind. Side-effect imports stay first, in their order. */
function mergeImports(imports: readonly Import[]): readonly Import[] {
  const merged = new Map<string, Import>();
  for (const one of imports) {
    const key = `${one.isType} ${one.namespace ?? ''} ${one.source}`;
    const before = merged.get(key);
    merged.set(key, before === undefined ? one : mergeTwo(before, one));
  }
  const hasNothing = ({ names, defaultName, namespace }: Import) =>
    names.length === 0 && defaultName === undefined && namespace === undefined;
  const all = [...merged.values()];
  return [...all.filter(hasNothing), ...all.filter((one) => !hasNothing(one)).toSorted(inPlace)];
}

/** Node modules first, then packages, then local files; values before types. */
function inPlace(a: Import, b: Import): number {
  const rank = ({ source }: Import) => (source.startsWith('node:') ? 0 : source.startsWith('.') ? 2 : 1);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  return Number(a.isType) - Number(b.isType);
}

function printImport({ source, isType, defaultName, namespace, names }: Import): string {
  const kind = isType ? 'import type' : 'import';
  const whole = [defaultName, namespace === undefined ? undefined : `* as ${namespace}`].filter(
    (part) => part !== undefined,
  );
  if (names.length > 0)
    return printNames(`${[kind, ...whole].join(' ')}${whole.length === 0 ? ' ' : ', '}`, names, ` from '${source}';`);
  return whole.length === 0 ? `${kind} '${source}';` : `${kind} ${whole.join(', ')} from '${source}';`;
}

export function addImports(content: string, heads: readonly string[]): string {
  const added = heads.flatMap((head) => parseModule(head).body.filter(isImport).map(toImport));
  const own = parseModule(content).body.filter(isImport);
  if (added.length === 0) return content;
  const printed = mergeImports([...own.map(toImport), ...added])
    .map(printImport)
    .join('\n');
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return `${printed}\n\n${content}`;
  return `${content.slice(0, first.start ?? 0)}${printed}${content.slice(last.end ?? 0)}`;
}
