import { knowledgeLimits } from '../../knowledge-limits.ts';
import { isLibraryName, isLibraryVersion } from '../../libraries/library-names.ts';

/** What a package.json calls itself. */
export interface PackageNames {
  readonly library: string | undefined;
  readonly version: string | undefined;
}

export function toPackageNames(manifest: Readonly<Record<string, unknown>> | undefined): PackageNames {
  const { name, version } = manifest ?? {};
  return {
    library: typeof name === 'string' && isLibraryName(name) ? name : undefined,
    version: typeof version === 'string' && isLibraryVersion(version) ? version : undefined,
  };
}

/** A name made of any text, such as that of a folder; undefined when nothing is left. */
export function toLibraryName(text: string): string | undefined {
  const name = text
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, knowledgeLimits.libraryChars);
  return isLibraryName(name) ? name : undefined;
}
