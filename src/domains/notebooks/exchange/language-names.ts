import { type Language, languages } from '../languages.ts';

const byLanguage: Readonly<Record<Language, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  md: 'text/markdown',
  txt: 'text/plain',
  py: 'text/x-python',
  js: 'text/javascript',
  ts: 'text/x-typescript',
  tsx: 'text/x-typescript',
  jsx: 'text/javascript',
  rs: 'text/x-rust',
  c: 'text/x-c',
  h: 'text/x-c',
  cpp: 'text/x-c++',
  hpp: 'text/x-c++',
  sh: 'application/x-sh',
  css: 'text/css',
  html: 'text/html',
  htm: 'text/html',
  java: 'text/x-java',
  go: 'text/x-go',
  rb: 'text/x-ruby',
  toml: 'application/toml',
  php: 'application/x-httpd-php',
  cs: 'text/x-csharp',
};

export const mimeTypeOf = (language: string): string =>
  Object.hasOwn(byLanguage, language) ? byLanguage[language as Language] : 'text/plain';

/** The first language with this MIME type. */
export const languageOfMimeType = (mimeType: string): Language | undefined => {
  const bare = mimeType.split(';')[0]!.trim().toLowerCase();
  return (Object.keys(byLanguage) as Language[]).find((language) => byLanguage[language] === bare);
};

/** Names in fences, kernels and editors. */
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
};

const known: ReadonlySet<string> = new Set(languages);

export function toLanguage(name: string): Language | undefined {
  const key = name.trim().toLowerCase();
  if (known.has(key)) return key as Language;
  return Object.hasOwn(aliases, key) ? aliases[key] : undefined;
}
