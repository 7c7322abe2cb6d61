export type AskedVersion = 'v4' | 'v5' | 'both' | 'all';

export interface DocQuery {
  readonly query: string;
  readonly limit: number;
  /** Undefined: v5 of the base, and every library. */
  readonly version?: AskedVersion | undefined;
  /** `react` or `react@19.2.0`. */
  readonly library?: string | undefined;
}

export interface DocHit {
  readonly id: string;
  readonly title: string;
  /** Of the base v4, v5 or both; of a library its own. */
  readonly version: string;
  readonly category: string;
  readonly source: { readonly url?: string | undefined; readonly path?: string | undefined };
  /** Headings from the page down to what the section stands under: `Hooks > Around hooks`. */
  readonly breadcrumb: string;
  /** Only of a library that a tenant has taken in. */
  readonly library?: string | undefined;
  /** The best has 1. */
  readonly score: number;
  readonly snippet: string;
}

export interface DocAnswer {
  readonly query: string;
  readonly version: AskedVersion;
  readonly results: readonly DocHit[];
  /** What to try when nothing was found. */
  readonly hint?: string | undefined;
}
