export type Bump = 'patch' | 'minor' | 'major';
export type Version = readonly [major: number, minor: number, patch: number];

/** Nine digits, so that the numbers stay exact. */
const versionPattern = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;

/** `major.minor.patch` only; undefined for anything else. */
export function parseVersion(text: string): Version | undefined {
  const match = versionPattern.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Files may contain anything as a version; invalid ones sort first. */
const noVersion: Version = [0, 0, 0];

export function compareVersions(a: string, b: string): number {
  const left = parseVersion(a) ?? noVersion;
  const right = parseVersion(b) ?? noVersion;
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

export function bumpVersion(version: string, bump: Bump): string {
  const [major, minor, patch] = parseVersion(version) ?? [1, 0, 0];
  if (bump === 'major') return `${major + 1}.0.0`;
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
