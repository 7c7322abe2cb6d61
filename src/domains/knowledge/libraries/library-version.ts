import { z } from 'zod';
import { knowledgeLimits } from '../knowledge-limits.ts';

/** An npm package name. It must not contain the `@` and `/` that follow it in section ids. */
const libraryPattern = /^(?:@[A-Za-z0-9][\w.-]*\/)?[A-Za-z0-9][\w.-]*$/;
const versionPattern = /^[A-Za-z0-9][\w.+-]*$/;

export const libraryNameRule = 'a library is named like a package: react, @scope/name';
export const versionRule = 'a version consists of letters, digits, dots, dashes, underscores and plus signs';

export const libraryNameSchema = z.string().max(knowledgeLimits.libraryChars).regex(libraryPattern, libraryNameRule);

export const versionSchema = z.string().max(knowledgeLimits.versionChars).regex(versionPattern, versionRule);

export interface LibraryVersion {
  readonly library: string;
  readonly version: string;
}

export const isLibraryName = (text: string): boolean => libraryNameSchema.safeParse(text).success;
export const isVersion = (text: string): boolean => versionSchema.safeParse(text).success;

export const formatLibraryVersion = ({ library, version }: LibraryVersion): string => `${library}@${version}`;

/** Parses `react@19.2.0`, `react` and `@scope/name@1.0.0`. */
export function parseLibraryVersion(text: string): { readonly library: string; readonly version: string | undefined } {
  const name = text.trim();
  const at = name.indexOf('@', 1);
  return at === -1
    ? { library: name, version: undefined }
    : { library: name.slice(0, at), version: name.slice(at + 1) };
}

export interface SectionPlace extends LibraryVersion {
  readonly path: string;
  readonly anchor: string;
}

/** The inverse of `sectionId`. A name has no second `@`, a version no `/`, an anchor no `#`. */
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
