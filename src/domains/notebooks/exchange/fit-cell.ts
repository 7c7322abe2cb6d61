import { isObject } from '#kernel/json/is-object.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { isEmpty, type JsonMap, without } from './json-map.ts';
import type { PortableCell, PortablePad, ReadPad } from './portable-pad.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const withJupyter = (metadata: JsonMap, jupyter: JsonMap): JsonMap =>
  isEmpty(jupyter) ? without(metadata, 'jupyter') : { ...metadata, jupyter };

/** As many of the first outputs as there is room for: the text before the pictures, as a rule. */
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

/** A cell keeps what its metadata has room for. Outputs and attachments go first: they are not the cell's own words. */
function fitCell(cell: PortableCell, index: number, warnings: string[]): PortableCell {
  const { metadata, ...rest } = cell;
  const jupyter = metadata?.['jupyter'];
  const limitBytes = notebookLimits.cellMetadataBytes;
  if (metadata === undefined || !isObject(jupyter) || bytesOf(metadata) <= limitBytes) return cell;
  let fitting = cutOutputs(metadata, jupyter, limitBytes);
  if (bytesOf(fitting) > limitBytes) fitting = without(metadata, 'jupyter');
  warnings.push(
    `outputs or attachments of cell ${index} are left out: a cell's metadata has at most ${limitBytes} bytes`,
  );
  return isEmpty(fitting) ? rest : { ...rest, metadata: fitting };
}

/** What a notebook says of itself can be far more than a pad keeps: the state of widgets, for one. */
function fitPadMetadata(metadata: JsonMap, warnings: string[]): JsonMap {
  const { jupyter } = metadata;
  const limitBytes = notebookLimits.metadataBytes;
  if (!isObject(jupyter) || bytesOf(jupyter) <= limitBytes / 2) return metadata;
  const inner = isObject(jupyter['metadata']) ? without(jupyter['metadata'], 'widgets') : {};
  const fits = !isEmpty(inner) && bytesOf({ metadata: inner }) <= limitBytes / 2;
  warnings.push(`metadata of the notebook is left out: a scratchpad keeps at most ${limitBytes} bytes`);
  return withJupyter(metadata, fits ? { metadata: inner } : {});
}

/** Leaves out what a pad has no room for, and says so. What is the pad's own is never cut: then the pad is refused. */
export function fitPad({ pad, warnings: told }: ReadPad): ReadPad {
  const warnings = [...told];
  const fitting: PortablePad = {
    ...pad,
    metadata: fitPadMetadata(pad.metadata, warnings),
    cells: pad.cells.map((cell, i) => fitCell(cell, i, warnings)),
  };
  return { pad: fitting, warnings };
}
