export type Bound = string | number | bigint | Uint8Array | null;

/** A list that stands behind `in` or `not in`: sql`… where id in ${list(ids)}`. Each dialect has its own way to take one. */
export interface List {
  readonly list: readonly string[] | readonly number[];
}

export const list = (values: readonly string[] | readonly number[]): List => ({ list: values });

export type Arg = Bound | List | Sql;

/** What sql`…` makes: one text for both dialects, values apart. An argument may itself be such a piece. */
export interface Sql<Row = unknown> {
  readonly parts: readonly string[];
  readonly args: readonly Arg[];
  /** Never there; carries the row type. */
  readonly row?: Row;
}

/** The template object is the same for each evaluation of one place in the source, so it serves as the statement cache's key. */
export function sql<Row = unknown>(parts: TemplateStringsArray, ...args: Arg[]): Sql<Row> {
  return { parts, args };
}

/** Conditions that are all to hold; none is `true`. */
export const allOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0
    ? { parts: ['1 = 1'], args: [] }
    : { parts: ['(', ...conditions.slice(1).map(() => ') and ('), ')'], args: conditions };

const isPiece = (arg: Arg): arg is Sql => arg !== null && typeof arg === 'object' && 'parts' in arg;
export const isList = (arg: Arg): arg is List => arg !== null && typeof arg === 'object' && 'list' in arg;

/** Puts pieces into the text around them. A query without pieces comes back as it is, so that its key stays the same. */
export function flatten(query: Sql): { readonly parts: readonly string[]; readonly args: readonly (Bound | List)[] } {
  if (!query.args.some(isPiece)) return query as { parts: readonly string[]; args: readonly (Bound | List)[] };
  const parts: string[] = [query.parts[0] ?? ''];
  const args: (Bound | List)[] = [];
  query.args.forEach((arg, i) => {
    const tail = query.parts[i + 1] ?? '';
    if (!isPiece(arg)) {
      args.push(arg);
      parts.push(tail);
      return;
    }
    const inner = flatten(arg);
    parts[parts.length - 1] += inner.parts[0] ?? '';
    parts.push(...inner.parts.slice(1));
    args.push(...inner.args);
    parts[parts.length - 1] += tail;
  });
  return { parts, args };
}

/** A number that one engine would round, store as null or refuse, and the other not, is refused by both. */
function checkNumber(value: number | bigint): void {
  const isKept =
    typeof value === 'bigint'
      ? value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      : Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (!isKept) throw new Error(`bug: no store keeps ${value} as it is`);
}

/** Every value passes here on its way to either engine. */
export function checkArg(arg: Bound | List): void {
  if (typeof arg === 'number' || typeof arg === 'bigint') checkNumber(arg);
  else if (isList(arg)) for (const item of arg.list) if (typeof item === 'number') checkNumber(item);
}

/** Tells `in` from `not in` before a list, and gives the text before it. */
export function splitBeforeList(part: string): { readonly before: string; readonly isNegated: boolean } {
  const found = /\b(not\s+)?in\s*$/i.exec(part);
  if (found === null) throw new Error(`bug: a list stands only behind "in": ${part}`);
  return { before: part.slice(0, found.index), isNegated: found[1] !== undefined };
}
