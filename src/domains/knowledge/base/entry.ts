export type FeathersVersion = 'v4' | 'v5' | 'both';

export interface EntrySource {
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
