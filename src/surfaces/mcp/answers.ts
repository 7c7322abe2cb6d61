import type { Fault } from '#kernel/fault/fault.ts';
import { limits } from '#kernel/limits.ts';
import { type Era, type RpcError, reportedIdOf, toFaultObject, toRpcError } from '#kernel/tool/fault-forms.ts';
import type { Outcome } from '#kernel/tool/invoke.ts';
import { toIdentity } from './introduction.ts';
import { type McpDeps, mcpLimits } from './mcp-deps.ts';
import { metaKeys, type RequestId } from './protocol.ts';

/** The result of a tool call, before it is serialised for an era and a transport. */
export type ToolAnswer =
  | {
      readonly ok: true;
      readonly text: string;
      /** Undefined if the text alone contains the data. */
      readonly structured: { readonly value: object; readonly json: string } | undefined;
    }
  /** `fix` is a second text where the form of the family has no place for it. */
  | { readonly ok: false; readonly text: string; readonly fix?: string };

export interface Answers {
  /** Never throws: a bug becomes an answer too. */
  toToolAnswer(outcome: Outcome, era: Era): ToolAnswer;
  /** A whole message, byte for byte as the SDK would write it. */
  toolText(id: RequestId, era: Era, answer: ToolAnswer): string;
  /** The bare result of a plain method, or its error. */
  plainText(id: RequestId, era: Era, outcome: Outcome): string;
  resultText(id: RequestId, era: Era, json: string): string;
  /** For a result that a client of the 2026 era may cache. */
  cacheableText(id: RequestId, era: Era, json: string): string;
}

/** A string has one to three bytes per character; only a length in between needs counting. */
const exceeds = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);

const summaryOf = ({ card, text }: Extract<Outcome, { ok: true }>): string =>
  `${card.title}: ${Buffer.byteLength(text)} bytes of JSON, in structuredContent.`;

/** A fault of a family whose errors are one line (RULINGS R2). */
export const toPlainAnswer = ({ message, fix }: Fault): ToolAnswer => ({
  ok: false,
  text: `Error: ${message}`,
  fix: `Fix: ${fix}`,
});

/** The texts of an answer, in order. */
export const textsOf = (answer: ToolAnswer): readonly string[] =>
  answer.ok || answer.fix === undefined ? [answer.text] : [answer.text, answer.fix];

export const errorText = (id: RequestId | null, error: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error });

/** The members of a result after its content. */
function restOf(answer: ToolAnswer): string {
  if (!answer.ok) return ',"isError":true';
  return answer.structured === undefined ? '' : `,"structuredContent":${answer.structured.json}`;
}

const idText = (id: RequestId): string => (typeof id === 'number' ? `${id}` : JSON.stringify(id));

type AnswersDeps = Pick<McpDeps, 'ids' | 'log' | 'server' | 'answers'>;

export function createAnswers({ ids, log, server, answers: parts }: AnswersDeps): Answers {
  const identity = `"_meta":${JSON.stringify({ [metaKeys.serverInfo]: toIdentity(server) })}`;
  const stamp = `"resultType":"complete",${identity}`;
  const keptStamp = `"resultType":"complete","ttlMs":${mcpLimits.listTtlMs},"cacheScope":"private",${identity}`;
  const ends: Readonly<Record<Era, string>> = {
    legacy: '},"jsonrpc":"2.0","id":',
    modern: `,${stamp}},"jsonrpc":"2.0","id":`,
  };

  /** The id under which the log holds the same failure. */
  function traceIdOf(fault: Fault, tool: string | undefined): string {
    const reported = reportedIdOf(fault);
    if (reported !== undefined) return reported;
    const traceId = ids.short();
    log.info({ traceId, tool, code: fault.code }, 'call failed');
    return traceId;
  }

  function toFaultAnswer({ card, fault }: Extract<Outcome, { ok: false }>, era: Era): ToolAnswer {
    const form = card?.faultForm ?? 'plain';
    if (form === 'plain') return toPlainAnswer(fault);
    const traceId = form === 'traced' ? traceIdOf(fault, card?.name) : '';
    return { ok: false, text: JSON.stringify(toFaultObject(form, fault, era, traceId)) };
  }

  function withStamp(id: RequestId, era: Era, json: string, stamps: string): string {
    if (era === 'legacy') return `{"result":${json},"jsonrpc":"2.0","id":${idText(id)}}`;
    const members = json === '{}' ? '{' : `${json.slice(0, -1)},`;
    return `{"result":${members}${stamps}},"jsonrpc":"2.0","id":${idText(id)}}`;
  }

  const resultText: Answers['resultText'] = (id, era, json) => withStamp(id, era, json, stamp);

  return {
    toToolAnswer(outcome, era) {
      if (!outcome.ok) return toFaultAnswer(outcome, era);
      const { value, text: json } = outcome;
      if (parts === 'text') return { ok: true, text: json, structured: undefined };
      const isSummary = parts === 'structured' || exceeds(json, limits.textTwinBytes);
      return { ok: true, text: isSummary ? summaryOf(outcome) : json, structured: { value, json } };
    },

    toolText(id, era, answer) {
      const texts = textsOf(answer).map((text) => `{"type":"text","text":${JSON.stringify(text)}}`);
      const content = `{"result":{"content":[${texts.join()}]`;
      return `${content}${restOf(answer)}${ends[era]}${idText(id)}}`;
    },

    plainText(id, era, outcome) {
      if (!outcome.ok) return errorText(id, toRpcError(outcome.fault, era));
      const { value, text } = outcome;
      if (era === 'legacy' || !('_meta' in value || 'resultType' in value)) return resultText(id, era, text);
      const { _meta, resultType, ...rest } = value as Record<string, unknown>;
      return resultText(id, era, JSON.stringify(rest));
    },

    resultText,
    cacheableText: (id, era, json) => withStamp(id, era, json, keptStamp),
  };
}
