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
import type { ErrorEntry, WarningEntry } from './result.ts';
import type { DataDocument, DataVerdict, Place } from './verdict.ts';

type Parsed = Document.Parsed;

/** All documents of a text, as `parseAllDocuments` gives them, but handed on by hand: generators in generators take long. */
function parseDocuments(text: string): readonly Parsed[] {
  const parser = new Parser();
  // The package compares every key with every other; below they are looked up instead.
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

/** Lines end with LF alone or after CR, as the package counts them. Counted when the first place is asked for. */
function createPlaces(text: string): (offset: number) => Place {
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

export function checkYaml(text: string): DataVerdict {
  const placeOf = createPlaces(text);
  const documents = parseDocuments(text);
  const errors: ErrorEntry[] = documents.flatMap((document) => [
    ...document.errors.map(({ message, code, pos }) => ({ message, code, ...placeOf(pos[0]) })),
    ...findInNodes(document, placeOf),
  ]);
  const warnings: WarningEntry[] = documents.flatMap((document) =>
    document.warnings.map(({ message, code, pos }) => {
      const { line, column } = placeOf(pos[0]);
      return { message: `line ${line}, column ${column}: ${message}`, code };
    }),
  );
  return {
    errors: errors.toSorted((a, b) => a.line! - b.line! || a.column! - b.column!),
    warnings,
    documents: () => documents.map((document) => toData(document, placeOf)),
  };
}

/** What the package leaves for later or takes long to find: keys that stand twice, aliases of nothing. */
function findInNodes(document: Parsed, placeOf: (offset: number) => Place): readonly ErrorEntry[] {
  const found: ErrorEntry[] = [];
  const anchors = new Set<string>();
  const report = (node: Node, code: string, message: string): void => {
    found.push({ message, code, ...placeOf(node.range?.[0] ?? 0) });
  };
  const walk = (node: unknown): void => {
    if (isPair(node)) {
      walk(node.key);
      walk(node.value);
    } else if (isAlias(node)) {
      if (!anchors.has(node.source))
        report(node, 'UNRESOLVED_ALIAS', `there is no anchor "${node.source}" before this`);
    } else if (isNode(node)) {
      if (node.anchor !== undefined) anchors.add(node.anchor);
      if (isMap(node))
        for (const key of findTwins(node)) report(key, 'DUPLICATE_KEY', `the key ${show(key)} stands twice`);
      if (isCollection(node)) for (const item of node.items) walk(item);
    }
  };
  walk(document.contents);
  return found;
}

const show = (key: Scalar): string => JSON.stringify(key.value) ?? String(key.value);

function findTwins({ items }: YAMLMap): readonly Scalar[] {
  const twins: Scalar[] = [];
  if (items.length < 2) return twins;
  const names = new Set<unknown>();
  for (const { key } of items) {
    // Merge keys may stand several times.
    if (!isScalar(key) || key.value === '<<') continue;
    if (names.has(key.value)) twins.push(key);
    else names.add(key.value);
  }
  return twins;
}

function toData(document: Parsed, placeOf: (offset: number) => Place): DataDocument {
  return {
    value: document.toJS({ maxAliasCount: notebookLimits.yamlAliasCount }) as unknown,
    placesOf(pointers) {
      const places = new Map<string, Place>();
      const stack: { readonly node: unknown; readonly pointer: string }[] = [{ node: document.contents, pointer: '' }];
      const prefixes = toPrefixes(pointers);
      for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
        const { node, pointer } = next;
        const start = (node as Node | null)?.range?.[0];
        if (pointers.has(pointer) && typeof start === 'number') places.set(pointer, placeOf(start));
        for (const child of childrenOf(node, pointer)) if (prefixes.has(child.pointer)) stack.push(child);
      }
      return places;
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

/** Every pointer and all that lead to it. */
function toPrefixes(pointers: ReadonlySet<string>): ReadonlySet<string> {
  const prefixes = new Set<string>(['']);
  for (const pointer of pointers)
    for (let at = pointer.indexOf('/', 1); ; at = pointer.indexOf('/', at + 1)) {
      prefixes.add(at === -1 ? pointer : pointer.slice(0, at));
      if (at === -1) break;
    }
  return prefixes;
}
