import { isObject } from '#kernel/json/is-object.ts';
import { type Language, typeOfLanguage } from '../../languages.ts';
import type { JsonMap } from '../json-map.ts';
import { toLanguage } from '../language-names.ts';

/** What Jupyter and editors call a language of ours, where it is not the same word. */
const longNames: Partial<Record<Language, string>> = {
  py: 'python',
  js: 'javascript',
  jsx: 'javascriptreact',
  ts: 'typescript',
  tsx: 'typescriptreact',
  rs: 'rust',
  rb: 'ruby',
  cs: 'csharp',
  sh: 'bash',
};

export const toLongName = (language: Language): string => longNames[language] ?? language;

const textOf = (map: unknown, key: string): string | undefined => {
  const value = isObject(map) ? map[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** What code cells of a notebook are written in: Python when it does not say, `txt` when it says something unheard of. */
export function languageOfKernel(metadata: JsonMap): Language {
  const { kernelspec, language_info } = metadata;
  const names = [textOf(language_info, 'name'), textOf(kernelspec, 'language'), textOf(kernelspec, 'name')];
  const said = names.filter((name) => name !== undefined);
  if (said.length === 0) return 'py';
  return said.map(toLanguage).find((language) => language !== undefined) ?? 'txt';
}

/** The kernel for most of the code; nothing when there is none. */
export function guessKernel(languages: readonly Language[]): JsonMap {
  const counts = new Map<Language, number>();
  for (const language of languages) {
    if (typeOfLanguage(language) === 'code') counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  if (most === undefined) return {};
  const name = toLongName(most);
  const kernelspec =
    most === 'py'
      ? { display_name: 'Python 3', language: name, name: 'python3' }
      : { display_name: name, language: name, name };
  return { kernelspec, language_info: { name } };
}
