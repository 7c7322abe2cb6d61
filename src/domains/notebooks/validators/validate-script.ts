import { type ParserOptions, type ParserPlugin, parse } from '@babel/parser';
import type { Language } from '../languages.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { type ErrorEntry, noFindings, type SyntaxReport } from './syntax-report.ts';

const newSyntax: readonly ParserPlugin[] = [
  'decoratorAutoAccessors',
  'explicitResourceManagement',
  'importAttributes',
  'deferredImportEvaluation',
  'sourcePhaseImports',
];

const pluginsOf: Partial<Record<Language, readonly ParserPlugin[]>> = {
  js: ['jsx', 'decorators', ...newSyntax],
  jsx: ['jsx', 'decorators', ...newSyntax],
  ts: ['typescript', 'decorators', ...newSyntax],
  tsx: ['typescript', 'jsx', 'decorators', ...newSyntax],
};

type Mode = NonNullable<ParserOptions['sourceType']>;

interface BabelError extends Error {
  readonly code?: string;
  readonly reasonCode?: string;
  readonly loc?: { readonly line: number; readonly column: number };
}

/** All errors, or only the first one, which is faster. */
function tryAs(
  text: string,
  sourceType: Mode,
  plugins: readonly ParserPlugin[],
  errorRecovery = true,
): readonly ErrorEntry[] {
  const options: ParserOptions = {
    sourceType,
    plugins: [...plugins],
    errorRecovery,
    attachComment: false,
    allowUndeclaredExports: true,
  };
  try {
    return (parse(text, options).errors ?? []).map((error) => toEntry(error as BabelError));
  } catch (error) {
    if (error instanceof SyntaxError) return [toEntry(error)];
    throw error;
  }
}

function toEntry({ message, reasonCode, loc }: BabelError): ErrorEntry {
  return {
    // Babel appends the position: `Unexpected token (3:14)`.
    message: message.replace(/ \(\d+:\d+\)$/, ''),
    code: reasonCode ?? 'SYNTAX_ERROR',
    ...(loc === undefined ? {} : { line: loc.line, column: loc.column + 1 }),
  };
}

/** The statements of a declaration file. */
const declares: ReadonlySet<string> = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ExportDefaultDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSModuleDeclaration',
  'TSDeclareFunction',
  'TSExportAssignment',
  'TSNamespaceExportDeclaration',
  'TSImportEqualsDeclaration',
  'TSEnumDeclaration',
  'ClassDeclaration',
]);

/** True if the text consists of declarations only, as a `.d.ts` does: constants without values, functions without bodies. */
function isDeclarationFile(text: string): boolean {
  if (!/\b(?:export|declare)\b/.test(text)) return false;
  try {
    const plugins: ParserPlugin[] = [['typescript', { dts: true }], 'decorators', ...newSyntax];
    const { program } = parse(text, { sourceType: 'module', plugins, attachComment: false });
    const isDeclared = (node: (typeof program.body)[number]): boolean =>
      ('declare' in node && node.declare === true) ||
      (node.type === 'VariableDeclaration' && node.declarations.every(({ init }) => init == null));
    return program.body.every((node) => declares.has(node.type) || isDeclared(node));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Tries a module, then a script, then CommonJS: a cell does not say which it is. */
export function validateScript(text: string, language: Language): SyntaxReport {
  if (text.length > notebookLimits.scriptChars) {
    const message = `not checked: longer than ${notebookLimits.scriptChars} characters`;
    return { errors: [], warnings: [{ message, code: 'TOO_LARGE' }], checked: 'not' };
  }
  const plugins = pluginsOf[language] ?? [];
  const asModule = tryAs(text, 'module', plugins);
  if (asModule.length === 0) return noFindings;
  const isModule = /^[ \t]*(?:import|export)\b/m.test(text);
  const others: readonly Mode[] = isModule ? [] : ['script', 'commonjs'];
  let best = asModule;
  for (const mode of others) {
    if (mode === 'commonjs' && !/\b(?:require|module|exports|__dirname|__filename)\b/.test(text)) continue;
    const [first] = tryAs(text, mode, plugins, false);
    if (first === undefined) return noFindings;
    // The same first error: this mode will not accept the text either.
    if (first.line === asModule[0]!.line && first.column === asModule[0]!.column) continue;
    const errors = tryAs(text, mode, plugins);
    if (errors.length < best.length) best = errors;
  }
  if (language === 'ts' && isDeclarationFile(text)) return noFindings;
  return { errors: best, warnings: [] };
}
