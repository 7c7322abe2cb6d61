import type { Capabilities } from './capabilities.ts';
import type { Storage } from './port.ts';

export interface OnDemandStorage extends Storage {
  /** Opens the store if it is not open yet. Rejects with the fault that prevents it. */
  opened(): Promise<Storage>;
  /** The store if it was opened, otherwise undefined: closing must not open it. */
  peek(): Promise<Storage | undefined>;
}

/** Opens the store at its first use. A failed attempt is repeated at the next use. */
export function createOnDemandStorage(capabilities: Capabilities, open: () => Promise<Storage>): OnDemandStorage {
  let opening: Promise<Storage> | undefined;
  let ready: Storage | undefined;

  function opened(): Promise<Storage> {
    if (opening === undefined) {
      opening = open();
      opening.then(
        (storage) => {
          ready = storage;
        },
        () => {
          opening = undefined;
        },
      );
    }
    return opening;
  }

  return {
    capabilities,
    opened,
    peek: async () => opening,
    read: async (call, work) => (await opened()).read(call, work),
    write: async (call, work) => (await opened()).write(call, work),
    flush: async (call) => (await opened()).flush(call),
    version: async (tenant, topic) => (await opened()).version(tenant, topic),
    changesSince: async (tenant, topic, seq, limit) => (await opened()).changesSince(tenant, topic, seq, limit),
    writeProblem: async () => (await opened()).writeProblem(),
    stamp: () => ready?.stamp(),
    watch(wake) {
      let isWanted = true;
      let unwatch = () => {
        isWanted = false;
      };
      opened().then(
        (storage) => {
          if (isWanted) unwatch = storage.watch(wake);
        },
        () => {},
      );
      return () => unwatch();
    },
    purge: async (wanted) => (await opened()).purge(wanted),
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}
