import { type Language, languages } from '../languages.ts';

/** What others call the languages of our list, in fences, kernels and editors. */
const otherNames: Readonly<Record<string, Language>> = {
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

/** The language of our list that goes by a name; undefined when none does. */
export function toLanguage(name: string): Language | undefined {
  const key = name.trim().toLowerCase();
  if (known.has(key)) return key as Language;
  return Object.hasOwn(otherNames, key) ? otherNames[key] : undefined;
}
