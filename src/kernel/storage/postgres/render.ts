import { type Bound, checkArg, flatten, isList, type List, type Sql, splitBeforeList } from '../sql.ts';
import { postgresLimits } from './postgres-limits.ts';

export interface Statement {
  readonly text: string;
  /** The server keeps the statement prepared under this name, per connection. */
  readonly name?: string;
}

export interface Query extends Statement {
  readonly values: Value[];
}

type Value = Bound | readonly string[] | readonly number[];

/** The array gets its element type from the column before it, even if the list is empty. */
function toText(parts: readonly string[], args: readonly (Bound | List)[]): string {
  return parts.reduce((text, part, i) => {
    if (!isList(args[i - 1] ?? null)) return `${text}$${i}${part}`;
    const { before, isNegated } = splitBeforeList(text);
    return `${before}${isNegated ? '<> all' : '= any'} ($${i})${part}`;
  });
}

function toValue(arg: Bound | List): Value {
  checkArg(arg);
  return isList(arg) ? arg.list : arg;
}

/** Each template literal has one name. A limited number of composed queries are named by their text. */
export function createRenderer(): (query: Sql) => Query {
  const byPlace = new Map<readonly string[], Statement>();
  const byText = new Map<string, Statement>();
  let nameCount = 0;

  function named(text: string): Statement {
    nameCount += 1;
    return { text, name: `s${nameCount}` };
  }

  function composed(text: string): Statement {
    let statement = byText.get(text);
    if (statement === undefined) {
      if (byText.size >= postgresLimits.composedStatementsCount) return { text };
      statement = named(text);
      byText.set(text, statement);
    }
    return statement;
  }

  function statementOf(parts: readonly string[], args: readonly (Bound | List)[]): Statement {
    let statement = byPlace.get(parts);
    if (statement !== undefined) return statement;
    // Only template objects are frozen. Composed parts are new each time, so they are cached by their text.
    if (!Object.isFrozen(parts)) return composed(toText(parts, args));
    statement = named(toText(parts, args));
    byPlace.set(parts, statement);
    return statement;
  }

  return (query) => {
    const { parts, args } = flatten(query);
    return { ...statementOf(parts, args), values: args.map(toValue) };
  };
}
