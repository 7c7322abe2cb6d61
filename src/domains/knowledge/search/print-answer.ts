import { toOneByte } from '#kernel/text/one-byte.ts';
import type { PrintedAnswer } from '#kernel/tool/kept-answers.ts';
import type { DocAnswer, DocHit } from './doc-query.ts';

/** JSON, and the same inside of a JSON string. */
type Piece = PrintedAnswer;

const toPiece = (text: string): Piece => ({ text, twin: JSON.stringify(text).slice(1, -1) });

/** What is the same in every answer that has a hit. */
export interface HitPrint {
  /** The hit in JSON up to its score. Score and snippet are its last members. */
  readonly head: Piece;
  /** Whether JSON has its text, and whatever is cut out of it, as it is. */
  readonly isPlain: boolean;
}

/** To print a fraction takes longer than the rest of a hit; scores are ten-thousandths. */
const scores = Array.from<string | undefined>({ length: 10_001 });

function printScore(score: number): string {
  const shares = Math.round(score * 10_000);
  if (shares / 10_000 !== score || shares < 0 || shares > 10_000) return JSON.stringify(score);
  scores[shares] ??= JSON.stringify(score);
  return scores[shares];
}

const between = toPiece(',"snippet":"');
const end = toPiece('"}');
const endBeforeNext = toPiece('"},');

/** Cut out of what JSON.stringify makes of a hit with score 0 and without a snippet. Its snippets are cut out of `text`. */
export function printFacts(hit: DocHit, text: string): HitPrint {
  const json = JSON.stringify({ ...hit, score: 0, snippet: '' });
  const head = json.slice(0, -`0${between.text}${end.text}`.length);
  const { text: own, twin } = toPiece(head);
  return {
    head: { text: toOneByte(own), twin: toOneByte(twin) },
    isPlain: JSON.stringify(text).length === text.length + 2,
  };
}

/** Without its quotes. */
const printSnippet = (snippet: string, { isPlain }: HitPrint): Piece =>
  isPlain ? { text: snippet, twin: snippet } : toPiece(JSON.stringify(snippet).slice(1, -1));

/** In the very bytes of JSON.stringify. What is the same in every answer was printed before; `factsOf` gives it by id. */
export function printAnswer(answer: DocAnswer, factsOf: (id: string) => HitPrint | undefined): PrintedAnswer {
  const { query, version, results, hint } = answer;
  let text = '';
  let twin = '';
  for (let i = 0; i < results.length; i += 1) {
    const hit = results[i]!;
    const isLast = i === results.length - 1;
    const facts = factsOf(hit.id);
    if (facts === undefined) {
      const whole = toPiece(JSON.stringify(hit) + (isLast ? '' : ','));
      text += whole.text;
      twin += whole.twin;
    } else {
      const score = printScore(hit.score);
      const snippet = printSnippet(hit.snippet, facts);
      const close = isLast ? end : endBeforeNext;
      text += facts.head.text + (score + between.text) + snippet.text + close.text;
      twin += facts.head.twin + (score + between.twin) + snippet.twin + close.twin;
    }
  }
  const before = toPiece(`{"query":${JSON.stringify(query)},"version":${JSON.stringify(version)},"results":[`);
  const after = toPiece(hint === undefined ? ']}' : `],"hint":${JSON.stringify(hint)}}`);
  return { text: before.text + text + after.text, twin: `"${before.twin}${twin}${after.twin}"` };
}
