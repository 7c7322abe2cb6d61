import { forgettingTopic, redactItems } from '#kernel/audit/redact.ts';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { forgetAnswers } from '#kernel/storage/idempotency.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { chunksOf } from '../chunks.ts';
import { findEntities, listAncestors } from '../entities/entity-store.ts';
import { expectRoot, membersOf } from '../entities/load-entity.ts';
import { listReducerRowsOfMany } from '../entities/observed-store.ts';
import { toFileUrl } from '../files/file-address.ts';
import { deleteFile } from '../files/file-store.ts';
import { addToTotals, setStates } from '../observations/observation-store.ts';
import { emptyState, printState } from '../reducer/entity-state.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { entityTopic, fileTopic } from '../truth-vocabulary.ts';
import { type CertificateDocument, toCertificate } from './certificate.ts';
import { findForgetting, insertForgetting } from './certificate-store.ts';
import { createFinish, type FinishDeps } from './finish-forgetting.ts';
import { createForgetAgain } from './forget-again.ts';
import { type Group, namesOf, removeGroup } from './forget-group.ts';
import type { ForgetAnswer, ForgetEntityInput, ForgetPreview, ForgetSourceInput } from './forget-model.ts';
import { expectSource, removeSource, tombstonesOf } from './forget-source.ts';
import { countFileUsers } from './forget-store.ts';
import { forgettingLimits } from './forgetting-limits.ts';
import type { MentionKind } from './mention-store.ts';
import { findMentions, type Mentions, removeMentions } from './mentions.ts';
import { createNameMatcher, type NameMatcher } from './names-in-text.ts';
import { createConcern, type Removal, type RemovalDeps, startRemoval } from './removal.ts';
import { restoreLookups } from './remove-derived.ts';
import { type CopiedTombstone, insertTombstones, noteForgetting, type TombstoneRow } from './tombstone-store.ts';
import type { ForgottenItem, Tombstones } from './tombstones.ts';

export interface ForgettingDeps extends TruthDeps, Omit<RemovalDeps, 'entityDocuments'>, FinishDeps {
  readonly entityDocuments: RemovalDeps['entityDocuments'] & FinishDeps['entityDocuments'];
  readonly tombstones: Tombstones;
  /** Keeps tombstones outside the database, so that a restored backup forgets again. */
  readonly tombstoneCopy?: { append(tenant: string, rows: readonly CopiedTombstone[]): void } | undefined;
}

export type Forgetting = ReturnType<typeof createForgetting>;

/** Rolls a dry run back: it runs the same statements, so that its list is exact. */
class DryRun extends Error {
  readonly preview: ForgetPreview;

  constructor(preview: ForgetPreview) {
    super('nothing is kept');
    this.preview = preview;
  }
}

interface Subject {
  readonly kind: CertificateDocument['kind'];
  readonly id: string;
  readonly name: string;
  readonly entityIds: readonly string[];
  readonly tombstones: readonly ForgottenItem[];
  readonly names: NameMatcher;
}

interface Wish {
  readonly isDryRun: boolean;
  readonly includesMentions: boolean;
  /** Null: not asked for, because it was confirmed before. */
  readonly confirm: string | null | undefined;
}

/** Entities that stay say less now. Their state is empty until the next read, and not the former one. */
function* clearStates(db: Writer, deps: RemovalDeps, affected: readonly string[]): Work<void> {
  for (const some of chunksOf(affected, forgettingLimits.blankedSourcesCount)) {
    const above = (yield* listAncestors(db, some)).map(({ entity_id }) => entity_id);
    const rows = yield* findEntities(db, [...new Set([...some, ...above])]);
    const state = printState(emptyState);
    yield* setStates(
      db,
      rows.map(({ entity_id, schema_version }) => ({ entity_id, schema_version, state, next_change_at: 0 })),
    );
    for (const { entity_id } of rows) yield* db.changed(entityTopic, entity_id, 'update', sha256Hex(state));
    yield* restoreLookups(db, deps, yield* listReducerRowsOfMany(db, some, undefined));
    yield* deps.entityDocuments.reindex(
      db,
      rows.map(({ entity_id }) => entity_id),
    );
  }
}

