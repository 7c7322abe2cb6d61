import { parse } from '@babel/parser';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

type Range = readonly [start: number, end: number];

/** Statements without a run-time value: removed as a whole. */
const typeStatements: ReadonlySet<string> = new Set(
  'TSInterfaceDeclaration TSTypeAliasDeclaration TSModuleDeclaration TSDeclareFunction TSDeclareMethod'.split(' '),
);

/** Node properties that hold types. */
const typeKeys: ReadonlySet<string> = new Set(
  'typeAnnotation returnType typeParameters typeArguments superTypeParameters superTypeArguments'.split(' '),
);

/** TypeScript with a run-time value, which cannot be removed. */
const notErasable: ReadonlySet<string> = new Set(
  'TSEnumDeclaration TSParameterProperty TSImportEqualsDeclaration TSExportAssignment TSAbstractMethodDefinition'.split(
    ' ',
  ),
);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const isTypeStatement = (node: Node): boolean =>
  typeStatements.has(node.type) ||
  node['declare'] === true ||
  (node.type === 'ImportDeclaration' && node['importKind'] === 'type') ||
  (node.type === 'ExportNamedDeclaration' &&
    (node['exportKind'] === 'type' || (isNode(node['declaration']) && isTypeStatement(node['declaration']))));

/** Expressions that never need parentheses. */
const needsNoParentheses: ReadonlySet<string> = new Set(
  'Identifier MemberExpression CallExpression ThisExpression ParenthesizedExpression'.split(' '),
);

const isCast = (node: Node) => node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression';

const expressionOf = (node: Node): Node => node['expression'] as Node;

/** Includes the comment directly above the statement and the rest of its line. */
function wholeStatement(content: string, { start, end }: Node): Range {
  let from = content.lastIndexOf('\n', start - 1) + 1;
  for (;;) {
    const before = content.lastIndexOf('\n', from - 2) + 1;
    if (from === 0 || !/^\s*(?:\/\/|\/?\*)/.test(content.slice(before, from))) break;
    from = before;
  }
  const to = content.indexOf('\n', end) + 1;
  if (to === 0) return [from, content.length];
  // Keeps one of the blank lines above and below.
  const isSetOff = content[to] === '\n' && (from === 0 || content.slice(0, from).endsWith('\n\n'));
  return [from, isSetOff ? to + 1 : to];
}

function rangesOf(content: string, node: Node): readonly Range[] {
  if (notErasable.has(node.type)) throw new Error(`${node.type} cannot be converted to JavaScript by removing types`);
  if (isTypeStatement(node)) return [wholeStatement(content, node)];
  if (isCast(node) || node.type === 'TSNonNullExpression') {
    const inner = expressionOf(node);
    return [[inner.end, node.end], ...rangesOf(content, inner)];
  }
  if (node.type === 'ParenthesizedExpression' && isCast(expressionOf(node))) {
    const inner = expressionOf(expressionOf(node));
    const parentheses: readonly Range[] = [
      [node.start, inner.start],
      [inner.end, node.end],
    ];
    // The parentheses were only needed for the cast.
    if (needsNoParentheses.has(inner.type)) return [...parentheses, ...rangesOf(content, inner)];
  }
  const ranges: Range[] = [];
  if (node.type === 'Identifier' && node['optional'] === true) {
    const nameEnd = node.start + String(node['name']).length;
    ranges.push([nameEnd, nameEnd + 1]);
  }
  const implemented = node['implements'];
  if (Array.isArray(implemented) && implemented.length > 0) {
    const body = node['body'] as Node;
    const last = implemented.at(-1) as Node;
    const word = content.lastIndexOf('implements', (implemented[0] as Node).start);
    ranges.push([word, Math.min(last.end + 1, body.start)]);
  }
  for (const [key, value] of Object.entries(node)) {
    if (key === 'implements') continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (!isNode(child)) continue;
      if (typeKeys.has(key)) ranges.push([child.start, child.end]);
      else ranges.push(...rangesOf(content, child));
    }
  }
  return ranges;
}

/** Ranges may be nested; the outer one wins. */
function cut(content: string, ranges: readonly Range[]): string {
  let at = 0;
  let left = '';
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (end <= at) continue;
    left += content.slice(at, Math.max(at, start));
    at = end;
  }
  return left + content.slice(at);
}

const parseAs = (content: string, plugins: readonly 'typescript'[]) =>
  parse(content, {
    sourceType: 'module',
    plugins: [...plugins],
    attachComment: false,
    createParenthesizedExpressions: true,
  }).program;

/** Empty if nothing is left. Parses the result as JavaScript to check it. */
export function stripTypes(content: string): string {
  const program: unknown = parseAs(content, ['typescript']);
  const plain = cut(content, isNode(program) ? rangesOf(content, program) : []);
  const tidy = `${plain.trim()}\n`;
  const { body, directives } = parseAs(tidy, []);
  return body.length === 0 && directives.length === 0 ? '' : tidy;
}
