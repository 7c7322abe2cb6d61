import type { Parsed } from './parsed.ts';
import { nodesOf } from './parsed.ts';
import { isTestPath, type SourceFile } from './tree.ts';

/** Names without meaning attract unrelated code. */
const emptyWords: ReadonlySet<string> = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'types',
  'shared',
  'lib',
]);
const kebabCase = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const kinds: ReadonlySet<string> = new Set(['test', 'contract', 'fixture', 'worker', 'config']);

function findInPath(path: string): readonly string[] {
  const parts = path.split('/');
  const [base = '', ...suffixes] = parts.pop()!.split('.');
  const names = [...parts, base];
  return [
    ...names.filter((name) => emptyWords.has(name)).map((name) => `is called ${name}`),
    ...names.filter((name) => !kebabCase.test(name)).map((name) => `is not kebab-case: ${name}`),
    ...suffixes
      .slice(0, -1)
      .filter((kind) => !kinds.has(kind))
      .map((kind) => `is of an unknown kind: .${kind}`),
  ];
}

const isDefaultExport = ({ path, program }: Parsed): boolean =>
  !path.endsWith('.config.ts') &&
  (nodesOf(program, 'ExportDefaultDeclaration').length > 0 ||
    nodesOf(program, 'ExportSpecifier').some(
      ({ exported }) => exported.type === 'Identifier' && exported.name === 'default',
    ));

const emptyEndings = ['Manager', 'Impl', 'Helper', 'Helpers', 'Util', 'Utils'];
const isPrefixed = (name: string): boolean => /^I[A-Z][a-z]/.test(name);

/** Type and class names that describe the construction instead of the subject. */
function findInTypes({ program, at }: Parsed): readonly string[] {
  const declared = [
    ...nodesOf(program, 'ClassDeclaration'),
    ...nodesOf(program, 'TSInterfaceDeclaration'),
    ...nodesOf(program, 'TSTypeAliasDeclaration'),
  ];
  return declared.flatMap((node) => {
    const name = node.id?.name ?? '';
    const isEmpty = isPrefixed(name) || emptyEndings.some((ending) => name.endsWith(ending));
    return isEmpty ? [`${at(node)} is called ${name}`] : [];
  });
}

export const findPathViolations = (paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => findInPath(path).map((violation) => `${path} ${violation}`));

export const findDeclarationViolations = (files: readonly Parsed[]): readonly string[] =>
  files.flatMap((file) => [
    ...(isDefaultExport(file) ? [`${file.path} has a default export`] : []),
    ...findInTypes(file),
  ]);

/** A longer file does more than one thing; a test may cover many cases of one thing. */
const linesMaxOf = (path: string): number => (isTestPath(path) ? 600 : 350);

export const findLengthViolations = (files: readonly SourceFile[]): readonly string[] =>
  files.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1;
    const linesMax = linesMaxOf(path);
    return lines > linesMax ? [`${path} has ${lines} lines; the limit is ${linesMax}`] : [];
  });
