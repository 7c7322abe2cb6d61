import { z } from 'zod';
import type { Bound } from '#kernel/storage/sql.ts';
import type { Row } from '#kernel/storage/transfer.ts';
import type { Column, ColumnType, Table } from '#kernel/storage/transfer-tables.ts';

/**
 * JSON Lines: a header, one line per row, a trailer. Tables follow the order of the header and rows the order of their
 * keys, so the same rows give the same bytes on either engine. Only the header names the tenant.
 */
export const exportVersion = 1;

export const exportLimits = {
  lineBytes: 128 * 1024 * 1024,
  lineDepth: 4,
  chunkRowsCount: 500,
  chunkBytes: 1024 * 1024,
  /** Of an uploaded file in one line. */
  partBytes: 512 * 1024,
  /** Files that are flushed in parallel. */
  flushesCount: 16,
} as const;

export const headerSchema = z.strictObject({
  format: z.literal('fourfold-export'),
  version: z.literal(exportVersion),
  program: z.string(),
  schema: z.int().min(0),
  tenant: z.string().min(1),
  at: z.string(),
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()) })),
});

export const trailerSchema = z.strictObject({
  end: z.literal(true),
  counts: z.record(z.string(), z.int().min(0)),
  /** The hash of all bytes before the trailer. */
  sha256: z.string(),
});

export type ExportHeader = z.infer<typeof headerSchema>;
export type ExportTrailer = z.infer<typeof trailerSchema>;

export const toLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

function encodeValue({ name, type }: Column, value: Bound): unknown {
  if (value instanceof Uint8Array)
    return { $b64: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  if (typeof value === 'number' && !isKept(type, value))
    throw new Error(`bug: ${name} has the value ${value}, which cannot be exported`);
  return value;
}

export function encodeRow({ name, columns }: Table, row: Row): string {
  const values: Record<string, unknown> = {};
  for (const column of columns) values[column.name] = encodeValue(column, row[column.name] ?? null);
  return toLine({ t: name, r: values });
}

/** A value of the wrong type; the message names the expected one. */
export class WrongValue extends Error {}

/** Numbers that both engines store exactly. */
function isKept(type: ColumnType, value: number): boolean {
  return Number.isSafeInteger(value) || (type === 'real' && Number.isFinite(value) && !Number.isInteger(value));
}

const decodeNumber =
  (type: ColumnType) =>
  (value: unknown): Bound | undefined =>
    typeof value === 'number' && isKept(type, value) ? value : undefined;

function decodeBlob(value: unknown): Bound | undefined {
  if (value === null || typeof value !== 'object' || Object.keys(value).length !== 1) return undefined;
  const text = (value as Record<string, unknown>)['$b64'];
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** The engines store NUL and lone surrogates differently, so both are rejected. */
const decodeText = (value: unknown): Bound | undefined =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : undefined;

const decoders: Readonly<Record<ColumnType, (value: unknown) => Bound | undefined>> = {
  text: decodeText,
  integer: decodeNumber('integer'),
  real: decodeNumber('real'),
  blob: decodeBlob,
};

export function decodeValue({ name, type, isNullable }: Column, value: unknown): Bound {
  if (value === null && isNullable) return null;
  const decoded = value === null ? undefined : decoders[type](value);
  if (decoded === undefined) throw new WrongValue(`${name} must be ${type}${isNullable ? ' or null' : ''}`);
  return decoded;
}
