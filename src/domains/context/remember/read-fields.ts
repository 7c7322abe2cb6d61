/** `status: paid`, `due date = 2026-05-01`. The name of a field has one to three words. */
const pair =
  /^\s*([A-Za-z][A-Za-z0-9]{0,40}(?:[ _-][A-Za-z][A-Za-z0-9]{0,40}){0,2})(?::\s{1,5}|\s{0,5}=\s{0,5})(\S.{0,2000})$/;

const toFieldName = (words: string): string => words.trim().toLowerCase().replaceAll(/[ -]/g, '_');

/** The fields that a text states explicitly, one per line or between semicolons; nothing is guessed from sentences. */
export function readFields(text: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const line of text.split(/[\n;]/)) {
    const [, name, value] = pair.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields[toFieldName(name)] = value.trim();
  }
  return fields;
}
