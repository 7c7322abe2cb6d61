import { z } from 'zod';
import { knowledgeLimits } from '../knowledge-limits.ts';

/** As packages are called, `@scope/name` included; it stands before an `@` and a `/` in the ids of sections. */
const libraryPattern = /^(?:@[A-Za-z0-9][\w.-]*\/)?[A-Za-z0-9][\w.-]*$/;
const versionPattern = /^[A-Za-z0-9][\w.+-]*$/;

export const libraryForm = 'a library is called as a package is: react, @scope/name';
export const versionForm = 'a version has letters, digits, dots, dashes, underscores and plus signs';

export const libraryName = z.string().max(knowledgeLimits.libraryChars).regex(libraryPattern, libraryForm);

export const libraryVersion = z.string().max(knowledgeLimits.versionChars).regex(versionPattern, versionForm);

/** One version of a library. */
export interface Edition {
  readonly library: string;
  readonly version: string;
}

export const isLibraryName = (text: string): boolean => libraryName.safeParse(text).success;
export const isLibraryVersion = (text: string): boolean => libraryVersion.safeParse(text).success;

export const toEditionText = ({ library, version }: Edition): string => `${library}@${version}`;

/** `react@19.2.0`, or `react` alone. */
export function splitEdition(text: string): { readonly library: string; readonly version: string | undefined } {
  const at = text.indexOf('@', 1);
  return at === -1
    ? { library: text, version: undefined }
    : { library: text.slice(0, at), version: text.slice(at + 1) };
}

export interface SectionPlace extends Edition {
  readonly path: string;
  readonly anchor: string;
}

/** The place that `sectionId` made an id of. A name has no second `@`, a version no `/`, an anchor no `#`. */
export function parseSectionId(id: string): SectionPlace | undefined {
  const at = id.indexOf('@', 1);
  const slash = id.indexOf('/', at);
  const hash = id.lastIndexOf('#');
  if (at === -1 || slash === -1 || hash < slash) return undefined;
  return {
    library: id.slice(0, at),
    version: id.slice(at + 1, slash),
    path: id.slice(slash + 1, hash),
    anchor: id.slice(hash + 1),
  };
}
