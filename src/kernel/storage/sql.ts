export type Bound = string | number | bigint | Uint8Array | null;

/** What sql`…` makes: one text for both dialects, values apart. `parts` is kept so that a dialect can number them. */
export interface Sql<Row = unknown> {
  readonly parts: readonly string[];
  readonly args: readonly Bound[];
  /** Never there; carries the row type. */
  readonly row?: Row;
}

/** The template object is the same for each evaluation of one place in the source, so it serves as the statement cache's key. */
export function sql<Row = unknown>(parts: TemplateStringsArray, ...args: Bound[]): Sql<Row> {
  return { parts, args };
}
