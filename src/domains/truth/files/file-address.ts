import { truthLimits } from '../truth-limits.ts';

/** The same bytes in the same bucket have the same address in any store. */
export interface FileAddress {
  readonly bucket: string;
  readonly sha256: string;
}

const scheme = 'fourfold://';
const sha256Pattern = /^[0-9a-f]{64}$/;

export const bucketPattern = /^[a-z0-9][a-z0-9_-]{0,62}$/;

export const toFileUrl = ({ bucket, sha256 }: FileAddress): string => `${scheme}${bucket}/${sha256}`;

/** Parses `fourfold://bucket/sha256` or `bucket/sha256`. */
export function parseFileAddress(text: string): FileAddress | undefined {
  const bare = text.startsWith(scheme) ? text.slice(scheme.length) : text;
  const [bucket = '', sha256 = '', ...rest] = bare.slice(0, truthLimits.pathChars).split('/');
  return rest.length === 0 && bucketPattern.test(bucket) && sha256Pattern.test(sha256) ? { bucket, sha256 } : undefined;
}
