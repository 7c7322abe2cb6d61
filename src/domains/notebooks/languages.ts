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
