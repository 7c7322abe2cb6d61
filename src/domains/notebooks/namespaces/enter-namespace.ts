import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { addPads, insertNamespace } from './namespace-store.ts';

export const namespaceTopic = 'scratch-namespace';
/** Serializes the creation and renaming of namespaces; counting pads does not need it. */
export const namesLock = 'notebook-namespaces';

export const hashOfName = (namespace: string): string => sha256Hex(namespace);

/** Counts one more pad in a namespace and registers it if it is new. Returns its key, '' for no namespace. */
export function* enterNamespace(db: Writer, namespace: string | null, ids: Pick<Ids, 'uuid'>): Work<string> {
  if (namespace === null) return '';
  const known = yield* addPads(db, namespace, 1);
  if (known !== undefined) return known.namespace_key;
  yield* db.lock(namesLock);
  const key = ids.uuid();
  if ((yield* insertNamespace(db, { namespace_key: key, namespace, pads_count: 1 })) > 0) {
    yield* db.changed(namespaceTopic, namespace, 'create', hashOfName(namespace));
    return key;
  }
  const made = yield* addPads(db, namespace, 1);
  if (made === undefined) throw new Error('bug: the namespace neither exists nor can be created');
  return made.namespace_key;
}
