import type { Language } from '../languages.ts';

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
