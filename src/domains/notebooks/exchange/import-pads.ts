import { basename } from 'node:path';
import { Fault } from '#kernel/fault/fault.ts';
import type { PassedOver } from '#kernel/paths/find-files.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { fitPad } from './fit-cell.ts';
import { fromNotebook } from './jupyter/from-notebook.ts';
import { fromMarkdown } from './markdown/from-markdown.ts';
import { findPadFiles, type PadFile, type PadFormat, readPadFile } from './pad-files.ts';
import { isScratchId, toScratchId } from './pad-names.ts';
import { askIds } from './pad-pages.ts';
import type { PortablePad, ReadPad } from './portable-pad.ts';

export interface ImportOptions {
  readonly paths: readonly string[];
  /** What happens to a pad that is there: it stays, or it goes to the trash and the file's takes its place. */
  readonly mode: 'skip' | 'overwrite';
  /** For pads whose file names none. */
  readonly namespace?: string | undefined;
  /** What a named file is, whatever its name ends in; files in folders are known by their endings. */
  readonly format?: PadFormat | undefined;
  readonly dryRun: boolean;
}

export interface ImportError {
  readonly source: string;
  readonly scratch_id: string;
  readonly code: string;
  readonly error: string;
}

/** Of a dry run: what would happen. Only a cell that the store refuses is not foreseen. */
export interface ImportReport {
  readonly dryRun: boolean;
  readonly files: number;
  readonly imported: number;
  readonly overwritten: number;
  /** Pads that were there already and stayed. */
  readonly kept: number;
  readonly ids: readonly string[];
  readonly skipped: readonly PassedOver[];
  readonly warnings: readonly string[];
  readonly errors: readonly ImportError[];
}

type NamedPad = PortablePad & { readonly scratch_id: string };

/** Faults that speak of the server or the caller: the next file would meet the same. */
const endsAll = (fault: Fault): boolean =>
  ['READ_ONLY', 'PERMISSION_DENIED', 'UNAUTHENTICATED', 'CANCELLED', 'SHUTTING_DOWN'].includes(fault.code) ||
  fault.code.startsWith('STORE_');

function parse(text: string, file: PadFile): ReadPad | PassedOver {
  try {
    return fitPad(file.format === 'ipynb' ? fromNotebook(JSON.parse(text) as unknown) : fromMarkdown(text));
  } catch (error) {
    if (error instanceof Fault) return { source: file.path, reason: error.message };
    if (error instanceof SyntaxError) return { source: file.path, reason: 'it is no JSON' };
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

/** The pad of a file under an id of its own, or why there is none. */
async function readPad(file: PadFile, taken: Set<string>, namespace: string | undefined) {
  const text = await readPadFile(file);
  const read = typeof text === 'string' ? parse(text, file) : text;
  if ('reason' in read) return read;
  const given = isScratchId(read.pad.scratch_id ?? '') ? read.pad.scratch_id : undefined;
  if (given !== undefined && taken.has(given)) {
    return { source: file.path, reason: `another file is the scratchpad ${given} already` };
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
    if (!(error instanceof Fault) || endsAll(error)) throw error;
    const { scratch_id } = pad;
    const isThere = error.code === 'CONFLICT' && error.details['scratch_id'] === scratch_id;
    return isThere ? 'kept' : { scratch_id, code: error.code, error: error.message };
  }
}

/** What would happen to pads of these ids; asked for once, however many files there are. */
async function foresee(deps: BulkDeps, mode: ImportOptions['mode']): Promise<(pad: NamedPad) => Outcome> {
  const there = new Set(await askIds(deps, {}));
  return ({ scratch_id }) => (!there.has(scratch_id) ? 'imported' : mode === 'overwrite' ? 'overwritten' : 'kept');
}

/** Takes in Markdown files and notebooks, one pad each. A pad that is in stays in when a later one fails. */
export async function importPads(deps: BulkDeps, options: ImportOptions): Promise<ImportReport> {
  const { paths, mode, namespace, format, dryRun } = options;
  const found = await findPadFiles(paths, format);
  const take = dryRun ? await foresee(deps, mode) : (pad: NamedPad) => createPad(deps, pad, mode);
  const taken = new Set<string>();
  const skipped: PassedOver[] = [...found.skipped];
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
    const outcome = await take(read.pad);
    if (typeof outcome === 'string') counts[outcome] += 1;
    else errors.push({ source: file.path, ...outcome });
  }
  return { dryRun, files: found.files.length, ...counts, ids: [...taken], skipped, warnings, errors };
}
