export const languages = [
  'json',
  'yaml',
  'yml',
  'md',
  'txt',
  'py',
  'js',
  'ts',
  'tsx',
  'jsx',
  'rs',
  'c',
  'h',
  'cpp',
  'hpp',
  'sh',
  'css',
  'html',
  'htm',
  'java',
  'go',
  'rb',
  'toml',
  'php',
  'cs',
] as const;

export type Language = (typeof languages)[number];
export type LanguageType = 'data' | 'markup' | 'code' | 'text';

const otherTypes: Partial<Record<Language, LanguageType>> = {
  json: 'data',
  yaml: 'data',
  yml: 'data',
  toml: 'data',
  md: 'markup',
  html: 'markup',
  htm: 'markup',
  txt: 'text',
};

export const typeOfLanguage = (language: Language): LanguageType => otherTypes[language] ?? 'code';

/** Other usual names: in fences, kernels, editors and file names. */
const aliases: Readonly<Record<string, Language>> = {
  python: 'py',
  python3: 'py',
  ipython: 'py',
  ipython3: 'py',
  javascript: 'js',
  node: 'js',
  mjs: 'js',
  cjs: 'js',
  typescript: 'ts',
  javascriptreact: 'jsx',
  typescriptreact: 'tsx',
  rust: 'rs',
  'c++': 'cpp',
  cxx: 'cpp',
  cc: 'cpp',
  'c++11': 'cpp',
  'c++14': 'cpp',
  'c++17': 'cpp',
  bash: 'sh',
  shell: 'sh',
  zsh: 'sh',
  shellscript: 'sh',
  'shell-session': 'sh',
  console: 'sh',
  markdown: 'md',
  text: 'txt',
  plain: 'txt',
  plaintext: 'txt',
  ruby: 'rb',
  golang: 'go',
  csharp: 'cs',
  'c#': 'cs',
  '.net-csharp': 'cs',
  jsonc: 'json',
  pyi: 'py',
  py3: 'py',
  ecmascript: 'js',
  es6: 'js',
  nodejs: 'js',
  'node.js': 'js',
  mts: 'ts',
  cts: 'ts',
  hxx: 'hpp',
  hh: 'hpp',
  cplusplus: 'cpp',
  'c++20': 'cpp',
  'c++23': 'cpp',
  ksh: 'sh',
  mdx: 'md',
  gfm: 'md',
  commonmark: 'md',
  mkd: 'md',
  xhtml: 'html',
  html5: 'html',
  css3: 'css',
  php8: 'php',
};

const known: ReadonlySet<string> = new Set(languages);

/** The documented language that a name means. */
export function toLanguage(name: string): Language | undefined {
  const key = name.trim().toLowerCase();
  if (known.has(key)) return key as Language;
  return Object.hasOwn(aliases, key) ? aliases[key] : undefined;
}
