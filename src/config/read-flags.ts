import { nearest } from '#kernel/text/edit-distance.ts';
import { type FlagMeaning, flagMeanings } from './names.ts';
import type { SettingName } from './settings.ts';

/** Whether the command that starts with these words has this flag (without dashes) itself. */
export type OwnsFlag = (words: readonly string[], flag: string) => boolean;

export interface GivenFlag {
  readonly flag: string;
  readonly text: string;
}

export interface ReadFlags {
  /** Settings given as flags; several texts if a flag is repeated. */
  readonly given: ReadonlyMap<SettingName, readonly GivenFlag[]>;
  readonly command: string | undefined;
  /** Everything else, in order: the command's words and its own flags. */
  readonly rest: readonly string[];
  readonly problems: readonly string[];
}

/** Flags that act as a command, so they may come before one. */
const helpFlags: ReadonlySet<string> = new Set(['-h', '--help', '-V', '--version']);

export const asksForHelp = (argv: readonly string[]): boolean =>
  argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined).some((word) => helpFlags.has(word));

function splitFlag(word: string) {
  const at = word.indexOf('=');
  return at === -1
    ? { flag: word.slice(2), inline: undefined }
    : { flag: word.slice(2, at), inline: word.slice(at + 1) };
}

/** The value of a flag and how many words it took; undefined if it lacks one. */
function textOf(
  { setting, negated }: FlagMeaning,
  inline: string | undefined,
  next: string | undefined,
): { text: string; words: number } | undefined {
  if (setting.kind === 'boolean') {
    if (negated) return inline === undefined ? { text: 'false', words: 1 } : undefined;
    return { text: inline ?? 'true', words: 1 };
  }
  if (inline !== undefined) return { text: inline, words: 1 };
  return next === undefined || next.startsWith('--') ? undefined : { text: next, words: 2 };
}

/**
 * Separates the settings from the command line. Before the command every flag is a setting; after it the command's own
 * flags come first, and the command rejects unknown ones.
 */
export function readFlags(argv: readonly string[], ownsFlag: OwnsFlag): ReadFlags {
  const given = new Map<SettingName, readonly GivenFlag[]>();
  const words: string[] = [];
  const rest: string[] = [];
  const problems: string[] = [];
  let at = 0;
  while (at < argv.length) {
    const word = argv[at]!;
    if (word === '--') break;
    at += 1;
    if (!word.startsWith('--') || helpFlags.has(word)) {
      const isFlag = word.startsWith('-') && word !== '-';
      if (isFlag && words.length === 0 && !helpFlags.has(word)) problems.push(unknownFlag(word));
      if (!isFlag) words.push(word);
      rest.push(word);
      continue;
    }
    const { flag, inline } = splitFlag(word);
    const meaning = flagMeanings.get(flag);
    if (words.length > 0 && (meaning === undefined || ownsFlag(words, flag))) {
      rest.push(word);
      continue;
    }
    if (meaning === undefined) {
      problems.push(unknownFlag(`--${flag}`));
      continue;
    }
    const taken = textOf(meaning, inline, argv[at]);
    if (taken === undefined) {
      problems.push(meaning.negated ? `--${flag} takes no value` : `--${flag} needs a value`);
      continue;
    }
    at += taken.words - 1;
    given.set(meaning.name, [...(given.get(meaning.name) ?? []), { flag: `--${flag}`, text: taken.text }]);
  }
  return { given, command: words[0], rest: [...rest, ...argv.slice(at)], problems };
}

const unknownFlag = (flag: string): string => {
  const near = nearest(flag.replace(/^-{1,2}/, ''), flagMeanings.keys());
  return `unknown flag ${flag}; did you mean --${near}?`;
};
