/** Names of folders and files that nearly every project has: they say nothing about a task. */
const ordinary: ReadonlySet<string> = new Set(
  `app apps bin build common config core dist doc docs github helpers home index init internal lib libs main mod module
   modules node package packages pkg project projects public repo scripts service services share shared source sources
   spec specs src static temp test tests tmp types user users util utils workspace`.split(/\s+/),
);

const filesMax = 20;
const wordsMax = 8;
/** The file and the folders around it; those further up are the same for the whole project. */
const nearParts = 4;

/** `packages/mobile/src/mapView.tsx` → `mobile`, `map`, `view`. */
function wordsOf(path: string): readonly string[] {
  const parts = path.split(/[\\/]+/).slice(-nearParts);
  const name = parts.at(-1)!;
  // The first dot may begin the name, as in `.env`.
  const dot = name.indexOf('.', 1);
  return [...parts.slice(0, -1), dot === -1 ? name : name.slice(0, dot)].flatMap((part) =>
    part
      .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}]+/u),
  );
}

/**
 * The task with the words of the files that it does not name itself: where a change is made says what it is about. The
 * judged tasks with files find more of their notes by them, and fewer useless ones.
 */
export function withFileWords(task: string, files: readonly string[]): string {
  const known = new Set(task.toLowerCase().split(/[^\p{L}]+/u));
  const words = new Set(
    files
      .slice(0, filesMax)
      .flatMap(wordsOf)
      .filter((word) => word.length > 1 && !ordinary.has(word) && !known.has(word)),
  );
  return [task, ...[...words].slice(0, wordsMax)].join(' ');
}
