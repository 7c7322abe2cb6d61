import type { Call } from '#kernel/call.ts';
import { type AddAnswer, createAdd } from './add.ts';
import type { AddInput } from './add-input.ts';
import {
  createListArchived,
  createRestore,
  type ListArchivedAnswer,
  type ListArchivedInput,
  type RestoreAnswer,
} from './archive.ts';
import { createEnrich, type EnrichAnswer } from './enrich.ts';
import type { GovernanceUpdateInput } from './governance-input.ts';
import { createGovernanceUpdate, type GovernanceUpdateAnswer } from './governance-update.ts';
import { createGroom, type GroomAnswer, type GroomInput } from './groom.ts';
import { createImport, type ImportAnswer, type ImportInput } from './import.ts';
import { createRemove, type RemoveAnswer, type RemoveInput } from './remove.ts';
import { createRepair, type RepairAnswer } from './repair.ts';
import type { DiffInput, WritesDeps } from './writes-deps.ts';

export interface ReloadAnswer {
  readonly reloaded: true;
  readonly hash: string;
  readonly count: number;
}

/** Everything that changes the catalog. */
export interface Writes {
  add(call: Call, input: AddInput): Promise<AddAnswer>;
  import(call: Call, input: ImportInput): Promise<ImportAnswer>;
  remove(call: Call, input: RemoveInput): Promise<RemoveAnswer>;
  restore(call: Call, input: { readonly ids: readonly string[] }): Promise<RestoreAnswer>;
  listArchived(call: Call, input: ListArchivedInput): Promise<ListArchivedAnswer>;
  reload(call: Call): Promise<ReloadAnswer>;
  groom(call: Call, input: GroomInput): Promise<GroomAnswer>;
  /** With `clientHash` or `known` the answer of `diff`. */
  repair(call: Call, input: DiffInput): Promise<RepairAnswer | object>;
  enrich(call: Call): Promise<EnrichAnswer>;
  governanceUpdate(call: Call, input: GovernanceUpdateInput): Promise<GovernanceUpdateAnswer>;
}

export const createWrites = (deps: WritesDeps): Writes => ({
  add: createAdd(deps),
  import: createImport(deps),
  remove: createRemove(deps),
  restore: createRestore(deps),
  listArchived: createListArchived(deps),
  async reload(call) {
    const { hash, count } = await deps.catalog.reload(call);
    return { reloaded: true, hash, count };
  },
  groom: createGroom(deps),
  repair: createRepair(deps),
  enrich: createEnrich(deps),
  governanceUpdate: createGovernanceUpdate(deps),
});
