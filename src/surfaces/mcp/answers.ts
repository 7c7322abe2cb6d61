import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { limits } from '#kernel/limits.ts';
import { type Era, type RpcError, reportedIdOf, toFaultText, toRpcError } from '#kernel/tool/fault-forms.ts';
import type { Outcome } from '#kernel/tool/invoke.ts';
import { toIdentity } from './introduction.ts';
import { type McpDeps, mcpLimits } from './mcp-deps.ts';
import { metaKeys, type RequestId } from './protocol.ts';

/** The result of a tool call, before it is serialised for an era and a transport. */
export type ToolAnswer =
  | {
      readonly ok: true;
      readonly text: string;
      readonly value: object;
      readonly json: string;
    }
  | { readonly ok: false; readonly text: string };

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

export const unknownTool = (name: string): Fault => faults.UNKNOWN_TOOL({ name: name.slice(0, 200) });

export const errorText = (id: RequestId | null, error: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error });

const idText = (id: RequestId): string => (typeof id === 'number' ? `${id}` : JSON.stringify(id));

export function createAnswers({ ids, log, server }: Pick<McpDeps, 'ids' | 'log' | 'server'>): Answers {
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
    log.info({ traceId, tool, code: fault.code }, 'a call was refused');
    return traceId;
  }

  function faultText(outcome: Extract<Outcome, { ok: false }>, era: Era): string {
    const form = outcome.card?.faultForm ?? 'plain';
    const traceId = form === 'traced' ? traceIdOf(outcome.fault, outcome.card?.name) : '';
    return toFaultText(form, outcome.fault, era, traceId);
  }

  function withStamp(id: RequestId, era: Era, json: string, stamps: string): string {
    if (era === 'legacy') return `{"result":${json},"jsonrpc":"2.0","id":${idText(id)}}`;
    const members = json === '{}' ? '{' : `${json.slice(0, -1)},`;
    return `{"result":${members}${stamps}},"jsonrpc":"2.0","id":${idText(id)}}`;
  }

  const resultText: Answers['resultText'] = (id, era, json) => withStamp(id, era, json, stamp);

  return {
    toToolAnswer(outcome, era) {
      if (!outcome.ok) return { ok: false, text: faultText(outcome, era) };
      const { value, text: json } = outcome;
      const text = exceeds(json, limits.textTwinBytes) ? summaryOf(outcome) : json;
      return { ok: true, text, value, json };
    },

    toolText(id, era, answer) {
      const content = `{"result":{"content":[{"type":"text","text":${JSON.stringify(answer.text)}}],`;
      const rest = answer.ok ? `"structuredContent":${answer.json}` : '"isError":true';
      return `${content}${rest}${ends[era]}${idText(id)}}`;
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
