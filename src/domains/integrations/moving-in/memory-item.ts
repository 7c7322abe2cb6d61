import { posix } from 'node:path';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Json } from '#kernel/json/canonical.ts';

export interface NamedThing {
  readonly type: string;
  readonly name: string;
}

/** One statement of another memory, for `store_fact`. */
export interface FactItem {
  /** Unique among all facts of the program it comes from, and the same in every run. */
  readonly key: string;
  /** Where it was read: file, and line where there is one. */
  readonly source: string;
  readonly subject: NamedThing;
  readonly fields?: Readonly<Record<string, Json>>;
  readonly relations?: readonly { readonly type: string; readonly to: NamedThing }[];
}

/** A note, or one message of a conversation. */
export interface CellItem {
  readonly cellId: string;
  readonly content: string;
  readonly source: string;
  readonly speaker?: string | undefined;
  /** ISO time. */
  readonly at?: string | undefined;
  readonly tags?: readonly string[];
}

export interface PadItem {
  readonly scratchId: string;
  readonly title: string;
  readonly tags?: readonly string[];
  readonly cells: readonly CellItem[];
}

export interface SkippedPart {
  readonly source: string;
  readonly reason: string;
}

/** What one file contains. Nothing is left out without being named. */
export interface ParsedMemories {
  readonly facts: readonly FactItem[];
  readonly pads: readonly PadItem[];
  /** Parts that cannot be read. */
  readonly skipped: readonly SkippedPart[];
  /** Parts that are not imported on purpose, by kind, such as calls of tools. */
  readonly leftOut: Readonly<Record<string, number>>;
}

export const noMemories: ParsedMemories = { facts: [], pads: [], skipped: [], leftOut: {} };

export interface MemoryFile {
  /** Relative to the given folder. */
  readonly path: string;
  readonly text: string;
}

/** Reads all files of one program together, because notes refer to each other. */
export type ParseMemories = (files: readonly MemoryFile[]) => ParsedMemories;

const idPattern = /^[A-Za-z0-9_-]{1,100}$/;

/** An id as it is where that is possible, otherwise one that is made from it and always the same. */
export const toId = (text: string): string => (idPattern.test(text) ? text : sha256Hex(text).slice(0, 24));

/** `notes/plan.md` → `plan`. */
export const stemOf = (path: string): string => posix.basename(path, posix.extname(path));

/** ISO time of ISO texts and of seconds since 1970; undefined for anything else. */
export function toTime(value: unknown): string | undefined {
  const ms = typeof value === 'number' ? value * 1_000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) || Math.abs(ms) > 8.64e15 ? undefined : new Date(ms).toISOString();
}

/** Counts what is left out, by kind. */
export function createTally() {
  const counts: Record<string, number> = {};
  return {
    counts,
    add(kind: string, by = 1) {
      if (by > 0) counts[kind] = (counts[kind] ?? 0) + by;
    },
  };
}