/** Files that nothing else refers to. Their bytes follow after the commit. */
function* removeFiles(db: Writer, removal: Removal): Work<readonly string[]> {
  const gone: string[] = [];
  for (const [url, address] of removal.files) {
    const users = yield* countFileUsers(db, url, [...removal.payloadIds], [...removal.recordIds]);
    if ((users?.count ?? 0) > 0) continue;
    if ((yield* deleteFile(db, address)) === 0) continue;
    removal.items.push({ topic: fileTopic, id: `${address.bucket}/${address.sha256}` });
    removal.ids.add(address.sha256).add(toFileUrl(address));
    removal.counts.files += 1;
    gone.push(address.sha256);
  }
  return gone;
}

const mentionsCount = (mentions: Mentions): number =>
  [...mentions.values()].reduce((sum, rows) => sum + rows.length, 0);

function toPreview({ name, entityIds, names }: Subject, removal: Removal, mentions: Mentions): ForgetPreview {
  const listed = [...mentions].flatMap(
    ([kind, rows]: readonly [MentionKind, readonly { id: string; text: string }[]]) =>
      rows.map(({ id, text }) => ({ kind, id, text: names.excerpt(text) })),
  );
  return {
    name,
    entity_ids: entityIds,
    removes: removal.counts,
    blanks: removal.blanked.slice(0, forgettingLimits.listedBlankedCount),
    blanks_total: removal.blanked.length,
    mentions: listed.slice(0, forgettingLimits.listedMentionsCount),
    mentions_total: listed.length,
  };
}

