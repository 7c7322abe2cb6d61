import { z } from 'zod';

export type FeathersVersion = 'v4' | 'v5' | 'both';

export const databases = ['mongodb', 'postgresql', 'sqlite'] as const;
export type Database = (typeof databases)[number];

interface EntrySource {
  /** The official page about it. */
  readonly url?: string;
  /** The file of the base, from its root: `docs/v5/hooks.md`. */
  readonly path: string;
}

/** What every entry of the base has. */
interface Entry {
  /** Of its kind, file and heading: `v5/hooks#around-hooks`, `snippets/hooks#log-every-call`. */
  readonly id: string;
  readonly title: string;
  readonly version: FeathersVersion;
  /** What it is about: hooks, services, authentication, … */
  readonly category: string;
  readonly tags: readonly string[];
  readonly source: EntrySource;
}

export interface DocEntry extends Entry {
  /** Markdown, without the heading. */
  readonly content: string;
  /** Title of the page, then the headings down to the entry's own. */
  readonly breadcrumb: readonly string[];
}

export interface CodeSnippet extends Entry {
  readonly language: string;
  readonly description: string;
  readonly code: string;
}

export interface ErrorPattern extends Entry {
  readonly symptom: string;
  readonly cause: string;
  readonly fix: string;
  readonly content: string;
}

export interface BestPractice extends Entry {
  readonly practice: string;
  readonly reason: string;
  readonly content: string;
}

/** A part of an application tree: files, packages and flags under conditions. */
export interface TemplateFragment {
  readonly id: string;
  readonly title: string;
  readonly version: FeathersVersion;
  /** Absent: fits every database. */
  readonly databases?: readonly string[];
  /** Absent: fits with and without authentication. */
  readonly auth?: boolean;
  readonly languages?: readonly ('typescript' | 'javascript')[];
  /** Fragments that stand before it. */
  readonly requires: readonly string[];
  readonly featureFlags: readonly string[];
  readonly packages: Readonly<Record<string, string>>;
  readonly devPackages: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

/** The folders of the base, and what their files hold. */
export interface EntriesByCategory {
  readonly docs: DocEntry;
  readonly templates: TemplateFragment;
  readonly snippets: CodeSnippet;
  readonly patterns: ErrorPattern;
  readonly 'best-practices': BestPractice;
}

export type BaseCategory = keyof EntriesByCategory;

export const baseCategories = ['docs', 'templates', 'snippets', 'patterns', 'best-practices'] as const;

export const isBaseCategory = (name: string): name is BaseCategory =>
  (baseCategories as readonly string[]).includes(name);

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

interface ParsedEntry {
  readonly source?: { readonly url?: string; readonly path?: string };
}

/** An entry that does not say where it comes from comes from its file. */
const withPath = (entry: ParsedEntry, path: string): ParsedEntry =>
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
    if (read.success) return withPath(read.data as ParsedEntry, path) as EntriesByCategory[C];
    const [issue] = read.error.issues;
    throw new Error(`${[i, ...(issue?.path ?? [])].join('.')}: ${issue?.message}`);
  });
}
