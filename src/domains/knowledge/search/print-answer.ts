import { toOneByte } from '#kernel/text/one-byte.ts';
import type { PrintedAnswer } from '#kernel/tool/kept-answers.ts';
import type { DocAnswer, DocHit, VersionFilter } from './doc-query.ts';

/** JSON, and the same inside of a JSON string. */
type Piece = PrintedAnswer;

const toPiece = (text: string): Piece => ({ text, twin: JSON.stringify(text).slice(1, -1) });

/** Whether JSON has the text as it is, between quotes. */
const isPlainText = (text: string): boolean => JSON.stringify(text).length === text.length + 2;

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
const hitEnd = toPiece('"}');
const hitEndBeforeNext = toPiece('"},');

/** Cut out of what JSON.stringify makes of a hit with score 0 and without a snippet. Its snippets are cut out of `text`. */
export function printFacts(hit: DocHit, text: string): HitPrint {
  const json = JSON.stringify({ ...hit, score: 0, snippet: '' });
  const head = json.slice(0, -`0${between.text}${hitEnd.text}`.length);
  const { text: own, twin } = toPiece(head);
  return {
    head: { text: toOneByte(own), twin: toOneByte(twin) },
    isPlain: isPlainText(text),
  };
}

/** Without quotes; `isPlain`: JSON has it as it is. */
const printInside = (text: string, isPlain: boolean): Piece =>
  isPlain ? { text, twin: text } : toPiece(JSON.stringify(text).slice(1, -1));

const start = toPiece('{"query":"');
const openBy = (version: VersionFilter): Piece => toPiece(`","version":${JSON.stringify(version)},"results":[`);
const opens: Readonly<Record<VersionFilter, Piece>> = {
  v4: openBy('v4'),
  v5: openBy('v5'),
  both: openBy('both'),
  all: openBy('all'),
};
const end = toPiece(']}');

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
      const snippet = printInside(hit.snippet, facts.isPlain);
      const tail = isLast ? hitEnd : hitEndBeforeNext;
      text += facts.head.text + (score + between.text) + snippet.text + tail.text;
      twin += facts.head.twin + (score + between.twin) + snippet.twin + tail.twin;
    }
  }
  const asked = printInside(query, isPlainText(query));
  const open = opens[version];
  const close = hint === undefined ? end : toPiece(`],"hint":${JSON.stringify(hint)}}`);
  return {
    text: start.text + asked.text + open.text + text + close.text,
    twin: `"${start.twin}${asked.twin}${open.twin}${twin}${close.twin}"`,
  };
}