export function createForgetting(deps: ForgettingDeps) {
  const { storage, ids, tombstones } = deps;
  const finish = createFinish(deps);
  const isLocal = storage.capabilities.isLocal;

  function checkConfirmed({ name }: Subject, { confirm }: Wish): void {
    if (confirm === name || confirm === null) return;
    throw faults.VALIDATION_ERROR(
      { why: 'confirm must be the name that the dry run shows' },
      { field: 'confirm', fix: 'Call it with dry_run: true first, and pass preview.name as confirm.' },
    );
  }

  /** What every forgetting does after its own rows are gone. */
  function* complete(
    db: Writer,
    subject: Subject,
    removal: Removal,
    wish: Wish,
    certificateId: string,
    actor: string,
  ): Work<readonly TombstoneRow[]> {
    const mentions = yield* findMentions(db, subject.names);
    if (wish.includesMentions) yield* removeMentions(db, deps, removal, subject.names, mentions);
    const sha256s = yield* removeFiles(db, removal);
    const isConcerned = createConcern(removal.ids, subject.names);
    removal.counts.answers += yield* forgetAnswers(db, isConcerned);
    for (const forget of deps.forgetElsewhere ?? []) {
      removal.counts.answers += yield* forget(db, { ids: removal.ids, isConcerned });
    }
    if (wish.isDryRun) throw new DryRun(toPreview(subject, removal, mentions));
    yield* addToTotals(db, removal.tally.rows());
    yield* clearStates(db, deps, [...removal.affected]);
    const redaction = yield* redactItems(db, removal.items);
    const forgottenAt = db.now;
    const macOf = (item: ForgottenItem): string => tombstones.macOf(db.tenant, item);
    const rows = [...subject.tombstones, ...sha256s.map((value) => ({ kind: 'file' as const, value }))].map((item) => ({
      mac: macOf(item),
      forgotten_at: forgottenAt,
      certificate_id: certificateId,
    }));
    yield* insertTombstones(db, rows);
    const document: CertificateDocument = {
      kind: subject.kind,
      subject: macOf({ kind: subject.kind === 'entity' ? 'entity' : 'payload', value: subject.id }),
      by: tombstones.macOfActor(db.tenant, actor),
      removed: removal.counts,
      blanked_sources: removal.blanked.length,
      mentions_found: mentionsCount(mentions),
      mentions_removed: wish.includesMentions,
      redacted_audit_rows: redaction.rowsCount,
    };
    const work = JSON.stringify({ sha256s });
    const row = { certificate_id: certificateId, forgotten_at: forgottenAt, document: JSON.stringify(document), work };
    yield* insertForgetting(db, row);
    yield* db.changed(forgettingTopic, certificateId, 'delete', redaction.hash);
    yield* noteForgetting(db, forgottenAt);
    // Whatever is recorded from now on was recorded later.
    yield* db.catchUp(forgottenAt + 1);
    return rows;
  }

  /** `prepare` finds the subject and removes its rows. */
  async function run(
    call: Call,
    wish: Wish,
    prepare: (db: Writer, removal: Removal, check: (subject: Subject) => void) => Work<Subject>,
  ): Promise<ForgetAnswer> {
    const certificateId = `fgt_${ids.uuid()}`;
    try {
      const rows = await storage.write(wish.isDryRun ? { ...call, audit: 'none' } : call, function* (db) {
        const removal = startRemoval();
        const subject = yield* prepare(db, removal, (found) => {
          if (!wish.isDryRun) checkConfirmed(found, wish);
        });
        return yield* complete(db, subject, removal, wish, certificateId, call.actor);
      });
      const copies = wish.includesMentions ? rows.map((row) => ({ ...row, mentions: true as const })) : rows;
      deps.tombstoneCopy?.append(call.tenant, copies);
      const known = rows[0]?.certificate_id ?? certificateId;
      await finish.soon(call);
      return { dry_run: false, forgotten: true, certificate: await certificate({ id: known }, call) };
    } catch (error) {
      if (error instanceof DryRun) return { dry_run: true, forgotten: false, preview: error.preview };
      throw error;
    }
  }

  async function certificate({ id }: { readonly id: string }, call: Call) {
    const row = await storage.read(call, (db) => findForgetting(db, id));
    if (row === undefined) {
      throw faults.NOT_FOUND(
        { what: 'certificate' },
        { field: 'id', fix: 'forget_entity and forget_source return it.' },
      );
    }
    return toCertificate(row, isLocal, row.work === null);
  }

  function* forgetGroup(
    db: Writer,
    removal: Removal,
    entityId: string,
    check: (subject: Subject) => void,
  ): Work<Subject> {
    const { root } = yield* expectRoot(db, entityId);
    const members = yield* membersOf(db, root.entity_id);
    const group: Group = { root, members, names: yield* namesOf(db, members) };
    const rows = yield* findEntities(db, members);
    const subject: Subject = {
      kind: 'entity',
      id: root.entity_id,
      name: root.canonical_name,
      entityIds: members,
      names: createNameMatcher(group.names),
      tombstones: rows.flatMap(({ entity_id, entity_type, canonical_name }) => [
        { kind: 'entity' as const, value: entity_id },
        { kind: 'name' as const, value: `${entity_type}:${canonical_name}` },
      ]),
    };
    check(subject);
    yield* removeGroup(db, deps, removal, group);
    return subject;
  }

  function* forgetOne(db: Writer, removal: Removal, id: string, check: (subject: Subject) => void): Work<Subject> {
    const source = yield* expectSource(db, id);
    const subject: Subject = {
      kind: 'source',
      id,
      name: id,
      entityIds: [],
      names: createNameMatcher([]),
      tombstones: tombstonesOf(source),
    };
    check(subject);
    yield* removeSource(db, deps, removal, source);
    return subject;
  }

  const confirmed = (includesMentions: boolean): Wish => ({ isDryRun: false, includesMentions, confirm: null });

  return {
    /** For a store that was restored from an older copy. */
    again: createForgetAgain({
      ...deps,
      forgetEntity: (id, includesMentions, call) =>
        run(call, confirmed(includesMentions), (db, removal, check) => forgetGroup(db, removal, id, check)),
      forgetSource: (id, call) =>
        run(call, confirmed(false), (db, removal, check) => forgetOne(db, removal, id, check)),
    }),
    entity: ({ entity_id, dry_run, include_mentions, confirm }: ForgetEntityInput, call: Call) =>
      run(call, { isDryRun: dry_run, includesMentions: include_mentions, confirm }, (db, removal, check) =>
        forgetGroup(db, removal, entity_id, check),
      ),
    source: ({ id, dry_run, confirm }: ForgetSourceInput, call: Call) =>
      run(call, { isDryRun: dry_run, includesMentions: false, confirm }, (db, removal, check) =>
        forgetOne(db, removal, id, check),
      ),
    certificate,
    /** Finishes what is pending, for the job and at the start. */
    finish: finish.now,
    purge: finish.purgeAll,
  };
}
