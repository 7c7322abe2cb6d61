import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import { contextLimits } from '../context-limits.ts';
import { type ItemWrites, memoryOf } from '../memories.ts';
import { type Candidate, type ShownCandidate, tokensOf } from '../recall/fit-budget.ts';
import type { RecallAnswer, RecallInput } from '../recall/tools/recall.ts';
import type { Receipt, ReceiptItem } from './receipt.ts';

interface Answered {
  readonly receiptId: string;
  readonly input: RecallInput;
  readonly answer: RecallAnswer;
  readonly shown: readonly ShownCandidate[];
  readonly hidden: readonly Candidate[];
  readonly writes: ItemWrites;
}

const hashChars = 16;

const toScore = ({ relevance }: Candidate): number => Math.round(relevance * 1_000) / 1_000;

const toItem = ({ candidate, item }: ShownCandidate): ReceiptItem => ({
  memory: memoryOf[candidate.part],
  id: candidate.id,
  ...(candidate.logId !== undefined && { log_id: candidate.logId }),
  hash: sha256Hex(canonicalJson(candidate.content)).slice(0, hashChars),
  score: toScore(candidate),
  tokens: tokensOf(item),
  ...('cut' in item && { cut: true as const }),
});

function argumentsOf({ task, files, budget_tokens, memories, at, namespace }: RecallInput): Receipt['arguments'] {
  return {
    ...{ task, budget_tokens },
    ...(files !== undefined && { files }),
    ...(memories !== undefined && { memories }),
    ...(at !== undefined && { at }),
    ...(namespace !== undefined && { namespace }),
  };
}

export const toReceipt = ({ receiptId, input, answer, shown, hidden, writes }: Answered): Receipt => ({
  receipt_id: receiptId,
  arguments: argumentsOf(input),
  tokens: answer.tokens,
  ...(answer.incomplete && { incomplete: true }),
  seq: writes.seq,
  items: shown.map(toItem),
  ...(answer.left_out && { left_out: answer.left_out }),
  left_out_items: hidden
    .slice(0, contextLimits.hiddenItemsCount)
    .map((candidate) => ({ memory: memoryOf[candidate.part], id: candidate.id, score: toScore(candidate) })),
});
