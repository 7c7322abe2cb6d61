import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Language, Parser } from 'web-tree-sitter';
import { notebookLimits } from '../notebook-limits.ts';
import { outOfMemory } from './syntax-report.ts';

/** Paths below `node_modules`; the build copies the files next to the chunk of this module. */
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

/** Cached for the life of the worker: compiling a grammar takes longer than most texts. */
export function parserOf(grammar: Grammar): Promise<Parser> {
  const known = parsers.get(grammar);
  if (known !== undefined) return known;
  const parser = load(grammar);
  parsers.set(grammar, parser);
  return parser;
}

/** Missing from Node's types. */
const wasm = (globalThis as typeof globalThis & { readonly WebAssembly: { readonly Memory: MemoryMaker } }).WebAssembly;
type MemoryMaker = new (size: { readonly initial: number; readonly maximum: number }) => object;

const toPages = (mb: number): number => mb * 16;

async function load(grammar: Grammar): Promise<Parser> {
  runtime ??= Parser.init({
    wasmBinary: readFileSync(fileOf('web-tree-sitter/web-tree-sitter.wasm')),
    // A worker's heap limit does not cover this memory. Without a maximum it grows to two gigabytes and never shrinks.
    wasmMemory: new wasm.Memory({ initial: toPages(32), maximum: toPages(notebookLimits.validationGrammarsMb) }),
  });
  await runtime;
  const parser = new Parser();
  parser.setLanguage(await Language.load(readFileSync(fileOf(grammarFiles[grammar]))));
  return parser;
}

/** Ends the worker, which the pool replaces: after a trap or a lack of memory the module cannot be used again. */
export const abandonWorker = (error: Error): Promise<never> =>
  new Promise(() => {
    setImmediate(() => {
      throw new Error(error.message.startsWith('Aborted') ? outOfMemory : error.message, { cause: error });
    });
  });
