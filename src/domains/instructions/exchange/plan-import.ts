import { dirname, join } from 'node:path';
import { type FileListing, findFiles, type NamedFile, readTextFile } from '#kernel/paths/find-files.ts';
import { canonicalBody } from '#kernel/text/normalise.ts';
import type { InstructionInput } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { isCandidate } from '../rules/candidates.ts';
import type { MappedField } from '../rules/map-entry.ts';
import type { SyncScope } from '../rules/plan-sync.ts';
import { type SourcePlace, withSourceMark } from '../rules/source-mark.ts';
import type { ReportProgress } from './bulk-deps.ts';
import { findProject, type ProjectPath, toProjectPath } from './find-project.ts';
import { followReferences, referencesIn } from './follow-references.ts';
import { parseEntries } from './formats/parse-entries.ts';
import { parseRuleText, parseScopedRule, parseSkill } from './formats/parse-rules.ts';
import { type ParsedFile, type RuleFile, type RuleFormat, type SkippedPart, toStableId } from './formats/rule-input.ts';

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
  if (lower.endsWith('.instructions.md') || /(?:^|\/)\.github\/instructions\/.*\.md$/i.test(path)) {
    return 'copilot-instructions';
  }
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

const findRuleFiles = (paths: readonly string[]): Promise<FileListing<RuleFormat>> =>
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

const withoutByteOrderMark = (text: string): string => (text.startsWith(byteOrderMark) ? text.slice(1) : text);

async function readRuleFile({ format, ...file }: NamedFile<RuleFormat>): Promise<RuleFile | SkippedPart> {
  const limit = format === 'entry-json' ? instructionLimits.backupFileBytes : instructionLimits.ruleFileBytes;
  const text = await readTextFile(file, limit);
  if (typeof text !== 'string') return text;
  return { path: file.path, format, text: withoutByteOrderMark(text) };
}

interface SourcedEntry {
  readonly entry: InstructionInput;
  readonly source: string;
  /** The author chose the id, so it must not change; otherwise it was derived from a title. */
  readonly isGiven: boolean;
}

/** The second `Testing` becomes `testing-claude-md`, the third `testing-claude-md-2`. */
export function freeId(id: string, source: string, isTaken: (id: string) => boolean): string {
  const base = toStableId(`${id} ${source}`);
  for (let n = 1; ; n += 1) {
    const wanted = n === 1 ? base : `${base}-${n}`;
    if (!isTaken(wanted)) return wanted;
  }
}

/** Makes ids unique: equal texts are one rule; a different text with a derived id gets a new id. */
function assignIds(all: readonly SourcedEntry[]) {
  const taken = new Map<string, { readonly body: string; readonly source: string }>();
  const entries: InstructionInput[] = [];
  const skipped: SkippedPart[] = [];
  const warnings: string[] = [];
  for (const { entry, source, isGiven } of all) {
    const body = canonicalBody(entry.body);
    const first = taken.get(entry.id);
    if (first === undefined) {
      taken.set(entry.id, { body, source });
      entries.push(entry);
    } else if (first.body === body) {
      skipped.push({ source, reason: `${entry.id} is already in ${first.source} with the same text` });
    } else if (isGiven) {
      skipped.push({ source, reason: `duplicate id: ${entry.id} is already in ${first.source}` });
    } else {
      const id = freeId(entry.id, source, (other) => taken.has(other));
      taken.set(id, { body, source });
      entries.push({ ...entry, id });
      warnings.push(`${source}: ${entry.id} is already in ${first.source}; imported as ${id}`);
    }
  }
  return { entries, skipped, warnings };
}

const parsers: Readonly<Record<RuleFormat, (file: RuleFile) => ParsedFile>> = {
  'entry-json': parseEntries,
  agents: parseRuleText,
  claude: parseRuleText,
  cursorrules: parseRuleText,
  copilot: parseRuleText,
  'cursor-mdc': parseScopedRule,
  'copilot-instructions': parseScopedRule,
  skill: parseSkill,
};

export const parseFile = (file: RuleFile): ParsedFile => parsers[file.format](file);

const candidatesShown = 20;

/** A person confirms them, with an owner, because only then are they binding. */
export function noteCandidates(entries: readonly InstructionInput[]): readonly string[] {
  const ids = entries.filter(isCandidate).map(({ id }) => id);
  if (ids.length === 0) return [];
  const shown = ids.length > candidatesShown ? `${ids.slice(0, candidatesShown).join(', ')}, …` : ids.join(', ');
  const how = `governance-update --id … --patch '{"requirement":"mandatory","owner":"…"}'`;
  return [
    `${ids.length} of the rules demand or forbid something (must, never, do not) and are recommended until you confirm them as mandatory with ${how}: ${shown}`,
  ];
}

export interface PlanImportOptions {
  readonly progress?: ReportProgress;
  /** The name of the project; default: the name of its folder. */
  readonly project?: string | undefined;
  /** The folder where the scopes of a file begin, if it was imported before. Relative to the project, like the file. */
  baseOf?(project: string, file: string): string | undefined;
}

/** A rule file, under its name inside the folder that was imported and under its name in the project. */
interface ProjectFile extends NamedFile<RuleFormat> {
  readonly place: SourcePlace;
}

