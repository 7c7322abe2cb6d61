import type { PrintedAnswer } from '#kernel/tool/kept-answers.ts';
import type { DocAnswer, DocHit } from './doc-query.ts';

/** JSON, and the same inside of a JSON string. */
type Piece = PrintedAnswer;

const toPiece = (text: string): Piece => ({ text, twin: JSON.stringify(text).slice(1, -1) });

/** Most snippets hold nothing that JSON writes otherwise, and then only their quotes do. */
function printSnippet(snippet: string): Piece {
  const text = JSON.stringify(snippet);
  return text.length === snippet.length + 2 ? { text, twin: `\\"${snippet}\\"` } : toPiece(text);
}

/** A hit in JSON without its score and its snippet: what is before them, and what is behind. */
export interface HitPrint {
  readonly head: Piece;
  readonly tail: Piece;
}

const between = toPiece(',"snippet":');

/** Cut out of what JSON.stringify makes of the hit itself, so that no member is forgotten and none stands elsewhere. */
export function printFacts(hit: DocHit): HitPrint {
  const json = JSON.stringify(hit);
  const changing = `${JSON.stringify(hit.score)}${between.text}${JSON.stringify(hit.snippet)}`;
  const from = json.indexOf(`"score":${changing},"breadcrumb":`) + '"score":'.length;
  return { head: toPiece(json.slice(0, from)), tail: toPiece(json.slice(from + changing.length)) };
}

/** In the very bytes of JSON.stringify. What is the same in every answer was printed before; `factsOf` gives it by id. */
export function printAnswer(answer: DocAnswer, factsOf: (id: string) => HitPrint | undefined): PrintedAnswer {
  const { query, version, results, hint } = answer;
  let text = '';
  let twin = '';
  for (const hit of results) {
    const facts = factsOf(hit.id);
    const comma = text === '' ? '' : ',';
    if (facts === undefined) {
      const whole = toPiece(JSON.stringify(hit));
      text += comma + whole.text;
      twin += comma + whole.twin;
      continue;
    }
    const { head, tail } = facts;
    const score = String(hit.score);
    const snippet = printSnippet(hit.snippet);
    text += comma + head.text + score + between.text + snippet.text + tail.text;
    twin += comma + head.twin + score + between.twin + snippet.twin + tail.twin;
  }
  const before = toPiece(`{"query":${JSON.stringify(query)},"version":${JSON.stringify(version)},"results":[`);
  const after = toPiece(hint === undefined ? ']}' : `],"hint":${JSON.stringify(hint)}}`);
  return { text: before.text + text + after.text, twin: `"${before.twin}${twin}${after.twin}"` };
}
