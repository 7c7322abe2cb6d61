/** Numbers first, then what follows a dash: `4.0.0-beta.2`. Undefined for names such as `latest`. */
interface Release {
  readonly numbers: readonly number[];
  readonly preview: readonly string[];
}

const releasePattern = /^v?(\d+(?:\.\d+)*)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;
const wholePattern = /^\d+$/;

function parseRelease(version: string): Release | undefined {
  const [, numbers, preview = ''] = releasePattern.exec(version) ?? [];
  if (numbers === undefined) return undefined;
  return { numbers: numbers.split('.').map(Number), preview: preview === '' ? [] : preview.split('.') };
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function comparePreviewParts(a: string, b: string): number {
  const [isNumberA, isNumberB] = [wholePattern.test(a), wholePattern.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}

/** A preview comes before its release (semver 2.0.0, 11). */
function comparePreviews(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = comparePreviewParts(a[i]!, b[i]!);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const compareReleases = (a: Release, b: Release): number =>
  compareNumbers(a.numbers, b.numbers) || comparePreviews(a.preview, b.preview);

/** Oldest first. Versions without numbers (`latest`) are newer than all others: they follow the source. */
export function compareVersions(a: string, b: string): number {
  const [releaseA, releaseB] = [parseRelease(a), parseRelease(b)];
  if (releaseA !== undefined && releaseB !== undefined) return compareReleases(releaseA, releaseB);
  if (releaseA === undefined && releaseB === undefined) return a < b ? -1 : Number(a > b);
  return releaseA === undefined ? 1 : -1;
}

type Condition = (release: Release) => boolean;

const any: Condition = () => true;

/** The numbers before the first `x` or `*`, and the preview: `3.x` → [3]. */
function parsePartial(text: string): Release | undefined {
  const partial = text.replace(/(?:^v?|\.)[xX*](?:\.[xX*])*$/, '');
  return partial === '' ? { numbers: [], preview: [] } : parseRelease(partial);
}

/** Before every other preview of the same numbers. */
const earliest: readonly string[] = ['0'];

/** The first release after all that begin with these numbers: [3, 23] → [3, 24]. */
const after = (numbers: readonly number[]): Release => ({
  numbers: [...numbers.slice(0, -1), numbers.at(-1)! + 1],
  preview: earliest,
});

const between =
  (from: Release, to: Release): Condition =>
  (release) =>
    compareReleases(release, from) >= 0 && compareReleases(release, to) < 0;

/** `^1.2.3` keeps the first number that is not 0, `~1.2.3` the first two. */
function keptBy(operator: string, { numbers }: Release): readonly number[] {
  if (operator === '~') return numbers.slice(0, 2);
  const first = numbers.findIndex((number) => number !== 0);
  return first === -1 ? numbers : numbers.slice(0, first + 1);
}

function toCondition(operator: string, bound: Release): Condition {
  const { numbers, preview } = bound;
  if (numbers.length === 0) return any;
  const end = after(numbers);
  const isPartial = numbers.length < 3 && preview.length === 0;
  switch (operator) {
    case '^':
    case '~':
      return between(bound, after(keptBy(operator, bound)));
    case '>':
      return (release) => compareReleases(release, isPartial ? end : bound) > 0;
    case '>=':
      return (release) => compareReleases(release, bound) >= 0;
    case '<':
      return (release) => compareReleases(release, bound) < 0;
    case '<=':
      return (release) => compareReleases(release, isPartial ? end : bound) < (isPartial ? 0 : 1);
    default:
      return isPartial
        ? between({ numbers, preview: earliest }, end)
        : (release) => compareReleases(release, bound) === 0;
  }
}

/** Undefined if it is not a comparison: `>=3.20`, `^3`, `3.x`, `*`. */
function parseComparison(text: string): Condition | undefined {
  const [, operator = '', version = ''] = /^([\^~]|[<>]?=?)(.*)$/.exec(text) ?? [];
  const bound = parsePartial(version);
  return bound === undefined ? undefined : toCondition(operator, bound);
}

function parseAlternative(text: string): readonly Condition[] | undefined {
  // `1.2 - 2.3` means `>=1.2 <=2.3`; a blank after an operator does not separate.
  const joined = text
    .trim()
    .replace(/^(\S+)\s+-\s+(\S+)$/, '>=$1 <=$2')
    .replaceAll(/([\^~<>=])\s+/g, '$1');
  const conditions = joined.split(/\s+/).map(parseComparison);
  return conditions.every((condition) => condition !== undefined) ? conditions : undefined;
}

/**
 * Versions that match, in the given order: the version itself, its beginning (`3.23` matches 3.23.8), or a range as in
 * a package.json. A preview matches only if the range is written with one, or no release matches. `latest` matches the
 * newest alone.
 */
export function matchVersions(versions: readonly string[], range: string): readonly string[] {
  const wanted = range.trim();
  if (versions.includes(wanted)) return [wanted];
  if (wanted === 'latest') return matchVersions(versions, '*').toSorted(compareVersions).slice(-1);
  const alternatives = wanted.split('||').map(parseAlternative);
  if (wanted === '' || alternatives.some((conditions) => conditions === undefined)) return [];
  const matching = versions.filter((version) => {
    const release = parseRelease(version);
    return release !== undefined && alternatives.some((conditions) => conditions!.every((holds) => holds(release)));
  });
  const releases = matching.filter((version) => parseRelease(version)!.preview.length === 0);
  return releases.length === 0 || wanted.includes('-') ? matching : releases;
}
