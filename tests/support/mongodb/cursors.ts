import type pg from 'pg';
import { type Element, readElements, readValue, writeDocument } from './bson.ts';
import { CommandFault } from './errors.ts';

interface Page {
  readonly page: Buffer;
  /** What the next page needs; undefined after the last one. */
  readonly continuation: Buffer | null;
}

interface FirstPage extends Page {
  readonly cursor: string;
}

export interface Cursors {
  open(database: string, command: Buffer, pageFunction: string): Promise<Buffer>;
  more(database: string, command: Buffer, id: bigint): Promise<Buffer>;
  kill(ids: Element | undefined): Buffer;
}

/** The state of every open cursor. The rest of a result is in a file of the server, so any connection can fetch it. */
export function createCursors(pool: pg.Pool): Cursors {
  const continuations = new Map<bigint, Buffer>();

  function keep(id: bigint, { page, continuation }: Page): Buffer {
    if (continuation === null) continuations.delete(id);
    else continuations.set(id, continuation);
    return page;
  }

  return {
    async open(database, command, pageFunction) {
      const { rows } = await pool.query<FirstPage>(
        `select cursorpage::bytea as page, continuation::bytea, cursorid as cursor
         from ${pageFunction}($1, $2::bytea::documentdb_core.bson)`,
        [database, command],
      );
      return keep(BigInt(rows[0]!.cursor), rows[0]!);
    },
    async more(database, command, id) {
      const continuation = continuations.get(id);
      if (continuation === undefined) throw new CommandFault(43, 'CursorNotFound', `cursor id ${id} not found`);
      const { rows } = await pool.query<Page>(
        `select cursorpage::bytea as page, continuation::bytea
         from documentdb_api.cursor_get_more($1, $2::bytea::documentdb_core.bson, $3::bytea::documentdb_core.bson)`,
        [database, command, continuation],
      );
      return keep(id, rows[0]!);
    },
    kill(ids) {
      const asked = ids === undefined ? [] : readElements(ids.value).map((id) => BigInt(String(readValue(id))));
      const killed = asked.filter((id) => continuations.delete(id));
      const unknown = asked.filter((id) => !killed.includes(id));
      return writeDocument({ cursorsKilled: killed, cursorsNotFound: unknown, cursorsAlive: [], ok: 1 });
    },
  };
}
