import type Database from 'better-sqlite3';
import { type Bound, checkArg, flatten, isList, type List, type Sql, splitBeforeList } from '../sql.ts';

type Statement = Database.Statement<Bound[]>;

/** SQLite binds a list as one JSON value. */
const listPlace = '(select value from json_each(?))';

const toText = (parts: readonly string[], args: readonly (Bound | List)[]): string =>
  parts.reduce((text, part, i) => {
    if (!isList(args[i - 1] ?? null)) return `${text}?${part}`;
    splitBeforeList(text);
    return text + listPlace + part;
  });

function toValue(arg: Bound | List): Bound {
  checkArg(arg);
  return isList(arg) ? JSON.stringify(arg.list) : arg;
}

/** Each template literal is prepared once. A limited number of composed queries are cached by their text. */
export function createStatements(db: Database.Database): (query: Sql) => readonly [Statement, Bound[]] {
  const byPlace = new Map<readonly string[], Statement>();
  const byText = new Map<string, Statement>();
  const composedCountMax = 200;

  function prepareComposed(text: string): Statement {
    let statement = byText.get(text);
    if (statement === undefined) {
      const [oldest] = byText.keys();
      if (byText.size >= composedCountMax && oldest !== undefined) byText.delete(oldest);
      statement = db.prepare<Bound[]>(text);
      byText.set(text, statement);
    }
    return statement;
  }

  return (query) => {
    const { parts, args } = flatten(query);
    const values = args.map(toValue);
    let statement = byPlace.get(parts);
    if (statement !== undefined) return [statement, values];
    // Only template objects are frozen. Composed parts are new each time, so they are cached by their text.
    if (!Object.isFrozen(parts)) return [prepareComposed(toText(parts, args)), values];
    statement = db.prepare<Bound[]>(toText(parts, args));
    byPlace.set(parts, statement);
    return [statement, values];
  };
}
