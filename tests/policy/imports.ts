import type { ESTree } from 'rolldown/utils';
import { isName, literalText, memberName, type Parsed, walk } from './parsed.ts';

export interface Import {
  /** Undefined if it is computed. */
  readonly specifier: string | undefined;
  /** Erased at run time. */
  readonly isType: boolean;
  readonly at: string;
}

const isImportMetaUrl = (node: ESTree.Node | undefined): boolean =>
  node?.type === 'MemberExpression' && node.object.type === 'MetaProperty' && memberName(node) === 'url';

/** Nodes that refer to other modules. If the path depends on bundling, the path of the sources counts. */
function requestsOf(node: ESTree.Node): readonly (ESTree.Node | undefined)[] {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return [node.source];
    case 'ExportNamedDeclaration':
      return node.source === null ? [] : [node.source];
    case 'NewExpression': {
      const [file, base] = node.arguments;
      if (!isName(node.callee, 'URL') || !isImportMetaUrl(base)) return [];
      return [file?.type === 'ConditionalExpression' ? file.consequent : file];
    }
    case 'CallExpression':
      return isName(node.callee, 'require') || isName(node.callee, 'createRequire') ? [undefined] : [];
    default:
      return [];
  }
}

function isTypeOnly(node: ESTree.Node): boolean {
  if (node.type === 'TSImportType') return true;
  if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') return node.exportKind === 'type';
  return node.type === 'ImportDeclaration' && node.importKind === 'type';
}

/** Imports, type imports, re-exports, dynamic imports and files next to the code: `new URL(…, import.meta.url)`. */
export function importsOf({ program, at }: Parsed): readonly Import[] {
  const found: Import[] = [];
  for (const { node } of walk(program)) {
    for (const request of requestsOf(node))
      found.push({ specifier: literalText(request), isType: isTypeOnly(node), at: at(node) });
  }
  return found;
}

export const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
