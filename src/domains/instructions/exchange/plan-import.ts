import { canonicalBody } from '#kernel/text/normalise.ts';
import type { InstructionInput } from '../entry-model.ts';
import type { ReportProgress } from './bulk-deps.ts';
import { parseEntries } from './formats/parse-entries.ts';
import { parseRuleText, parseScopedRule, parseSkill } from './formats/parse-rules.ts';
import { type ParsedFile, type RuleFile, type RuleFormat, type SkippedPart, toStableId } from './formats/rule-input.ts';
import { findRuleFiles, readRuleFile } from './rule-files.ts';

interface SourcedEntry {
  readonly entry: InstructionInput;
  readonly source: string;
  /** The author chose the id, so it must not change; otherwise it was derived from a title. */
  readonly isGiven: boolean;
}

interface AssignedEntries {
  readonly entries: readonly InstructionInput[];
  readonly skipped: readonly SkippedPart[];
  readonly warnings: readonly string[];
}

/** The second `Testing` becomes `testing-claude-md`, the third `testing-claude-md-2`. */
function freeId(id: string, source: string, taken: ReadonlyMap<string, unknown>): string {
  const base = toStableId(`${id} ${source}`);
  for (let n = 1; ; n += 1) {
    const wanted = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(wanted)) return wanted;
  }
}

/** Makes ids unique: equal texts are one rule; a different text with a derived id gets a new id. */
function assignIds(all: readonly SourcedEntry[]): AssignedEntries {
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
      const id = freeId(entry.id, source, taken);
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

export interface ImportPlan extends AssignedEntries {
  readonly files: number;
}

/** What an import would add, without reading the catalog: the dry run, and the first half of the real import. */
export async function planImport(paths: readonly string[], progress: ReportProgress = () => {}): Promise<ImportPlan> {
  const found = await findRuleFiles(paths);
  const all: SourcedEntry[] = [];
  const skipped: SkippedPart[] = [...found.skipped];
  const warnings: string[] = [];
  for (const [i, file] of found.files.entries()) {
    progress(i, found.files.length, `reading ${file.path}`);
    const read = await readRuleFile(file);
    if ('reason' in read) {
      skipped.push(read);
      continue;
    }
    const parsed = parseFile(read);
    const isGiven = read.format === 'entry-json' || read.format === 'skill';
    for (const entry of parsed.entries) all.push({ entry, source: read.path, isGiven });
    skipped.push(...parsed.skipped);
    warnings.push(...parsed.warnings);
  }
  const assigned = assignIds(all);
  return {
    files: found.files.length,
    entries: assigned.entries,
    skipped: [...skipped, ...assigned.skipped],
    warnings: [...warnings, ...assigned.warnings],
  };
}
