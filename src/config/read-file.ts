import { readFileSync } from 'node:fs';
import { nearest } from './nearest.ts';
import { settingsTable } from './settings.ts';

/** A larger file is no settings file, and is not read into memory. */
const configFileBytes = 1024 * 1024;

export interface ReadFile {
  readonly members: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
}

const nothing: ReadFile = { members: {}, problems: [] };

function refuse(file: string, why: string): ReadFile {
  return { members: {}, problems: [`${file}: ${why}`] };
}

function parse(file: string, text: string): ReadFile {
  let found: unknown;
  try {
    found = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return refuse(file, `not JSON: ${(error as Error).message}`);
  }
  if (found === null || typeof found !== 'object' || Array.isArray(found))
    return refuse(file, 'a JSON object is expected');
  const names = Object.keys(settingsTable);
  const unknown = Object.keys(found).filter((key) => !names.includes(key));
  return {
    members: found as Readonly<Record<string, unknown>>,
    problems: unknown.map((key) => `${file}: unknown setting "${key}"; did you mean "${nearest(key, names)}"?`),
  };
}

/** A file that was named must be there; the one in the data folder may be. */
export function readConfigFile(file: string, wasNamed: boolean): ReadFile {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > configFileBytes) return refuse(file, `larger than ${configFileBytes} bytes`);
    return parse(file, bytes.toString('utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!wasNamed && (code === 'ENOENT' || code === 'ENOTDIR')) return nothing;
    return refuse(file, code === 'ENOENT' ? 'there is no such file' : message);
  }
}
