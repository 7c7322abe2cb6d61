import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { renderFence } from '#kernel/markup/fences.ts';
import type { PassedOver } from '#kernel/paths/find-files.ts';
import type { FullPad } from '../notebook-model.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { isEmpty, type JsonMap, without } from './json-map.ts';
import { renderNotebook } from './jupyter/to-notebook.ts';
import { renderFrontMatter } from './markdown/front-matter.ts';
import { type PadFormat, writePadFile } from './pad-files.ts';
import { toFileNames } from './pad-names.ts';
import { askIds, askWhole, type PadFilter } from './pad-pages.ts';
import { type PortableCell, type PortablePad, toPortableCell, toPortableMetadata } from './portable-pad.ts';

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Fields that a reader looks for stand by themselves; anything else, whatever its name, is one line of JSON. */
function toFrontMatter({ scratch_id, metadata }: PortablePad): JsonMap {
  const shown = ['title', 'description', 'summary', 'namespace'].filter((key) => isText(metadata[key]));
  if (isTexts(metadata['tags'])) shown.push('tags');
  const rest = without(metadata, ...shown);
  return {
    ...(scratch_id === undefined ? {} : { scratch_id }),
    ...Object.fromEntries(shown.map((key) => [key, metadata[key]])),
    ...(isEmpty(rest) ? {} : { metadata: rest }),
  };
}

/** The info string of a fence ends at a backtick, so that none may stand in it. */
function renderCell({ language, content, ...attributes }: PortableCell): string {
  const json = JSON.stringify(attributes).replaceAll('`', '\\u0060');
  return renderFence(json === '{}' ? language : `${language} ${json}`, content);
}

/** A pad as a Markdown file: front matter, then each cell as a fenced block with its particulars behind the language. */
export const toMarkdown = (pad: PortablePad): string =>
  [renderFrontMatter(toFrontMatter(pad)), ...pad.cells.map(renderCell)].join('\n');

export interface ExportOptions extends PadFilter {
  /** The folder to write to; made when it is missing. */
  readonly to: string;
  readonly format: PadFormat;
  /** Only these; all that the filters let through when missing. */
  readonly ids?: readonly string[] | undefined;
  /** Writes over files of the same names. */
  readonly force: boolean;
  readonly dryRun: boolean;
}

export interface ExportReport {
  readonly dryRun: boolean;
  readonly to: string;
  readonly format: PadFormat;
  readonly exported: number;
  readonly files: readonly string[];
  /** Files that are there already; they are written over with `force` only. */
  readonly existing: readonly string[];
  readonly skipped: readonly PassedOver[];
}

const toPortablePad = (pad: FullPad): PortablePad => ({
  scratch_id: pad.scratch_id,
  metadata: toPortableMetadata(pad.metadata ?? {}),
  cells: pad.cells.map((cell) => toPortableCell({ ...cell, content: cell.content ?? '' })),
});

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** What is in the folder now, by names as a file system that ignores case would compare them. */
async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set((await readdir(folder)).map((name) => name.toLowerCase()));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Set();
    throw faults.CONFLICT({ why: `${folder} is no folder that can be written to` }, {}, { cause: error });
  }
}

async function readPad({ ask }: BulkDeps, id: string): Promise<FullPad | PassedOver> {
  try {
    return (await askWhole(ask, id)) ?? { source: id, reason: 'it kept changing while it was read' };
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND')
      return { source: id, reason: 'there is no such scratchpad' };
    throw error;
  }
}

/** One file a pad, in a folder. Nothing is written when a file of one of the names is there, unless it is forced. */
export async function exportPads(deps: BulkDeps, options: ExportOptions): Promise<ExportReport> {
  const { format, force, dryRun, ids: wanted, ...filter } = options;
  const to = resolve(options.to);
  const ids = wanted ?? (await askIds(deps, filter));
  const names = toFileNames([...new Set(ids)], format);
  const there = await namesIn(to);
  const existing = [...names.values()].filter((name) => there.has(name.toLowerCase()));
  if (existing.length > 0 && !force && !dryRun) {
    const told = existing.length === 1 ? `${existing[0]} is` : `${existing.length} files, such as ${existing[0]}, are`;
    const why = `${told} already in ${to}; name another folder, or force it`;
    throw faults.CONFLICT({ why }, { existing: existing.slice(0, 20) });
  }
  const files: string[] = [];
  const skipped: PassedOver[] = [];
  if (!dryRun) await mkdir(to, { recursive: true });
  for (const [id, name] of names) {
    deps.signal?.throwIfAborted();
    deps.progress(files.length + skipped.length, names.size, `writing ${name}`);
    const pad = dryRun ? undefined : await readPad(deps, id);
    if (pad !== undefined && 'reason' in pad) {
      skipped.push(pad);
      continue;
    }
    if (pad !== undefined) {
      const portable = toPortablePad(pad);
      await writePadFile(join(to, name), format === 'md' ? toMarkdown(portable) : renderNotebook(portable));
    }
    files.push(name);
  }
  return { dryRun, to, format, exported: dryRun ? 0 : files.length, files, existing, skipped };
}
