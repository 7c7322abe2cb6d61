import type { Call } from '#kernel/call.ts';
import { cutText } from '#kernel/fault/bound-fault.ts';
import { germanKey } from '#kernel/search/german-words.ts';
import { isStopWord } from '#kernel/search/stop-words.ts';
import { isGermanFunctionWord } from '#kernel/text/language.ts';
import { stem } from '#kernel/text/stem.ts';
import { scanTokens } from '#kernel/text/tokens.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { listProposals, newestPosition, type ProposalRow } from './proposal-store.ts';
import type { ProposalsDeps } from './proposals-deps.ts';
import { parseProposal } from './proposed-fields.ts';

export interface ProposalAbout {
  readonly proposal_id: string;
  readonly by: string;
  readonly text: string;
}

/** Japanese and Chinese words have no blanks between them: their tokens are pairs of characters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Endings and particles, which all texts share. */
const hiragana = /^\p{Script=Hiragana}+$/u;

interface Word {
  /** Its stems: a word of a short text may be English or German. */
  readonly keys: readonly string[];
  readonly isPair: boolean;
}

/** The words of a text that say what it is about, in order. */
function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  scanTokens(text, (word, _position, _start, _end, isWhole) => {
    if (isWhole || isStopWord(word) || isGermanFunctionWord(word)) return;
    if (!unspaced.test(word)) words.push({ keys: [stem(word), germanKey(word)], isPair: false });
    else words.push({ keys: hiragana.test(word) ? [] : [word], isPair: true });
  });
  return words;
}

/** A run of pairs is at least one word, and a long one several. */
const wordsIn = (pairs: number): number => (pairs === 0 ? 0 : Math.max(1, pairs / 2));

/** How many of these words are chosen, each once. */
function countWords(words: readonly Word[], isChosen: (keys: readonly string[]) => boolean): number {
  const seen = new Set<string>();
  let count = 0;
  let pairs = 0;
  for (const { keys, isPair } of words) {
    const [key] = keys;
    const isCounted = key !== undefined && !seen.has(key) && isChosen(keys);
    if (isCounted) seen.add(key);
    if (isCounted && isPair) pairs += 1;
    else {
      count += wordsIn(pairs) + (isCounted ? 1 : 0);
      pairs = 0;
    }
  }
  return count + wordsIn(pairs);
}

/** How many words of a task a text shares; 0 if too few to be about it: one is enough only for a task of two words. */
export function countShared(task: string, text: string): number {
  const asked = wordsOf(task);
  const own = new Set(wordsOf(text).flatMap(({ keys }) => keys));
  const shared = countWords(asked, (keys) => keys.some((key) => own.has(key)));
  return shared >= 2 || shared * 2 >= countWords(asked, () => true) ? shared : 0;
}

/** New rules that wait for approval and share words with a task. Of existing rules the approved text is in force. */
export function createProposalsAbout({ storage, canonicalOff }: ProposalsDeps) {
  const textOf = (row: ProposalRow): string => {
    const { body } = parseProposal(row, canonicalOff).fields ?? {};
    return typeof body === 'string' ? cutText(body, instructionLimits.proposalAboutChars) : '';
  };

  return async (task: string, call: Call): Promise<readonly ProposalAbout[]> => {
    const { proposalsAboutCount, comparedProposalsCount } = instructionLimits;
    const rows = await storage.read(call, (db) =>
      listProposals(db, { state: 'pending' }, newestPosition, comparedProposalsCount),
    );
    return rows
      .filter(({ base_document }) => base_document === null)
      .map((row) => {
        const text = textOf(row);
        return { sharedCount: countShared(task, text), about: { proposal_id: row.proposal_id, by: row.author, text } };
      })
      .filter(({ sharedCount }) => sharedCount > 0)
      .sort((a, b) => b.sharedCount - a.sharedCount)
      .slice(0, proposalsAboutCount)
      .map(({ about }) => about);
  };
}
