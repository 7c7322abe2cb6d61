import { type FileListing, findFiles, type NamedFile, readTextFile } from '#kernel/paths/find-files.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { RuleFile, RuleFormat, SkippedPart } from './formats/rule-input.ts';

/** Files of a catalog folder that are not entries. */
const catalogFiles: ReadonlySet<string> = new Set([
  'gates.json',
  'owners.json',
  'prompt-criteria.json',
  'canonical-instructions.json',
  'usage-snapshot.json',
  'feedback-entries.json',
]);

const byName: Readonly<Record<string, RuleFormat>> = {
  'agents.md': 'agents',
  'agents.override.md': 'agents',
  'claude.md': 'claude',
  'claude.local.md': 'claude',
  '.cursorrules': 'cursorrules',
  'copilot-instructions.md': 'copilot',
  'skill.md': 'skill',
};

/** Decided by the name alone, as the programs that read these files do. Undefined for other files. */
export function formatOf(path: string): RuleFormat | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const lower = name.toLowerCase();
  const named = Object.hasOwn(byName, lower) ? byName[lower] : undefined;
  if (named !== undefined) return named;
  if (lower.endsWith('.mdc')) return 'cursor-mdc';
  if (lower.endsWith('.instructions.md')) return 'copilot-instructions';
  if (lower.endsWith('.json') && !lower.startsWith('.') && !catalogFiles.has(lower)) return 'entry-json';
  return undefined;
}

/** Folders with code of others or with generated files. */
const isForeign = (name: string): boolean =>
  ['node_modules', '.git', '.hg', '.svn', '.venv', 'vendor', 'dist', 'build', 'target', 'coverage'].includes(name);

/** Hidden folders contain rules only where known tools look for them. */
const isHidden = (name: string): boolean =>
  name.startsWith('.') && !['.cursor', '.github', '.claude', '.agents', '.codex'].includes(name);

/** Projects contain JSON files everywhere, so only those directly in the named folder count as entries. */
const isWanted = (format: RuleFormat, depth: number): boolean => format !== 'entry-json' || depth === 0;

/** A file that is named explicitly is always read: as JSON by its ending, otherwise as Markdown. */
const namedFormat = (path: string): RuleFormat =>
  formatOf(path) ?? (path.toLowerCase().endsWith('.json') ? 'entry-json' : 'agents');

export const findRuleFiles = (paths: readonly string[]): Promise<FileListing<RuleFormat>> =>
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
