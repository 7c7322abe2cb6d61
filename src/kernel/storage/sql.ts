export type Bound = string | number | bigint | Uint8Array | null;

/** The list after `in` or `not in`: sql`… where id in ${list(ids)}`. Each engine binds it in its own way. */
export interface List {
  readonly list: readonly string[] | readonly number[];
}

export const list = (items: readonly string[] | readonly number[]): List => ({ list: items });

/** The rows after `values`, all of the same width. */
export interface Values {
  readonly rows: readonly (readonly Bound[])[];
}

/**
 * Any number of rows: sql`insert into t (a, b) values ${values(rows)} on conflict do nothing`. `run` and `all` split
 * them into several statements if needed, so the effect of a row must not depend on the others. Without rows nothing
 * runs.
 */
export const values = (rows: readonly (readonly Bound[])[]): Values => ({ rows });

export type Arg = Bound | List | Values | Sql;

/** Result of sql`…`: one text for both engines, and the values. An argument may itself be such a fragment. */
export interface Sql<Row = unknown> {
  readonly parts: readonly string[];
  readonly args: readonly Arg[];
  /** Never set; carries the row type. */
  readonly row?: Row;
}

/**
 * A template literal has one `parts` object however often it is evaluated, so that object is the key of the statement
 * cache.
 */
export function sql<Row = unknown>(parts: TemplateStringsArray, ...args: Arg[]): Sql<Row> {
  return { parts, args };
}

export const joined = (fragments: readonly (Bound | Sql)[], separator: string): Sql =>
  fragments.length === 0
    ? { parts: [''], args: [] }
    : { parts: ['', ...fragments.slice(1).map(() => separator), ''], args: fragments };

/** Combines conditions with `and`; none means true. */
export const allOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? { parts: ['1 = 1'], args: [] } : sql`(${joined(conditions, ') and (')})`;

const isFragment = (arg: Arg): arg is Sql => arg !== null && typeof arg === 'object' && 'parts' in arg;
const isValues = (arg: Arg): arg is Values => arg !== null && typeof arg === 'object' && 'rows' in arg;
export const isList = (arg: Arg): arg is List => arg !== null && typeof arg === 'object' && 'list' in arg;

/**
 * Rows per statement, largest first. A remainder below the smallest gets a statement of its own size. The sizes are few
 * because both engines keep a prepared statement for each.
 */
const statementRowsCounts = [512, 128, 32, 8] as const;
/** A quarter of SQLite's limit, which is lower than PostgreSQL's. */
const statementValuesCount = 8_192;

/** Sizes of the statements that together take this many rows. */
function* splitCount(rowsCount: number, width: number): Generator<number> {
  const rowsMax = Math.max(1, Math.floor(statementValuesCount / width));
  const smallest = Math.min(rowsMax, statementRowsCounts.at(-1)!);
  let left = rowsCount;
  for (const size of statementRowsCounts) {
    for (; size <= rowsMax && left >= size; left -= size) yield size;
  }
  for (; left > 0; left -= smallest) yield Math.min(left, smallest);
}

export const hasValues = (query: Sql): boolean => query.args.some(isValues);

export function* splitValues<Row>(query: Sql<Row>): Generator<Sql<Row>> {
  const place = query.args.findIndex(isValues);
  const { rows } = query.args[place] as Values;
  const width = rows[0]?.length ?? 0;
  if (rows.some((row) => row.length !== width)) throw new Error('bug: the rows of values() differ in length');
  let from = 0;
  for (const count of splitCount(rows.length, width)) {
    const part = count === rows.length ? rows : rows.slice(from, from + count);
    yield { parts: query.parts, args: query.args.with(place, values(part)) };
    from += count;
  }
}

interface FlatSql {
  readonly parts: readonly string[];
  readonly args: readonly (Bound | List)[];
}

const toTuples = ({ rows }: Values): FlatSql => {
  const width = rows[0]?.length ?? 0;
  const args = rows.flat();
  const parts = args.map((_, i) => (i === 0 ? '(' : i % width === 0 ? '), (' : ', '));
  return { parts: [...parts, ')'], args };
};

