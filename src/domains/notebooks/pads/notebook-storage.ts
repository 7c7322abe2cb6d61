import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';

/** This family says CONFIG_ERROR where others say that the server is shutting down (RULINGS R5). */
function retell(error: unknown): never {
  if (error instanceof Fault && error.code === faults.SHUTTING_DOWN.kind.code) {
    throw faults.CONFIG_ERROR({ why: error.message }, {}, { cause: error });
  }
  throw error;
}

export const toNotebookStorage = (storage: Storage): Storage => ({
  dialect: storage.dialect,
  read: (call, work) => storage.read(call, work).catch(retell),
  write: (call, work) => storage.write(call, work).catch(retell),
  version: (tenant, topic) => storage.version(tenant, topic),
  changesSince: (tenant, topic, seq, limit) => storage.changesSince(tenant, topic, seq, limit),
  stamp: () => storage.stamp(),
  watch: (wake) => storage.watch(wake),
  close: () => storage.close(),
});
