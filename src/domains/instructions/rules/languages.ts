/**
 * The usual names and file name endings of languages. Every name of a line means the same language. A name that is in no
 * line means itself.
 */
const languageLines = [
  'typescript ts tsx mts cts',
  'javascript js jsx mjs cjs ecmascript node nodejs',
  'python py pyi python3 ipynb',
  'go golang',
  'rust rs',
  'java',
  'kotlin kt kts',
  'swift',
  'csharp c# cs dotnet',
  'fsharp f# fs',
  'c h',
  'cpp c++ cc cxx hpp hh hxx',
  'objective-c objc',
  'ruby rb',
  'php',
  'scala sc',
  'dart',
  'elixir ex exs',
  'erlang erl',
  'haskell hs',
  'clojure clj cljs',
  'lua',
  'perl pl pm',
  'r rmd',
  'julia jl',
  'sql pgsql plpgsql',
  'shell sh bash zsh shellscript',
  'powershell ps1 psm1 pwsh',
  'html htm',
  'css',
  'scss sass',
  'less',
  'vue',
  'svelte',
  'astro',
  'markdown md mdx',
  'yaml yml',
  'json jsonc json5',
  'toml',
  'xml',
  'terraform tf tfvars hcl',
  'dockerfile docker',
  'makefile make mk',
  'protobuf proto',
  'graphql gql graphqls',
  'solidity sol',
  'zig',
  'groovy gradle',
] as const;

const namesOf: ReadonlyMap<string, readonly string[]> = new Map(
  languageLines.flatMap((line) => {
    const names = line.split(' ');
    return names.map((name) => [name, names] as const);
  }),
);

const bare = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/^\*?\./, '');

/** All names of the language, so that a condition may use any of them. */
export function languageNames(given: string): readonly string[] {
  const name = bare(given);
  return namesOf.get(name) ?? [name];
}

/** The name of a language in a condition, without the dot of an ending. */
export const toLanguageName = bare;

/** By the ending, or by the whole name of a `Dockerfile` or `Makefile`. */
export function languagesOfFile(fileName: string): readonly string[] {
  const name = fileName.toLowerCase();
  const dot = name.lastIndexOf('.');
  const special = /^(?:dockerfile|makefile)(?=\.|$)/.exec(name)?.[0];
  return namesOf.get(special ?? (dot === -1 ? '' : name.slice(dot + 1))) ?? [];
}
