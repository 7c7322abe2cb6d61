import type { Capabilities } from './capabilities.ts';
import type { Storage } from './port.ts';

export interface OnDemandStorage extends Storage {
  /** Opens the store if that has not happened yet; rejects with the fault that keeps it shut. */
  opened(): Promise<Storage>;
  /** What was opened, or undefined: closing must not open. */
  peek(): Promise<Storage | undefined>;
}

/** A store that is opened at its first use. One that could not be opened is tried again at the next use. */
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
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}
