import type { Call } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { parseArchived } from '../catalog/entry-json.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { RemovedRule } from '../rules/plan-sync.ts';
import { sourceMarkOf } from '../rules/source-mark.ts';
import { listRemoved } from './version-store.ts';

/** The removals of this tool follow the file, so that a section that comes back becomes a rule again. */
const syncTool = 'instructions_sync';

export interface RemovedRulesDeps {
  readonly storage: Pick<Storage, 'read'>;
  readonly canonicalOff: boolean;
}

/** The imported rules that somebody removed. From the history, because the archive is emptied after some time. */
export const createRemovedRules =
  ({ storage, canonicalOff }: RemovedRulesDeps) =>
  async (call: Call): Promise<readonly RemovedRule[]> => {
    const rules: RemovedRule[] = [];
    for (let after = ''; ; ) {
      const rows = await storage.read(call, (db) =>
        listRemoved(db, syncTool, after, instructionLimits.removedRulesCount),
      );
      for (const { id, number, etag, document, at, removed_at, removed_by } of rows) {
        const entry = parseArchived(document, id, at, canonicalOff);
        if (entry === undefined || sourceMarkOf(entry) === undefined) continue;
        rules.push({ entry, etag, number, removedAt: removed_at, removedBy: removed_by });
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < instructionLimits.removedRulesCount) return rules;
      after = last.id;
    }
  };