function merge(query: Sql): FlatSql {
  const parts: string[] = [query.parts[0] ?? ''];
  const args: (Bound | List)[] = [];
  query.args.forEach((arg, i) => {
    const after = query.parts[i + 1] ?? '';
    if (!isFragment(arg) && !isValues(arg)) {
      args.push(arg);
      parts.push(after);
      return;
    }
    if (isFragment(arg) && hasValues(arg))
      throw new Error('bug: values() must not be in a fragment, where it is not split');
    const inner = isFragment(arg) ? flatten(arg) : toTuples(arg);
    parts[parts.length - 1] += inner.parts[0] ?? '';
    for (const part of inner.parts.slice(1)) parts.push(part);
    for (const value of inner.args) args.push(value);
    parts[parts.length - 1] += after;
  });
  return { parts, args };
}

/** Merged texts of template literals with `values`, by number of rows and columns. */
const mergedTexts = new WeakMap<readonly string[], Map<string, readonly string[]>>();

/**
 * Merges each size of a template literal once. The text is frozen, so that the engines cache it like a template object.
 */
function mergeValues(query: Sql): FlatSql {
  const { rows } = query.args.find(isValues)!;
  const size = `${rows.length}/${rows[0]?.length}`;
  const texts = mergedTexts.get(query.parts) ?? new Map<string, readonly string[]>();
  const known = texts.get(size);
  if (known !== undefined) {
    return {
      parts: known,
      args: query.args.flatMap((arg) => (isValues(arg) ? arg.rows.flat() : [arg as Bound | List])),
    };
  }
  const merged = merge(query);
  mergedTexts.set(query.parts, texts.set(size, Object.freeze(merged.parts)));
  return merged;
}

interface MergedConstants {
  /** By place; undefined for a value. */
  readonly fragments: readonly (string | undefined)[];
  readonly parts: readonly string[];
}

/** Merged texts of template literals with the first constant fragments that they were used with. */
const mergedConstants = new WeakMap<readonly string[], MergedConstants>();

const isConstant = ({ parts, args }: Sql): boolean => args.length === 0 && Object.isFrozen(parts);

/**
 * Merges a template literal once if its fragments are constants, such as a list of columns. With other fragments than
 * the first time it is merged as usual, because each frozen text stays in the caches of the engines.
 */
function mergeFragments(query: Sql): FlatSql {
  const isLiteral = Object.isFrozen(query.parts) && query.args.every((arg) => !isFragment(arg) || isConstant(arg));
  if (!isLiteral) return merge(query);
  const fragments = query.args.map((arg) => (isFragment(arg) ? arg.parts[0] : undefined));
  const known = mergedConstants.get(query.parts);
  if (known === undefined) {
    const merged = merge(query);
    mergedConstants.set(query.parts, { fragments, parts: Object.freeze(merged.parts) });
    return merged;
  }
  if (fragments.some((text, i) => text !== known.fragments[i])) return merge(query);
  return { parts: known.parts, args: query.args.filter((arg): arg is Bound | List => !isFragment(arg)) };
}

/** Inserts fragments and rows into the text around them. Without any, the query and its cache key stay as they are. */
export function flatten(query: Sql): FlatSql {
  const hasFragments = query.args.some(isFragment);
  if (hasValues(query)) return !hasFragments && Object.isFrozen(query.parts) ? mergeValues(query) : merge(query);
  return hasFragments ? mergeFragments(query) : (query as FlatSql);
}

/** One engine would round, null or refuse such a number and the other would not, so both refuse it. */
function checkNumber(value: number | bigint): void {
  const isKept =
    typeof value === 'bigint'
      ? value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      : Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (!isKept) throw new Error(`bug: ${value} cannot be stored exactly`);
}

/** Every value on its way to an engine passes through here. */
export function checkArg(arg: Bound | List): void {
  if (typeof arg === 'number' || typeof arg === 'bigint') checkNumber(arg);
  else if (isList(arg)) for (const item of arg.list) if (typeof item === 'number') checkNumber(item);
}

/** Distinguishes `in` from `not in` before a list, and returns the text before it. */
export function splitBeforeList(part: string): { readonly before: string; readonly isNegated: boolean } {
  const found = /\b(not\s+)?in\s*$/i.exec(part);
  if (found === null) throw new Error(`bug: list() must follow "in": ${part}`);
  return { before: part.slice(0, found.index), isNegated: found[1] !== undefined };
}
