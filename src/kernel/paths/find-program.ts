import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

/** Fixed folders instead of PATH, which depends on who started the server. */
const programFolders = [
  ...['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin', '/opt/local/bin'],
  'C:\\Program Files\\Git\\cmd',
];

/** The path of an installed program, if there is one. */
export async function findProgram(
  name: string,
  folders: readonly string[] = programFolders,
): Promise<string | undefined> {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  for (const folder of folders) {
    const path = join(folder, file);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
