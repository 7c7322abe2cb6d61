import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { formatOf } from './formats/format-of.ts';
import type { RuleFile, RuleFormat, SkippedPart } from './formats/parsed-file.ts';
import { outsideLimits } from './outside-limits.ts';

export interface FoundFile {
  /** From the named folder, parts joined by `/`; the bare name of a file that was named itself. */
  readonly path: string;
  readonly absolute: string;
  readonly format: RuleFormat;
}

export interface Found {
  readonly files: readonly FoundFile[];
  readonly skipped: readonly SkippedPart[];
}

/** Folders of other people's files, and of half a million files. */
const isForeign = (name: string): boolean =>
  ['node_modules', '.git', '.hg', '.svn', '.venv', 'vendor', 'dist', 'build', 'target', 'coverage'].includes(name);

/** Dot-folders hold rules only where the tools that read them look. */
const isHidden = (name: string): boolean =>
  name.startsWith('.') && !['.cursor', '.github', '.claude', '.agents', '.codex'].includes(name);

/** JSON files lie everywhere in a project; entries are those beside nothing else, so only the named folder's own count. */
const isWanted = (format: RuleFormat, depth: number): boolean => format !== 'entry-json' || depth === 0;

interface Walk {
  readonly files: FoundFile[];
  readonly skipped: SkippedPart[];
}

async function walk(root: string, below: string, depth: number, found: Walk): Promise<void> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (depth < outsideLimits.folderDepth && !isForeign(entry.name) && !isHidden(entry.name)) {
        await walk(root, path, depth + 1, found);
      }
      continue;
    }
    const format = formatOf(path);
    if (format === undefined || !isWanted(format, depth)) continue;
    if (!entry.isFile()) found.skipped.push({ source: path, reason: 'it is a link or no plain file' });
    else if (found.files.length >= outsideLimits.filesCount) throw tooMany();
    else found.files.push({ path, absolute: join(root, path), format });
  }
}

const tooMany = () => faults.RESOURCE_LIMIT({ what: 'What was named', limit: outsideLimits.filesCount, unit: 'files' });

/** A file that is named itself is read whatever it is called: JSON if it says so, else text with headings. */
function namedFormat(path: string): RuleFormat {
  return formatOf(path) ?? (path.toLowerCase().endsWith('.json') ? 'entry-json' : 'agents');
}

/** The rule files under folders and the files that are named; a link is followed only when it is named itself. */
export async function findRuleFiles(paths: readonly string[]): Promise<Found> {
  const found: Walk = { files: [], skipped: [] };
  for (const path of paths) {
    const absolute = resolve(path);
    const facts = await stat(absolute).catch(() => undefined);
    if (facts === undefined) throw faults.NOT_FOUND({ what: path });
    if (facts.isDirectory()) await walk(absolute, '', 0, found);
    else if (facts.isFile()) found.files.push({ path: basename(absolute), absolute, format: namedFormat(absolute) });
    else found.skipped.push({ source: path, reason: 'it is no plain file' });
  }
  const seen = new Set<string>();
  return { ...found, files: found.files.filter(({ absolute }) => !seen.has(absolute) && seen.add(absolute)) };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Text, or why there is none. Opened without waiting, so that a FIFO that came to stand there cannot hold it up. */
export async function readRuleFile(file: FoundFile): Promise<RuleFile | SkippedPart> {
  const skip = (reason: string): SkippedPart => ({ source: file.path, reason });
  const limit = file.format === 'entry-json' ? outsideLimits.backupFileBytes : outsideLimits.ruleFileBytes;
  const handle = await open(file.absolute, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (handle === undefined) return skip('it cannot be opened');
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return skip('it is no plain file');
    if (facts.size > limit) return skip(`it has more than ${limit} bytes`);
    const bytes = await handle.readFile();
    return { path: file.path, format: file.format, text: decoder.decode(bytes) };
  } catch (error) {
    return skip(error instanceof TypeError ? 'it is not UTF-8' : 'it cannot be read');
  } finally {
    await handle.close();
  }
}
