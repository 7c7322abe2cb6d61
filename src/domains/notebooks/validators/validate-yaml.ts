import {
  Composer,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  Lexer,
  type Node,
  Parser,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { pointerStep } from '#kernel/json/is-object.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { type DataDocument, type DataReport, type ErrorEntry, type Position, toWarning } from './syntax-report.ts';

type Parsed = Document.Parsed;

/** Like `parseAllDocuments`, but without its nested generators, which are slow. */
function parseDocuments(text: string): readonly Parsed[] {
  const parser = new Parser();
  // The package compares every key with every other key; findDuplicateKeys uses a set.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false });
  const documents: Parsed[] = [];
  const compose = (tokens: ReturnType<Parser['next']>): void => {
    for (let turn = tokens.next(); turn.done !== true; turn = tokens.next())
      for (const document of composer.next(turn.value)) documents.push(document);
  };
  for (const lexeme of new Lexer().lex(text)) compose(parser.next(lexeme));
  compose(parser.end());
  for (const document of composer.end()) documents.push(document);
  return documents;
}

/** Like the package, counts only LF as a line end. Counts the lines when the first position is needed. */
function createPositions(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: Math.max(offset - starts[low]! + 1, 1) };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

export function validateYaml(text: string): DataReport {
  const positionOf = createPositions(text);
  const documents = parseDocuments(text);
  const errors: ErrorEntry[] = documents.flatMap((document) => [
    ...document.errors.map(({ message, code, pos }) => ({ message, code, ...positionOf(pos[0]) })),
    ...findNodeErrors(document, positionOf),
  ]);
  const warnings = documents.flatMap((document) =>
    document.warnings.map(({ message, code, pos }) => toWarning(positionOf(pos[0]), message, code)),
  );
  return {
    errors: errors.toSorted((a, b) => a.line! - b.line! || a.column! - b.column!),
    warnings,
    documents: () => documents.map((document) => toData(document, positionOf)),
  };
}

/** Errors that the package reports only later or slowly: duplicate keys, aliases without an anchor. */
function findNodeErrors(document: Parsed, positionOf: (offset: number) => Position): readonly ErrorEntry[] {
  const found: ErrorEntry[] = [];
  const anchors = new Set<string>();
  const report = (node: Node, code: string, message: string): void => {
    found.push({ message, code, ...positionOf(node.range?.[0] ?? 0) });
  };
  const walk = (node: unknown): void => {
    if (isPair(node)) {
      walk(node.key);
      walk(node.value);
    } else if (isAlias(node)) {
      if (!anchors.has(node.source)) report(node, 'UNRESOLVED_ALIAS', `no anchor "${node.source}" precedes this alias`);
    } else if (isNode(node)) {
      if (node.anchor !== undefined) anchors.add(node.anchor);
      if (isMap(node))
        for (const key of findDuplicateKeys(node)) report(key, 'DUPLICATE_KEY', `the key ${show(key)} occurs twice`);
      if (isCollection(node)) for (const item of node.items) walk(item);
    }
  };
  walk(document.contents);
  return found;
}

const show = (key: Scalar): string => JSON.stringify(key.value) ?? String(key.value);

function findDuplicateKeys({ items }: YAMLMap): readonly Scalar[] {
  const duplicates: Scalar[] = [];
  if (items.length < 2) return duplicates;
  const names = new Set<unknown>();
  for (const { key } of items) {
    // Merge keys may be repeated.
    if (!isScalar(key) || key.value === '<<') continue;
    if (names.has(key.value)) duplicates.push(key);
    else names.add(key.value);
  }
  return duplicates;
}

function toData(document: Parsed, positionOf: (offset: number) => Position): DataDocument {
  return {
    value: document.toJS({ maxAliasCount: notebookLimits.yamlAliasCount }) as unknown,
    positionsOf(pointers) {
      const positions = new Map<string, Position>();
      const stack: { readonly node: unknown; readonly pointer: string }[] = [{ node: document.contents, pointer: '' }];
      const prefixes = toPrefixes(pointers);
      for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
        const { node, pointer } = next;
        const start = (node as Node | null)?.range?.[0];
        if (pointers.has(pointer) && typeof start === 'number') positions.set(pointer, positionOf(start));
        for (const child of childrenOf(node, pointer)) if (prefixes.has(child.pointer)) stack.push(child);
      }
      return positions;
    },
  };
}

function childrenOf(node: unknown, pointer: string): readonly { readonly node: unknown; readonly pointer: string }[] {
  if (isMap(node))
    return node.items.map(({ key, value }) => ({
      node: value,
      pointer: pointer + pointerStep(String(isScalar(key) ? key.value : key)),
    }));
  const items = (node as { items?: readonly unknown[] } | null)?.items;
  return items?.map((item, index) => ({ node: item, pointer: pointer + pointerStep(index) })) ?? [];
}

/** Every pointer and all its prefixes. */
function toPrefixes(pointers: ReadonlySet<string>): ReadonlySet<string> {
  const prefixes = new Set<string>(['']);
  for (const pointer of pointers)
    for (let at = pointer.indexOf('/', 1); ; at = pointer.indexOf('/', at + 1)) {
      prefixes.add(at === -1 ? pointer : pointer.slice(0, at));
      if (at === -1) break;
    }
  return prefixes;
}