function toProjectFile(
  { absolute, format }: Omit<NamedFile<RuleFormat>, 'path'>,
  { project, root }: ProjectPath,
  named: string,
  baseOf: PlanImportOptions['baseOf'],
): ProjectFile {
  const file = toProjectPath(root, absolute);
  const base = baseOf?.(project, file) ?? toProjectPath(root, named);
  const path = base === '' ? file : file.slice(base.length + 1);
  return { path, absolute, format, place: { file, project, ...(base === '' ? {} : { base }) } };
}

/** Gathers the rules of files. */
function createCollector() {
  const all: SourcedEntry[] = [];
  const skipped: SkippedPart[] = [];
  const warnings: string[] = [];
  const mapped: (MappedField & { readonly id: string })[] = [];
  const read: SourcePlace[] = [];
  return {
    skip: (...parts: readonly SkippedPart[]): void => void skipped.push(...parts),
    take(file: RuleFile, place: SourcePlace): void {
      const parsed = parseFile(file);
      const isGiven = file.format === 'entry-json' || file.format === 'skill';
      read.push(place);
      for (const entry of parsed.entries) all.push({ entry: withSourceMark(entry, place), source: file.path, isGiven });
      skipped.push(...parsed.skipped);
      warnings.push(...parsed.warnings);
      mapped.push(...(parsed.mapped ?? []));
    },
    collected() {
      const assigned = assignIds(all);
      return {
        entries: assigned.entries,
        skipped: [...skipped, ...assigned.skipped],
        warnings: [...warnings, ...assigned.warnings],
        mapped,
        read,
      };
    },
  };
}

/** What an import would add, without reading the catalog: the dry run, and the first half of the real import. */
export async function planImport(paths: readonly string[], options: PlanImportOptions = {}) {
  const { progress = () => {} } = options;
  const scopes: SyncScope[] = [];
  const unreadable: SyncScope[] = [];
  const found = new Map<string, ProjectFile>();
  const { skip, take, collected } = createCollector();

  for (const named of paths) {
    const project = await findProject(named, options.project);
    const listing = await findRuleFiles([named]);
    const folder = project.kind === 'folder' ? named : dirname(named);
    scopes.push({ project: project.project, path: project.path });
    skip(...listing.skipped);
    for (const { source } of listing.skipped) {
      const path = toProjectPath(project.root, project.kind === 'folder' ? join(named, source) : named);
      unreadable.push({ project: project.project, path });
    }
    for (const file of listing.files) {
      if (!found.has(file.absolute)) found.set(file.absolute, toProjectFile(file, project, folder, options.baseOf));
    }
  }
  const known = new Set(found.keys());
  let followedCount = 0;
  for (const [i, file] of [...found.values()].entries()) {
    const { absolute, place } = file;
    progress(i, found.size, `reading ${file.path}`);
    const text = await readRuleFile(file);
    if ('reason' in text) {
      skip(text);
      unreadable.push({ project: place.project, path: place.file });
      continue;
    }
    take(text, place);
    if (text.format !== 'claude') continue;
    const followed = await followReferences({ ...text, absolute }, known, formatOf);
    const root = absolute.slice(0, -place.file.length - 1);
    for (const one of followed.files) {
      const includedBy = one.format === 'claude' ? { includedBy: place.file } : {};
      take(one, { ...place, file: toProjectPath(root, one.absolute), ...includedBy });
    }
    for (const one of followed.unreadable) {
      unreadable.push({ project: place.project, path: toProjectPath(root, one) });
    }
    skip(...followed.skipped);
    followedCount += followed.files.length;
  }
  return { files: found.size + followedCount, ...collected(), scopes, unreadable };
}

/** A rule file that somebody sent, under its path in the project. */
export interface SentFile {
  readonly path: string;
  readonly text: string;
}

/** Without folders above and without empty steps, so that it names a file in the project. */
const isProjectPath = (path: string): boolean =>
  path.split('/').every((step) => step !== '' && step !== '.' && step !== '..') && !path.includes('\\');

/** Undefined if the file is read. A file that was chosen is a rule file; of a folder only those that are known as such. */
function whyNotRead(path: string, isTaken: boolean): string | undefined {
  if (!isProjectPath(path)) return 'the path must be relative to the project, with / between its parts';
  if (isTaken) return 'the file was sent twice';
  return path.includes('/') && formatOf(path) === undefined ? 'not a rule file' : undefined;
}

/** As `planImport`, for files that were sent instead of read from disk. References to other files are not followed. */
export function planSentFiles(files: readonly SentFile[], project: string): ImportPlan {
  const { skip, take, collected } = createCollector();
  const sent = new Set(files.map(({ path }) => path));
  const taken = new Set<string>();
  for (const { path, text } of files) {
    const reason = whyNotRead(path, taken.has(path));
    if (reason !== undefined) {
      skip({ source: path, reason });
      continue;
    }
    taken.add(path);
    const format = namedFormat(path);
    take({ path, format, text: withoutByteOrderMark(text) }, { file: path, project });
    if (format !== 'claude') continue;
    for (const reference of referencesIn(text).filter((one) => /\.mdc?$/i.test(one) && !sent.has(one))) {
      skip({ source: path, reason: `@${reference} is another file: import it too` });
    }
  }
  // Only what was sent is compared: nothing is known about other files of the project.
  const scopes = [...taken].map((path) => ({ project, path }));
  return { files: taken.size, ...collected(), scopes, unreadable: [] };
}

export type ImportPlan = Awaited<ReturnType<typeof planImport>>;
