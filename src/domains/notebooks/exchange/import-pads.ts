import { basename } from 'node:path';
import { Fault } from '#kernel/fault/fault.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { SkippedFile } from '#kernel/paths/find-files.ts';
import { isScratchId } from '../notebook-ids.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { askIds, type BulkDeps } from './ask-pads.ts';
import { isEmpty, type JsonMap, without } from './json-map.ts';
import { fromJupyter } from './jupyter/from-jupyter.ts';
import { findPadFiles, type PadFile, type PadFormat, readPadFile, toScratchId } from './pad-files.ts';
import { fromMarkdown } from './pad-markdown.ts';
import type { PortableCell, PortablePad, ReadPad } from './portable-pad.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const withJupyter = (metadata: JsonMap, jupyter: JsonMap): JsonMap =>
  isEmpty(jupyter) ? without(metadata, 'jupyter') : { ...metadata, jupyter };

/** Keeps the first outputs that fit: usually the text before the pictures. */
function cutOutputs(metadata: JsonMap, jupyter: JsonMap, limitBytes: number): JsonMap {
  const { outputs } = jupyter;
  const bare = without(jupyter, 'outputs', 'attachments');
  if (!Array.isArray(outputs)) return withJupyter(metadata, bare);
  const kept: unknown[] = [];
  let bytes = bytesOf(withJupyter(metadata, { ...bare, outputs: [] }));
  for (const output of outputs) {
    bytes += bytesOf(output) + 1;
    if (bytes > limitBytes) break;
    kept.push(output);
  }
  return withJupyter(metadata, kept.length === 0 ? bare : { ...bare, outputs: kept });
}

/** Drops outputs and attachments first. */
function trimCell(cell: PortableCell, index: number, warnings: string[]): PortableCell {
  const { metadata, ...rest } = cell;
  const jupyter = metadata?.['jupyter'];
  const limitBytes = notebookLimits.cellMetadataBytes;
  if (metadata === undefined || !isObject(jupyter) || bytesOf(metadata) <= limitBytes) return cell;
  let trimmed = cutOutputs(metadata, jupyter, limitBytes);
  if (bytesOf(trimmed) > limitBytes) trimmed = without(metadata, 'jupyter');
  warnings.push(
    `outputs or attachments of cell ${index} were dropped: the metadata of a cell has at most ${limitBytes} bytes`,
  );
  return isEmpty(trimmed) ? rest : { ...rest, metadata: trimmed };
}

/** A notebook's metadata can be very large, for example the state of widgets. */
function trimMetadata(metadata: JsonMap, warnings: string[]): JsonMap {
  const { jupyter } = metadata;
  const limitBytes = notebookLimits.metadataBytes;
  if (!isObject(jupyter) || bytesOf(jupyter) <= limitBytes / 2) return metadata;
  const inner = isObject(jupyter['metadata']) ? without(jupyter['metadata'], 'widgets') : {};
  const fits = !isEmpty(inner) && bytesOf({ metadata: inner }) <= limitBytes / 2;
  warnings.push(`metadata of the notebook was dropped: a scratchpad has at most ${limitBytes} bytes`);
  return withJupyter(metadata, fits ? { metadata: inner } : {});
}

/** Drops Jupyter data beyond the limits of a pad, with warnings. Never cuts the pad's own data. */
function trimPad({ pad, warnings: given }: ReadPad): ReadPad {
  const warnings = [...given];
  const trimmed: PortablePad = {
    ...pad,
    metadata: trimMetadata(pad.metadata, warnings),
    cells: pad.cells.map((cell, i) => trimCell(cell, i, warnings)),
  };
  return { pad: trimmed, warnings };
}

export interface ImportOptions {
  readonly paths: readonly string[];
  /** For existing pads: keep them, or move them to the trash and create those of the files. */
  readonly mode: 'skip' | 'overwrite';
  /** For files without a namespace. */
  readonly namespace?: string | undefined;
  /** For named files with any extension; in folders, the extension decides. */
  readonly format?: PadFormat | undefined;
  readonly dryRun: boolean;
}

export interface ImportError {
  readonly source: string;
  readonly scratch_id: string;
  readonly code: string;
  readonly error: string;
}

type NamedPad = PortablePad & { readonly scratch_id: string };

