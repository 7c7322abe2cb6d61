import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { defineRowHash, type Hashed } from '#kernel/storage/row-hash.ts';
import { allOf, list, sql, values } from '#kernel/storage/sql.ts';

export const proposalStates = ['pending', 'approved', 'rejected', 'withdrawn'] as const;
export type ProposalState = (typeof proposalStates)[number];

export interface ProposalRow {
  readonly proposal_id: string;
  /** Of the instruction. */
  readonly id: string;
  /** The state that it was made from; null if there was no such instruction. */
  readonly base_etag: string | null;
  readonly base_document: string | null;
  /** The proposed fields as JSON; null proposes a removal. */
  readonly document: string | null;
  /** Equal for proposals that ask for the same. */
  readonly fingerprint: string;
  readonly author: string;
  readonly tool: string;
  readonly reason: string | null;
  readonly created_at: number;
  readonly state: ProposalState;
  readonly decided_by: string | null;
  readonly decided_at: number | null;
  readonly decision: string | null;
}

const proposalTopic = 'instruction-proposal';

const names = [
  ...(['proposal_id', 'id', 'base_etag', 'base_document', 'document', 'fingerprint', 'author', 'tool'] as const),
  ...(['reason', 'created_at', 'state', 'decided_by', 'decided_at', 'decision'] as const),
] satisfies readonly (keyof ProposalRow)[];

const columns = sql`proposal_id, id, base_etag, base_document, document, fingerprint, author, tool, reason, created_at,
  state, decided_by, decided_at, decision, row_hash`;

const proposalHash = defineRowHash<ProposalRow>(
  { table: 'instruction_proposals', columns: names },
  ({ proposal_id, id }) => `proposal ${proposal_id} for instruction ${id}`,
);

/** Taken by every decision, so that of two people who decide together one is first. */
export const lockProposals = (db: Writer) => db.lock(`instruction-proposals:${db.tenant}`);

export function* insertProposals(db: Writer, rows: readonly ProposalRow[]): Work<void> {
  yield* db.run(sql`
    insert into instruction_proposals (tenant, ${columns}) values ${values(
      rows.map((row) => [db.tenant, ...names.map((name) => row[name]), proposalHash.of(row)]),
    )}`);
  for (const row of rows) yield* db.changed(proposalTopic, row.proposal_id, 'create', row.fingerprint);
}

export const countPending = (db: Reader) =>
  db.get(sql<{ readonly count: number }>`
    select count(*) as count from instruction_proposals where tenant = ${db.tenant} and state = 'pending'`);

/** Without their documents. */
export const listPendingOf = (db: Reader, ids: readonly string[]) =>
  db.all(sql<Pick<ProposalRow, 'proposal_id' | 'id' | 'fingerprint'>>`
    select proposal_id, id, fingerprint from instruction_proposals
    where tenant = ${db.tenant} and id in ${list(ids)} and state = 'pending' order by created_at, proposal_id`);

export const findProposal = (db: Reader, proposalId: string) =>
  proposalHash.get(
    db,
    sql<ProposalRow & Hashed>`
    select ${columns} from instruction_proposals where tenant = ${db.tenant} and proposal_id = ${proposalId}`,
  );

export interface ProposalFilter {
  readonly id?: string | undefined;
  readonly state?: ProposalState | undefined;
}

export interface ProposalPosition {
  readonly at: number;
  readonly proposalId: string;
}

/** Before which the newest proposals are. */
export const newestPosition: ProposalPosition = { at: Number.MAX_SAFE_INTEGER, proposalId: '' };

/** Newest first, before a proposal of the previous page. */
export const listProposals = (db: Reader, { id, state }: ProposalFilter, before: ProposalPosition, limit: number) =>
  proposalHash.all(
    db,
    sql<ProposalRow & Hashed>`
    select ${columns} from instruction_proposals
    where ${allOf([
      sql`tenant = ${db.tenant} and (created_at, proposal_id) < (${before.at}, ${before.proposalId})`,
      ...(id === undefined ? [] : [sql`id = ${id}`]),
      ...(state === undefined ? [] : [sql`state = ${state}`]),
    ])}
    order by created_at desc, proposal_id desc limit ${limit}`,
  );

/** Counts up to `limit`. */
export const countProposals = (db: Reader, state: ProposalState, limit: number) =>
  db.get(sql<{ readonly count: number }>`
    select count(*) as count from (
      select 1 from instruction_proposals where tenant = ${db.tenant} and state = ${state} limit ${limit}) counted`);

type Decision = Pick<ProposalRow, 'state' | 'decided_by' | 'decided_at' | 'decision'>;

function* update(db: Writer, proposalId: string, from: ProposalState, decision: Decision): Work<boolean> {
  yield* lockProposals(db);
  const found = yield* findProposal(db, proposalId);
  if (found?.state !== from) return false;
  const { row_hash: _hash, ...row } = found;
  const next: ProposalRow = { ...row, ...decision };
  yield* db.run(sql`
    update instruction_proposals
    set state = ${next.state}, decided_by = ${next.decided_by}, decided_at = ${next.decided_at},
      decision = ${next.decision}, row_hash = ${proposalHash.of(next)}
    where tenant = ${db.tenant} and proposal_id = ${proposalId}`);
  yield* db.changed(proposalTopic, proposalId, 'update', row.fingerprint);
  return true;
}

/** False if it is decided already. */
export const closeProposal = (
  db: Writer,
  proposalId: string,
  { state, by, reason }: { readonly state: ProposalState; readonly by: string; readonly reason: string | null },
): Work<boolean> => update(db, proposalId, 'pending', { state, decided_by: by, decided_at: db.now, decision: reason });

const undecided: Decision = { state: 'pending', decided_by: null, decided_at: null, decision: null };

/** After an approved change that could not be made. */
export const reopenProposal = (db: Writer, proposalId: string): Work<boolean> =>
  update(db, proposalId, 'approved', undecided);

export const reopenWithdrawn = (db: Writer, proposalId: string): Work<boolean> =>
  update(db, proposalId, 'withdrawn', undecided);
