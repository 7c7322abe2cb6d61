import { z } from 'zod';

export const databases = ['mongodb', 'postgresql', 'sqlite'] as const;
export type Database = (typeof databases)[number];

const text = z.string().min(1);
const version = z.enum(['v4', 'v5', 'both']);
const texts = z.record(text, z.string());

const common = {
  /** Page and heading: `v5/hooks#around-hooks`, `snippets/hooks#log-every-call`. */
  id: text,
  title: text,
  version,
  /** The topic: hooks, services, authentication, … */
  category: text,
  tags: z.array(z.string()).default([]),
  /** `url` is the official page; `path` the file of the base, from its root: `docs/v5/hooks.md`. */
  source: z.object({ url: z.string().optional(), path: z.string().optional() }).prefault({}),
};

/** What a JSON file in each folder of the base holds. */
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
    /** Absent: fits every database. */
    databases: z.array(text).optional(),
    /** Absent: fits with and without authentication. */
    auth: z.boolean().optional(),
    languages: z.array(z.enum(['typescript', 'javascript'])).optional(),
    /** Ids of the fragments that must come before this one. */
    requires: z.array(text).default([]),
    featureFlags: z.array(text).default([]),
    packages: texts.default({}),
    devPackages: texts.default({}),
    scripts: texts.default({}),
    files: texts.default({}),
  }),
} as const;

export type BaseCategory = keyof typeof schemas;
export type FeathersVersion = z.infer<typeof version>;

type Parsed<C extends BaseCategory> = z.infer<(typeof schemas)[C]>;
type WithPath<T> = T extends { source: { path?: string | undefined } }
  ? Omit<T, 'source'> & { readonly source: { readonly url?: string | undefined; readonly path: string } }
  : T;

export type EntriesByCategory = { readonly [C in BaseCategory]: Readonly<WithPath<Parsed<C>>> };
/** A part of an application tree: files, packages and flags, with the conditions under which it is used. */
export type TemplateFragment = EntriesByCategory['templates'];

export const baseCategories = Object.keys(schemas) as readonly BaseCategory[];

export const isBaseCategory = (name: string): name is BaseCategory => Object.hasOwn(schemas, name);

/** Throws an Error whose one-line message names the bad entry and field. `path` is the default source of an entry. */
export function readEntries<C extends BaseCategory>(
  category: C,
  value: unknown,
  path: string,
): readonly EntriesByCategory[C][] {
  return (Array.isArray(value) ? value : [value]).map((one, i) => {
    const read = schemas[category].safeParse(one);
    if (!read.success) {
      const [issue] = read.error.issues;
      throw new Error(`${[i, ...(issue?.path ?? [])].join('.')}: ${issue?.message}`);
    }
    const entry = read.data;
    if (!('source' in entry)) return entry as EntriesByCategory[C];
    return { ...entry, source: { ...entry.source, path: entry.source.path ?? path } } as EntriesByCategory[C];
  });
}