/** Faults that every other file would meet as well. */
const isFatal = (fault: Fault): boolean =>
  ['READ_ONLY', 'PERMISSION_DENIED', 'UNAUTHORIZED', 'CANCELLED', 'SHUTTING_DOWN'].includes(fault.code) ||
  fault.code.startsWith('STORE_');

function parse(text: string, file: PadFile): ReadPad | SkippedFile {
  try {
    return trimPad(file.format === 'ipynb' ? fromJupyter(JSON.parse(text) as unknown) : fromMarkdown(text));
  } catch (error) {
    if (error instanceof Fault) return { source: file.path, reason: error.message };
    if (error instanceof SyntaxError) return { source: file.path, reason: 'it is not JSON' };
    throw error;
  }
}

/** `notes`, then `notes-2`. */
function freeId(id: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const wanted = n === 1 ? id : `${id}-${n}`;
    if (!taken.has(wanted)) return wanted;
  }
}

function withNamespace(pad: PortablePad, namespace: string | undefined): PortablePad {
  const isFree = namespace !== undefined && typeof pad.metadata['namespace'] !== 'string';
  return isFree ? { ...pad, metadata: { ...pad.metadata, namespace } } : pad;
}

async function readPad(file: PadFile, taken: Set<string>, namespace: string | undefined) {
  const text = await readPadFile(file);
  const read = typeof text === 'string' ? parse(text, file) : text;
  if ('reason' in read) return read;
  const given = isScratchId(read.pad.scratch_id ?? '') ? read.pad.scratch_id : undefined;
  if (given !== undefined && taken.has(given)) {
    return { source: file.path, reason: `another file already has the scratchpad ${given}` };
  }
  const scratch_id = given ?? freeId(toScratchId(basename(file.path)), taken);
  taken.add(scratch_id);
  const pad: NamedPad = { ...withNamespace(read.pad, namespace), scratch_id };
  return { pad, warnings: read.warnings.map((warning) => `${file.path}: ${warning}`) };
}

type Outcome = 'imported' | 'overwritten' | 'kept' | Omit<ImportError, 'source'>;

async function createPad({ ask }: BulkDeps, pad: NamedPad, mode: ImportOptions['mode']): Promise<Outcome> {
  try {
    const if_exists = mode === 'overwrite' ? 'reset' : 'fail';
    const { reset } = (await ask('scratch_create', { ...pad, if_exists })) as { readonly reset?: true };
    return reset === true ? 'overwritten' : 'imported';
  } catch (error) {
    if (!(error instanceof Fault) || isFatal(error)) throw error;
    const { scratch_id } = pad;
    const exists = error.code === 'CONFLICT' && error.details['scratch_id'] === scratch_id;
    return exists ? 'kept' : { scratch_id, code: error.code, error: error.message };
  }
}

/** For a dry run; lists the existing pads once. */
async function predict(deps: BulkDeps, mode: ImportOptions['mode']): Promise<(pad: NamedPad) => Outcome> {
  const existing = new Set(await askIds(deps, {}));
  return ({ scratch_id }) => (!existing.has(scratch_id) ? 'imported' : mode === 'overwrite' ? 'overwritten' : 'kept');
}

/**
 * Imports Markdown files and notebooks, one pad per file. A failure does not undo earlier pads. A dry run reports what
 * would happen, except for pads that scratch_create would reject.
 */
export async function importPads(deps: BulkDeps, options: ImportOptions) {
  const { paths, mode, namespace, format, dryRun } = options;
  const found = await findPadFiles(paths, format);
  const importPad = dryRun ? await predict(deps, mode) : (pad: NamedPad) => createPad(deps, pad, mode);
  const taken = new Set<string>();
  const skipped: SkippedFile[] = [...found.skipped];
  const warnings: string[] = [];
  const errors: ImportError[] = [];
  const counts = { imported: 0, overwritten: 0, kept: 0 };
  for (const [i, file] of found.files.entries()) {
    deps.signal?.throwIfAborted();
    deps.progress(i, found.files.length, `${dryRun ? 'reading' : 'importing'} ${file.path}`);
    const read = await readPad(file, taken, namespace);
    if ('reason' in read) {
      skipped.push(read);
      continue;
    }
    warnings.push(...read.warnings);
    const outcome = await importPad(read.pad);
    if (typeof outcome === 'string') counts[outcome] += 1;
    else errors.push({ source: file.path, ...outcome });
  }
  return { dryRun, files: found.files.length, ...counts, ids: [...taken], skipped, warnings, errors };
}
