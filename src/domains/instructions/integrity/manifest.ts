import { z } from 'zod';
import type { InstructionEntry } from '../entry-model.ts';

export const manifestFileName = 'snapshots/canonical-instructions.json';

const manifest = z.looseObject({ items: z.array(z.looseObject({ id: z.string(), sourceHash: z.string() })) });

export interface ManifestItem {
  readonly id: string;
  readonly sourceHash: string;
}

export interface Drift {
  readonly id: string;
  /** `added`: in the catalog and not in the manifest; `removed`: the other way round. */
  readonly change: 'added' | 'removed' | 'hash-mismatch';
}

/** Undefined: the text is no manifest. An id that stands twice says two things of one entry. */
export function parseManifest(json: unknown): readonly ManifestItem[] | undefined {
  const parsed = manifest.safeParse(json);
  if (!parsed.success) return undefined;
  const { items } = parsed.data;
  return new Set(items.map(({ id }) => id)).size === items.length ? items : undefined;
}

/** The snapshot of a catalog: what drift is measured against from now on. One line an entry, so that a diff of two is readable. */
export function toManifestText(entries: readonly ManifestItem[]): string {
  const lines = entries.map(({ id, sourceHash }) => `    ${JSON.stringify({ id, sourceHash })}`);
  return `{\n  "items": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]\n}\n`;
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0;

/** By id. */
export function findDrift(
  entries: readonly Pick<InstructionEntry, 'id' | 'sourceHash'>[],
  items: readonly ManifestItem[],
): readonly Drift[] {
  const known = new Map(items.map(({ id, sourceHash }) => [id, sourceHash]));
  const drift: Drift[] = [];
  for (const { id, sourceHash } of entries) {
    const was = known.get(id);
    known.delete(id);
    if (was === undefined) drift.push({ id, change: 'added' });
    else if (was !== sourceHash) drift.push({ id, change: 'hash-mismatch' });
  }
  for (const id of known.keys()) drift.push({ id, change: 'removed' });
  return drift.sort(byId);
}
