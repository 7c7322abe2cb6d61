import { Fault } from '#kernel/fault/fault.ts';
import { askThrough } from '#kernel/tool/invoke.ts';
import type { ForwardOptions, ToolCall } from '#kernel/tool/tool.ts';
import { findMovedNote } from '../find-moved-note.ts';

export type Answer = Readonly<Record<string, unknown>>;

export const askTool = async (call: ToolCall, tool: string, args: Answer, options?: ForwardOptions): Promise<Answer> =>
  (await askThrough(call)(tool, args, options)) as Answer;

const goneCodes: ReadonlySet<string> = new Set(['NOT_FOUND', 'RECORD_NOT_FOUND']);

interface Submitted {
  readonly submission_id: string;
  readonly retracted_at?: string;
}

interface ProposedRule {
  /** Of the rule. */
  readonly id: string;
  readonly state: string;
}

async function isRule(id: string, call: ToolCall): Promise<boolean> {
  return (await askTool(call, 'instructions/get', { id }))['notFound'] !== true;
}

/** It may have been taken back by other tools meanwhile: retracted, withdrawn, rejected or archived. */
async function isStillThere(kind: string, id: string, call: ToolCall): Promise<boolean> {
  try {
    if (kind === 'fact') {
      const { submissions } = await askTool(call, 'get_payload', { submission_id: id });
      const own = (submissions as readonly Submitted[]).find((one) => one.submission_id === id);
      return own?.retracted_at === undefined;
    } else if (kind === 'proposal') {
      const { items } = await askTool(call, 'instructions/proposals', { proposal_id: id, state: 'all' });
      const [{ state, id: ruleId }] = items as readonly [ProposedRule];
      return state === 'pending' || (state === 'approved' && (await isRule(ruleId, call)));
    } else if (kind === 'rule') {
      return await isRule(id, call);
    }
    return true;
  } catch (error) {
    if (error instanceof Fault && goneCodes.has(error.code)) return false;
    throw error;
  }
}

/** Its id now; undefined if it is gone. A note may be in another pad meanwhile. */
export async function findPresentId(itemId: string, call: ToolCall): Promise<string | undefined> {
  const [kind = '', id = ''] = itemId.split(/:(.*)/s);
  if (kind !== 'note') return (await isStillThere(kind, id, call)) ? itemId : undefined;
  const [scratchId = '', cellId = ''] = id.split('/', 2);
  const at = await findMovedNote({ scratchId, cellId }, (tool, args) => askTool(call, tool, args));
  return at && `note:${at.scratchId}/${at.cellId}`;
}
