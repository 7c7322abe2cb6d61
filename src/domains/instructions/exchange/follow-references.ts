import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { readTextFile } from '#kernel/paths/find-files.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { projectFolder, type RuleFile, type RuleFormat, type SkippedPart } from './formats/rule-input.ts';
import { proseLines } from './formats/split-markdown.ts';

/** `@docs/git.md` in the text of a CLAUDE.md, not in code and not inside a word such as an address. */
const reference = /(?:^|[\s(])@([^\s`'"()<>]+)/g;

const punctuation: ReadonlySet<string> = new Set('.,;:!?');

/** The end of a sentence does not belong to the path. */
function withoutPunctuation(path: string): string {
  let end = path.length;
  while (end > 0 && punctuation.has(path[end - 1]!)) end -= 1;
  return path.slice(0, end);
}

/** The paths that a text refers to, in order. A mention of a person looks the same and refers to no file. */
export const referencesIn = (text: string): readonly string[] =>
  proseLines(text).flatMap((line) =>
    [...line.replace(/`[^`]*`/g, '').matchAll(reference)].map(([, path = '']) => withoutPunctuation(path)),
  );

const isText = (path: string): boolean => /(?:\.mdc?|\.txt|(?:^|\/)[^./]+)$/i.test(path);

const isInside = (root: string, path: string): boolean => {
  const below = relative(root, path);
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
};

interface Origin {
  readonly path: string;
  readonly absolute: string;
  readonly text: string;
}

export interface FollowedFile extends RuleFile {
  readonly absolute: string;
}

export interface Followed {
  readonly files: readonly FollowedFile[];
  readonly skipped: readonly SkippedPart[];
  /** Absolute paths. */
  readonly unreadable: readonly string[];
}

type Target = { readonly absolute: string } | { readonly reason: string } | undefined;

/** Undefined when the file does not exist and the text does not clearly name one. */
async function locate(root: string, from: string, written: string): Promise<Target> {
  if (written.startsWith('~')) return { reason: `@${written} is outside the imported folder` };
  const absolute = resolve(dirname(from), written);
  if (!isInside(root, absolute)) return { reason: `@${written} is outside the imported folder` };
  const real = await realpath(absolute).catch(() => undefined);
  if (real === undefined) return /\.mdc?$/i.test(written) ? { reason: `@${written} does not exist` } : undefined;
  if (!isInside(await realpath(root), real)) return { reason: `@${written} is a link out of the imported folder` };
  return isText(written) ? { absolute } : { reason: `@${written} is not a Markdown file` };
}

/**
 * The files that a CLAUDE.md includes, each once. They apply where the CLAUDE.md applies, except those that are rule
 * files themselves. `known` are the files that are imported anyway; files that were followed are added to it.
 */
export async function followReferences(
  origin: Origin,
  known: Set<string>,
  formatOf: (path: string) => RuleFormat | undefined,
): Promise<Followed> {
  const root = origin.absolute.slice(0, -origin.path.length - 1);
  const scope = projectFolder(origin.path);
  const files: FollowedFile[] = [];
  const skipped: SkippedPart[] = [];
  const unreadable: string[] = [];

  async function follow(from: Origin, depth: number): Promise<void> {
    for (const written of referencesIn(from.text)) {
      const target = await locate(root, from.absolute, written);
      if (target === undefined) continue;
      if ('reason' in target) {
        skipped.push({ source: from.path, reason: target.reason });
        continue;
      }
      const { absolute } = target;
      if (known.has(absolute)) continue;
      if (depth >= instructionLimits.referenceDepth) {
        const reason = `@${written} is more than ${instructionLimits.referenceDepth} references away`;
        skipped.push({ source: from.path, reason });
        continue;
      }
      known.add(absolute);
      const path = relative(root, absolute).split(sep).join('/');
      const text = await readTextFile({ path, absolute }, instructionLimits.ruleFileBytes);
      if (typeof text !== 'string') {
        skipped.push(text);
        unreadable.push(absolute);
        continue;
      }
      const own = formatOf(path);
      files.push(
        own === undefined ? { path, absolute, format: 'claude', text, scope } : { path, absolute, format: own, text },
      );
      await follow({ path, absolute, text }, depth + 1);
    }
  }

  await follow(origin, 0);
  return { files, skipped, unreadable };
}
