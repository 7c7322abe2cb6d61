import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Language, Parser } from 'web-tree-sitter';
import { notebookLimits } from '../notebook-limits.ts';
import { outOfMemory } from './out-of-memory.ts';

/** A grammar's file: in the package that carries it, or beside the chunk that holds this module. */
export const grammarFiles = {
  bash: 'tree-sitter-bash/tree-sitter-bash.wasm',
  c: 'tree-sitter-c/tree-sitter-c.wasm',
  'c-sharp': 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm',
  cpp: 'tree-sitter-cpp/tree-sitter-cpp.wasm',
  go: 'tree-sitter-go/tree-sitter-go.wasm',
  java: 'tree-sitter-java/tree-sitter-java.wasm',
  php: 'tree-sitter-php/tree-sitter-php.wasm',
  'php-only': 'tree-sitter-php/tree-sitter-php_only.wasm',
  python: 'tree-sitter-python/tree-sitter-python.wasm',
  ruby: 'tree-sitter-ruby/tree-sitter-ruby.wasm',
  rust: 'tree-sitter-rust/tree-sitter-rust.wasm',
} as const;

export type Grammar = keyof typeof grammarFiles;

const isSource = import.meta.url.endsWith('.ts');
const here = dirname(fileURLToPath(import.meta.url));

const fileOf = (path: string): string =>
  isSource ? join(here, '../../../../node_modules', path) : join(here, 'grammars', basename(path));

let runtime: Promise<void> | undefined;
const parsers = new Map<Grammar, Promise<Parser>>();

/** Kept for as long as the thread lives: compiling a grammar takes longer than most texts. */
export function parserOf(grammar: Grammar): Promise<Parser> {
  const known = parsers.get(grammar);
  if (known !== undefined) return known;
  const parser = load(grammar);
  parsers.set(grammar, parser);
  return parser;
}

/** Node's types leave the name out; it is there in every thread. */
const wasm = (globalThis as typeof globalThis & { readonly WebAssembly: { readonly Memory: MemoryMaker } }).WebAssembly;
type MemoryMaker = new (size: { readonly initial: number; readonly maximum: number }) => object;

const toPages = (mb: number): number => mb * 16;

async function load(grammar: Grammar): Promise<Parser> {
  runtime ??= Parser.init({
    wasmBinary: readFileSync(fileOf('web-tree-sitter/web-tree-sitter.wasm')),
    // The limits of a thread do not count this memory; left alone it grows to two gigabytes and never shrinks.
    wasmMemory: new wasm.Memory({ initial: toPages(32), maximum: toPages(notebookLimits.checkGrammarsMb) }),
  });
  await runtime;
  const parser = new Parser();
  parser.setLanguage(await Language.load(readFileSync(fileOf(grammarFiles[grammar]))));
  return parser;
}

/**
 * Out of memory, or a grammar that broke: either way the module is as it was left, in the middle. Ends the thread, which
 * the pool replaces.
 */
export const abandonThread = (error: Error): Promise<never> =>
  new Promise(() => {
    setImmediate(() => {
      throw new Error(error.message.startsWith('Aborted') ? outOfMemory : error.message, { cause: error });
    });
  });
