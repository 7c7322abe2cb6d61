import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { placeText } from '#kernel/paths/place-text.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { askAll } from './entry-pages.ts';
import { codeOf } from './error-code.ts';
import { renderAgents, renderBackup, renderEntryFile } from './formats/render.ts';

export type ExportFormat = 'folder' | 'json' | 'agents';

export interface ExportOptions {
  /** The folder or file to make. */
  readonly to: string;
  /** Told by the name when missing: `.md` is a page for agents, `.json` one backup, anything else a folder. */
  readonly format?: ExportFormat | undefined;
  /** Writes over files of the same name; without it the target must not be there, or be an empty folder. */
  readonly force?: boolean | undefined;
}

export interface ExportReport {
  readonly to: string;
  readonly format: ExportFormat;
  readonly count: number;
  readonly files: number;
  readonly hash: string;
}

const formatFor = (to: string): ExportFormat =>
  /\.md$/i.test(to) ? 'agents' : /\.json$/i.test(to) ? 'json' : 'folder';

async function checkTarget(to: string, force: boolean): Promise<void> {
  if (force) return;
  const inside = await readdir(to).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  });
  if (inside === undefined || inside.length > 0) {
    throw faults.CONFLICT({ why: `${to} is already there; name another place, or force it` });
  }
}

/** Writes the catalog where somebody can read it without this program: entries as they are kept, or one page. */
export async function exportTo(
  { ask, progress, signal, clock }: BulkDeps & { readonly clock: Clock },
  { to, format = formatFor(to), force = false }: ExportOptions,
): Promise<ExportReport> {
  const target = resolve(to);
  await checkTarget(target, force);
  const { entries, hash } = await askAll(ask, (done, total) => progress(done, total, 'reading'));
  const report = { to: target, format, count: entries.length, hash };
  if (format !== 'folder') {
    await mkdir(dirname(target), { recursive: true });
    const text =
      format === 'agents' ? renderAgents(entries) : renderBackup(entries, { exportedAt: toIso(clock.now()), hash });
    await placeText(target, text);
    return { ...report, files: 1 };
  }
  await mkdir(target, { recursive: true });
  for (const [i, entry] of entries.entries()) {
    signal?.throwIfAborted();
    progress(i, entries.length, `writing ${entry.id}`);
    await placeText(join(target, `${entry.id}.json`), renderEntryFile(entry));
  }
  return { ...report, files: entries.length };
}
