import { type FoundFiles, findFiles, type NamedFile, readTextFile } from '#kernel/paths/find-files.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { formatOf } from './formats/format-of.ts';
import type { RuleFile, RuleFormat, SkippedPart } from './formats/parsed-file.ts';

/** Folders of other people's files, and of half a million files. */
const isForeign = (name: string): boolean =>
  ['node_modules', '.git', '.hg', '.svn', '.venv', 'vendor', 'dist', 'build', 'target', 'coverage'].includes(name);

/** Dot-folders hold rules only where the tools that read them look. */
const isHidden = (name: string): boolean =>
  name.startsWith('.') && !['.cursor', '.github', '.claude', '.agents', '.codex'].includes(name);

/** JSON files lie everywhere in a project; entries are those beside nothing else, so only the named folder's own count. */
const isWanted = (format: RuleFormat, depth: number): boolean => format !== 'entry-json' || depth === 0;

/** A file that is named itself is read whatever it is called: JSON if it says so, else text with headings. */
const namedFormat = (path: string): RuleFormat =>
  formatOf(path) ?? (path.toLowerCase().endsWith('.json') ? 'entry-json' : 'agents');

/** The rule files under folders and the files that are named. */
export const findRuleFiles = (paths: readonly string[]): Promise<FoundFiles<RuleFormat>> =>
  findFiles(paths, {
    formatOf(path, depth) {
      const format = formatOf(path);
      return format !== undefined && isWanted(format, depth) ? format : undefined;
    },
    namedFormat,
    isEntered: (folder) => !isForeign(folder) && !isHidden(folder),
    filesCount: instructionLimits.filesCount,
    folderDepth: instructionLimits.folderDepth,
  });

const byteOrderMark = '\uFEFF';

export async function readRuleFile({ format, ...file }: NamedFile<RuleFormat>): Promise<RuleFile | SkippedPart> {
  const limit = format === 'entry-json' ? instructionLimits.backupFileBytes : instructionLimits.ruleFileBytes;
  const text = await readTextFile(file, limit);
  if (typeof text !== 'string') return text;
  return { path: file.path, format, text: text.startsWith(byteOrderMark) ? text.slice(1) : text };
}
