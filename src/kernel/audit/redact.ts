import { sha256Hex } from '../hash/hash.ts';
import type { Work, Writer } from '../storage/port.ts';
import { list, sql, values } from '../storage/sql.ts';
import type { AuditRow } from './chain.ts';
import type { ItemRef } from './item-changes.ts';

/** The topic of the row that lists which rows were redacted; its id is that of the certificate. */
export const forgettingTopic = 'forgetting';

/** What a redacted row keeps. */
type RemainingRow = Pick<AuditRow, 'seq' | 'topic' | 'what' | 'actor' | 'tool' | 'at' | 'mac'>;

/** A redacted row has lost its id and hash, and keeps its mac, so that the next row still links to it. */
export const isRedacted = ({ id, hash }: Pick<AuditRow, 'id' | 'hash'>): boolean => id === '' && hash === '';

/** `1-3,7` for 1, 2, 3 and 7. */
function printSeqs(seqs: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const seq of seqs) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to + 1 === seq) last.to = seq;
    else ranges.push({ from: seq, to: seq });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}

function parseSeqs(text: string): readonly number[] {
  return text === ''
    ? []
    : text.split(',').flatMap((range) => {
        const [from = 0, to = from] = range.split('-').map(Number);
        return Array.from({ length: to - from + 1 }, (_, i) => from + i);
      });
}

/** Covers what the rows keep, which their own macs no longer prove. */
const digestOf = (rows: readonly RemainingRow[]): string =>
  sha256Hex(
    JSON.stringify(rows.map(({ seq, topic, what, actor, tool, at, mac }) => [seq, topic, what, actor, tool, at, mac])),
  );

export interface Redaction {
  readonly rowsCount: number;
  /** The hash of the row with `forgettingTopic`: a digest of the redacted rows, and their numbers. */
  readonly hash: string;
}

/** Removes id and hash from every row about these items. The caller writes the row that lists them. */
export function* redactItems(db: Writer, items: readonly ItemRef[]): Work<Redaction> {
  const rows = yield* db.all(sql<RemainingRow>`
    with items (topic, id) as (values ${values(items.map(({ topic, id }) => [topic, id]))})
    select c.seq, c.topic, c.what, c.actor, c.tool, c.at, c.mac from items i
    join changes c on c.tenant = ${db.tenant} and c.topic = i.topic and c.id = i.id`);
  const distinct = [...new Map(rows.map((row) => [row.seq, row])).values()].sort((a, b) => a.seq - b.seq);
  const seqs = distinct.map(({ seq }) => seq);
  yield* db.run(sql`update changes set id = '', hash = '' where tenant = ${db.tenant} and seq in ${list(seqs)}`);
  return { rowsCount: seqs.length, hash: `${digestOf(distinct)} ${printSeqs(seqs)}` };
}

/** Follows a chain from its first row on. */
export function createRedactionCheck() {
  const uncovered = new Map<number, AuditRow>();
  return {
    note: (row: AuditRow) => void uncovered.set(row.seq, row),
    /** `row` is intact and has `forgettingTopic`. Rows that differ from its digest stay uncovered. */
    cover(row: AuditRow): void {
      const [digest, seqs = ''] = row.hash.split(' ');
      const rows = parseSeqs(seqs).flatMap((seq) => uncovered.get(seq) ?? []);
      if (digestOf(rows) === digest) for (const { seq } of rows) uncovered.delete(seq);
    },
    /** Redacted rows that no row of a forgetting lists. */
    uncovered: (): readonly number[] => [...uncovered.keys()],
  };
}
