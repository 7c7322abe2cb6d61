import { z } from 'zod';
import type { RemoteItem, RemoteProblem } from './connector.ts';

const named = z.looseObject({
  html_url: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  id: z.union([z.string(), z.number()]).optional().catch(undefined),
});

function nameOf(value: unknown): string {
  const { html_url, url, id } = named.safeParse(value).data ?? {};
  return String(html_url ?? url ?? id ?? 'an entry without id').slice(0, 300);
}

/** Entries that are not as documented become problems; the others are kept. */
export function readItems<T>(
  values: readonly unknown[],
  schema: z.ZodType<T>,
  toItem: (value: T) => RemoteItem,
): { readonly items: readonly RemoteItem[]; readonly problems: readonly RemoteProblem[] } {
  const items: RemoteItem[] = [];
  const problems: RemoteProblem[] = [];
  for (const value of values) {
    const read = schema.safeParse(value);
    if (read.success) items.push(toItem(read.data));
    else {
      const { path, message } = read.error.issues[0]!;
      problems.push({ id: nameOf(value), why: `${path.join('.') || 'it'}: ${message}`.slice(0, 300) });
    }
  }
  return { items, problems };
}

/** A time of a service in ISO form; undefined if it is missing. */
export const isoTime = z
  .string()
  .refine((text) => Number.isFinite(Date.parse(text)), 'is not a time')
  .transform((text) => new Date(text).toISOString());
