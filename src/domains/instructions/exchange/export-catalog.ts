import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { writeTextFile } from '#kernel/paths/place-text.ts';
import { errorCodeOf } from '../catalog/files/file-errors.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { fetchAll } from './catalog-client.ts';
import { renderMark } from './formats/rule-input.ts';

/** Indented like a stored entry, so that a change is a small diff. */
export const renderEntryFile = (entry: InstructionEntry | InstructionInput): string =>
  `${JSON.stringify(entry, null, 2)}\n`;

interface BackupFacts {
  readonly exportedAt: string;
  readonly hash: string;
}

/** One JSON file that `fourfold instructions import` and older servers read. */
export const renderBackup = (entries: readonly InstructionEntry[], { exportedAt, hash }: BackupFacts): string =>
  `${JSON.stringify({ format: 'fourfold-instructions', exportedAt, hash, count: entries.length, entries }, null, 2)}\n`;

const weights = ['mandatory', 'critical', 'recommended', 'optional', 'deprecated'];

const byWeight = (a: InstructionEntry, b: InstructionEntry): number =>
  weights.indexOf(a.requirement) - weights.indexOf(b.requirement) ||
  a.priority - b.priority ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Moves the headings of a body two levels down, so that they stay inside its section. Leaves code fences alone. */
function demoteHeadings(body: string): string {
  let fence: string | undefined;
  return body
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence !== undefined) {
        if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
        return line;
      }
      fence = mark;
      const heading = /^ {0,3}(#{1,6})(?= )/.exec(line);
      return heading === null
        ? line
        : `${'#'.repeat(Math.min(6, heading[1]!.length + 2))}${line.slice(heading[0].length)}`;
    })
    .join('\n');
}

const toLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function renderSection(entry: InstructionEntry): string {
  const { files: globs = [], folders = [] } = entry.appliesTo ?? {};
  const files = [...globs, ...folders.map((folder) => `${folder}/**`)];
  const weight = entry.requirement === 'recommended' ? [] : [`**${entry.requirement}**`];
  const scope = files.length === 0 ? [] : [`for ${files.map((glob) => `\`${glob}\``).join(', ')}`];
  const note = [...weight, ...scope].join(' ');
  return [
    `## ${toLine(entry.title)}`,
    `${renderMark(entry.id)}${note === '' ? '' : ` ${toLine(note)}`}`,
    demoteHeadings(entry.body),
  ].join('\n\n');
}

/** Approved rules as one page for agents that read files, strictest first. */
export const renderAgents = (entries: readonly InstructionEntry[]): string =>
  `${[
    '# Instructions',
    ...entries
      .filter(({ status }) => status === 'approved')
      .toSorted(byWeight)
      .map(renderSection),
  ].join('\n\n')}\n`;

export type ExportFormat = 'folder' | 'json' | 'agents';

export interface ExportOptions {
  /** The folder or file to write. */
  readonly to: string;
  /** By default chosen by the name: `.md` for agents, `.json` for a backup, otherwise a folder. */
  readonly format?: ExportFormat | undefined;
  /** Overwrites existing files; otherwise the target must not exist or must be an empty folder. */
  readonly force?: boolean | undefined;
}

const formatFor = (to: string): ExportFormat =>
  /\.md$/i.test(to) ? 'agents' : /\.json$/i.test(to) ? 'json' : 'folder';

async function checkTarget(to: string, force: boolean): Promise<void> {
  if (force) return;
  const inside = await readdir(to).catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT') return [];
    if (errorCodeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  });
  if (inside === undefined || inside.length > 0) {
    const fix = 'Choose another path with --to, or replace what is there with --force.';
    throw faults.CONFLICT({ why: `${to} already exists; choose another path or use --force` }, { fix });
  }
}

export async function exportCatalog(
  { ask, progress, signal, clock }: BulkDeps & { readonly clock: Clock },
  { to, format = formatFor(to), force = false }: ExportOptions,
) {
  const target = resolve(to);
  await checkTarget(target, force);
  const { entries, hash } = await fetchAll(ask, (done, total) => progress(done, total, 'reading'));
  const report = { to: target, format, count: entries.length, hash };
  if (format !== 'folder') {
    await mkdir(dirname(target), { recursive: true });
    const text =
      format === 'agents' ? renderAgents(entries) : renderBackup(entries, { exportedAt: toIso(clock.now()), hash });
    await writeTextFile(target, text);
    return { ...report, files: 1 };
  }
  await mkdir(target, { recursive: true });
  for (const [i, entry] of entries.entries()) {
    signal?.throwIfAborted();
    progress(i, entries.length, `writing ${entry.id}`);
    await writeTextFile(join(target, `${entry.id}.json`), renderEntryFile(entry));
  }
  return { ...report, files: entries.length };
}
