import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { SkippedFile } from '#kernel/paths/find-files.ts';
import type { FullPad } from '../notebook-model.ts';
import { askIds, askWhole, type BulkDeps, type PadFilter } from './ask-pads.ts';
import { renderJupyter } from './jupyter/to-jupyter.ts';
import { type PadFormat, toFileNames, writePadFile } from './pad-files.ts';
import { toMarkdown } from './pad-markdown.ts';
import { type PortablePad, toPortableCell, toPortableMetadata } from './portable-pad.ts';

export interface ExportOptions extends PadFilter {
  /** The target folder; created if missing. */
  readonly to: string;
  readonly format: PadFormat;
  /** Only these pads; all matching ones if undefined. */
  readonly ids?: readonly string[] | undefined;
  /** Overwrites existing files. */
  readonly force: boolean;
  readonly dryRun: boolean;
}

const toPortablePad = (pad: FullPad): PortablePad => ({
  scratch_id: pad.scratch_id,
  metadata: toPortableMetadata(pad.metadata ?? {}),
  cells: pad.cells.map((cell) => toPortableCell({ ...cell, content: cell.content ?? '' })),
});

export function renderPad(pad: FullPad, format: PadFormat): string {
  const portable = toPortablePad(pad);
  return format === 'md' ? toMarkdown(portable) : renderJupyter(portable);
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** In lower case, because the file system may ignore case. */
async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set((await readdir(folder)).map((name) => name.toLowerCase()));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Set();
    const fix = 'Name a folder that you may write to, or one that does not exist yet.';
    throw faults.CONFLICT({ why: `${folder} is not a writable folder` }, { fix }, { cause: error });
  }
}

async function readPad({ ask }: BulkDeps, id: string): Promise<FullPad | SkippedFile> {
  try {
    return (await askWhole(ask, id)) ?? { source: id, reason: 'it kept changing while it was read' };
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND')
      return { source: id, reason: 'the scratchpad does not exist' };
    throw error;
  }
}

/** Writes one file per pad. Without `force` it writes nothing if one of the files exists. */
export async function exportPads(deps: BulkDeps, options: ExportOptions) {
  const { format, force, dryRun, ids: givenIds, ...filter } = options;
  const to = resolve(options.to);
  const ids = givenIds ?? (await askIds(deps, filter));
  const names = toFileNames([...new Set(ids)], format);
  const present = await namesIn(to);
  const existing = [...names.values()].filter((name) => present.has(name.toLowerCase()));
  if (existing.length > 0 && !force && !dryRun) {
    const subject =
      existing.length === 1 ? `${existing[0]} is` : `${existing.length} files, such as ${existing[0]}, are`;
    const why = `${subject} already in ${to}; choose another folder, or use force`;
    const fix = 'Choose another folder with --to, or replace the files with --force.';
    throw faults.CONFLICT({ why }, { existing: existing.slice(0, 20), fix });
  }
  const files: string[] = [];
  const skipped: SkippedFile[] = [];
  if (!dryRun) await mkdir(to, { recursive: true });
  for (const [id, name] of names) {
    deps.signal?.throwIfAborted();
    deps.progress(files.length + skipped.length, names.size, `writing ${name}`);
    const pad = dryRun ? undefined : await readPad(deps, id);
    if (pad !== undefined && 'reason' in pad) {
      skipped.push(pad);
      continue;
    }
    if (pad !== undefined) await writePadFile(join(to, name), renderPad(pad, format));
    files.push(name);
  }
  return { dryRun, to, format, exported: dryRun ? 0 : files.length, files, existing, skipped };
}
