import { parse } from '@babel/parser';
import { type Import, isImport, parseModule, printNames, type Statement, toImport } from './module-imports.ts';

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `import x from` takes the whole CommonJS module; `{ default as x }` takes its property `default`. */
function printRequire({ source, defaultName, namespace, names }: Import): string {
  const call = `require('${source}');`;
  const lines = [defaultName, namespace].filter((name) => name !== undefined).map((name) => `const ${name} = ${call}`);
  if (names.length > 0)
    lines.push(
      printNames(
        'const ',
        names.map((name) => name.replace(' as ', ': ')),
        ` = ${call}`,
      ),
    );
  return lines.length === 0 ? call : lines.join('\n');
}

/** The exported names. A variable that is reassigned is rejected, because its first value would be exported. */
function namesOf(declaration: Statement): readonly string[] {
  if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration')
    return declaration.id == null ? [] : [declaration.id.name];
  if (declaration.type !== 'VariableDeclaration' || declaration.kind !== 'const') return [];
  const ids = declaration.declarations.map(({ id }) => id);
  return ids.every((id) => id.type === 'Identifier') ? ids.map(({ name }) => name) : [];
}

/** Replaces ES modules by `require` and `module.exports`, for a package.json without "type": "module". */
export function toCommonJs(content: string): string {
  const changes: Change[] = [];
  const exported: string[] = [];
  for (const statement of parseModule(content).body) {
    const [start, end] = [statement.start ?? 0, statement.end ?? 0];
    if (isImport(statement)) changes.push({ start, end, text: printRequire(toImport(statement)) });
    if (!statement.type.startsWith('Export')) continue;
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined;
    const names = declaration == null ? [] : namesOf(declaration);
    if (names.length === 0)
      throw new Error('a constant, function or class is exported where it is declared, by its name');
    exported.push(...names);
    changes.push({ start, end: declaration?.start ?? start, text: '' });
  }
  let [at, plain] = [0, ''];
  for (const { start, end, text } of changes) {
    plain += content.slice(at, start) + text;
    at = end;
  }
  plain += content.slice(at);
  if (exported.length > 0) plain = `${plain.trimEnd()}\n\n${printNames('module.exports = ', exported, ';')}\n`;
  // Rejects syntax that only modules allow, such as top-level await.
  parse(plain, { sourceType: 'commonjs' });
  return plain;
}
