import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseAllDocuments,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { pointerStep } from '#kernel/json/pointer.ts';
import { checkLimits } from './limits.ts';
import type { ErrorEntry, WarningEntry } from './result.ts';
import type { DataDocument, DataVerdict, Place } from './verdict.ts';

type Parsed = Document.Parsed;

export function checkYaml(text: string): DataVerdict {
  const lines = new LineCounter();
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  // The package compares every key with every other; below they are looked up instead.
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const documents: readonly Parsed[] = Array.isArray(parsed) ? parsed : [];
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
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        if (!anchors.has(node.source))
          report(node, 'UNRESOLVED_ALIAS', `there is no anchor "${node.source}" before this`);
        return;
      }
      if (node.anchor !== undefined) anchors.add(node.anchor);
      if (isMap(node))
        for (const key of findTwins(node)) report(key, 'DUPLICATE_KEY', `the key ${show(key)} stands twice`);
    },
  });
  return found;
}

const show = (key: Scalar): string => JSON.stringify(key.value) ?? String(key.value);

function findTwins(map: YAMLMap): readonly Scalar[] {
  const names = new Set<unknown>();
  return map.items.flatMap(({ key }) => {
    // Merge keys may stand several times.
    if (!isScalar(key) || key.value === '<<') return [];
    const isTwin = names.has(key.value);
    names.add(key.value);
    return isTwin ? [key] : [];
  });
}

function toData(document: Parsed, placeOf: (offset: number) => Place): DataDocument {
  return {
    value: document.toJS({ maxAliasCount: checkLimits.yamlAliasCount }) as unknown,
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
