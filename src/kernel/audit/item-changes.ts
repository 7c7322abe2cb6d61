import type { ChangeKind, Reader, Topic, Work } from '../storage/port.ts';
import { sql, values } from '../storage/sql.ts';

export interface ItemRef {
  readonly topic: Topic;
  readonly id: string;
}

/** One change of an item, as the change log knows it. */
export interface ItemChange extends ItemRef {
  readonly seq: number;
  readonly what: ChangeKind;
  readonly actor: string;
  readonly tool: string;
  readonly at: number;
}

/** Numbers in the change log: after the first, up to the second. */
export interface SeqRange {
  readonly after: number;
  readonly upTo: number;
}

/** The newest change of each item within the range; items without one are left out. */
export const findNewestChanges = (db: Reader, items: readonly ItemRef[], { after, upTo }: SeqRange) =>
  db.all(sql<ItemChange>`
    with items (topic, id) as (values ${values(items.map(({ topic, id }) => [topic, id]))})
    select c.seq, c.topic, c.id, c.what, c.actor, c.tool, c.at from items i
    join changes c on c.tenant = ${db.tenant} and c.seq = (
      select max(d.seq) from changes d
      where d.tenant = ${db.tenant} and d.topic = i.topic and d.id = i.id and d.seq > ${after} and d.seq <= ${upTo})`);

/** Who created each item; items whose creation is not in the log are left out. */
export const findCreators = (db: Reader, items: readonly ItemRef[]) =>
  db.all(sql<ItemRef & { readonly actor: string }>`
    with items (topic, id) as (values ${values(items.map(({ topic, id }) => [topic, id]))})
    select c.topic, c.id, c.actor from items i
    join changes c on c.tenant = ${db.tenant} and c.what = 'create' and c.seq = (
      select min(d.seq) from changes d where d.tenant = ${db.tenant} and d.topic = i.topic and d.id = i.id)`);

/** The number of the tenant's newest change. */
export const findNewestSeq = (db: Reader) =>
  db.get(sql<{ readonly seq: number }>`select seq from audit_heads where tenant = ${db.tenant}`);

/** Creation and removal of tenants are in the trail of the tenant `local`. */
export const tenantTopic = 'tenant';

/** Those of the names whose removal is in the trail. */
export function* findRemovedTenants(db: Reader, names: readonly string[]): Work<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const items = names.map((id) => ({ topic: tenantTopic, id }));
  const changes = yield* findNewestChanges(db, items, { after: 0, upTo: Number.MAX_SAFE_INTEGER });
  return new Set(changes.filter(({ what }) => what === 'delete').map(({ id }) => id));
}
