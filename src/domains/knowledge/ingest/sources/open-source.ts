import { faults } from '#kernel/fault/kernel-faults.ts';
import { findAllowed, refused } from './allowed-folder.ts';
import { openFile, openFolder } from './open-folder.ts';
import { isLlmsFile, openLlms } from './open-llms.ts';
import { isPackageName, openPackage } from './open-package.ts';
import { isZipFile, openZip } from './open-zip.ts';
import type { OpenedSource, SourceAccess } from './source.ts';

const packagePrefix = 'npm:';

async function expectPackage(name: string, access: SourceAccess): Promise<OpenedSource> {
  const opened = await openPackage(name, access);
  if (opened !== undefined) return opened;
  const why = `Nothing that may be read is called ${name}, and no package in node_modules is: install it, or name a folder, an llms.txt or a zip`;
  throw faults.VALIDATION_ERROR({ why }, { field: 'source' });
}

/** What was named: a folder, a file, an archive, an llms.txt, else a package of the project. */
export async function openSource(name: string, access: SourceAccess): Promise<OpenedSource> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) {
    const why = 'Nothing is fetched from the network: download it, or give the pages themselves as pages';
    throw faults.VALIDATION_ERROR({ why }, { field: 'source' });
  }
  if (name.startsWith(packagePrefix)) return expectPackage(name.slice(packagePrefix.length), access);
  const found = await findAllowed(name, access);
  if (found === undefined) {
    if (isPackageName(name) && !name.startsWith('.')) return expectPackage(name, access);
    throw access.roots === undefined ? faults.NOT_FOUND({ what: name }) : refused();
  }
  if (found.isFolder) return openFolder(found.path, access);
  if (isZipFile(found.path)) return openZip(found.path, access);
  return isLlmsFile(found.path) ? openLlms(found.path, access) : openFile(found.path, access);
}
