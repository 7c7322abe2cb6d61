import { z } from 'zod';
import type { BaseCategory, EntriesByCategory } from './entry.ts';

const text = z.string().min(1);
const version = z.enum(['v4', 'v5', 'both']);
const texts = z.record(text, z.string());

/** What is said of an entry in few words may be left out in files that people write. */
const common = {
  id: text,
  title: text,
  version,
  category: text,
  tags: z.array(z.string()).default([]),
  source: z.object({ url: z.string().optional(), path: z.string().optional() }).prefault({}),
};

/** What a JSON file of each folder holds. */
const schemas = {
  docs: z
    .object({ ...common, content: z.string(), breadcrumb: z.array(z.string()).optional() })
    .transform((entry) => ({ ...entry, breadcrumb: entry.breadcrumb ?? [entry.title] })),
  snippets: z.object({
    ...common,
    language: z.string().default('text'),
    description: z.string().default(''),
    code: z.string(),
  }),
  patterns: z.object({
    ...common,
    symptom: z.string(),
    cause: z.string(),
    fix: z.string(),
    content: z.string().default(''),
  }),
  'best-practices': z.object({
    ...common,
    practice: z.string(),
    reason: z.string(),
    content: z.string().default(''),
  }),
  templates: z.object({
    id: text,
    title: text,
    version,
    databases: z.array(text).optional(),
    auth: z.boolean().optional(),
    languages: z.array(z.enum(['typescript', 'javascript'])).optional(),
    requires: z.array(text).default([]),
    featureFlags: z.array(text).default([]),
    packages: texts.default({}),
    devPackages: texts.default({}),
    scripts: texts.default({}),
    files: texts.default({}),
  }),
} as const;

interface Read {
  readonly source?: { readonly url?: string; readonly path?: string };
}

/** An entry that does not say where it comes from comes from its file. */
const withPath = (entry: Read, path: string): Read =>
  entry.source === undefined || entry.source.path !== undefined
    ? entry
    : { ...entry, source: { ...entry.source, path } };

/** Throws an Error in one line that says which entry is wrong, and where. */
export function readEntries<C extends BaseCategory>(
  category: C,
  value: unknown,
  path: string,
): readonly EntriesByCategory[C][] {
  const schema: z.ZodType = schemas[category];
  return (Array.isArray(value) ? value : [value]).map((one, i) => {
    const read = schema.safeParse(one);
    if (read.success) return withPath(read.data as Read, path) as EntriesByCategory[C];
    const [issue] = read.error.issues;
    throw new Error(`${[i, ...(issue?.path ?? [])].join('.')}: ${issue?.message}`);
  });
}
