import type { CallToolResult, Server, ServerContext } from '@modelcontextprotocol/server';
import type { Call } from '#kernel/call.ts';
import { yieldToEventLoop } from '#kernel/clock/yield-to-event-loop.ts';
import { cursorFix } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { unknownTool } from '#kernel/tool/argument-fix.ts';
import { type ToolAnswer, textsOf, toPlainAnswer } from './answers.ts';
import { anyParams, cursorOf, type HandlerContext, type Params, toProtocolError } from './handler-context.ts';
import { findExposed, keyOf, withoutMeta } from './recognise.ts';

const toResult = (answer: ToolAnswer): CallToolResult => {
  const content = textsOf(answer).map((text) => ({ type: 'text' as const, text }));
  if (!answer.ok) return { content, isError: true };
  return answer.structured === undefined ? { content } : { content, structuredContent: answer.structured.value };
};

interface Reporter {
  readonly progress: Call['progress'];
  /** Resolves when the reports have been sent: clients drop reports that arrive together with the answer. */
  flushed(): Promise<void>;
}

/** The protocol requires each report to be higher than the previous one. */
function toReporter(ctx: ServerContext): Reporter | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = Number.NEGATIVE_INFINITY;
  const progress: Call['progress'] = (done, total, message) => {
    if (done <= last) return;
    last = done;
    const params = {
      progressToken,
      progress: done,
      ...(total === undefined ? undefined : { total }),
      ...(message === undefined ? undefined : { message }),
    };
    // A disconnected client misses the report; the call learns of it by its signal.
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  const ahead = async () => {
    if (last !== Number.NEGATIVE_INFINITY) await yieldToEventLoop();
  };
  return { progress, flushed: ahead };
}

async function call(context: HandlerContext, params: Params, ctx: ServerContext): Promise<CallToolResult> {
  const { deps, responder, client } = context;
  const name = typeof params['name'] === 'string' ? params['name'] : '';
  const card = findExposed(deps.registry, name);
  if (card === undefined) {
    const fault = name === '' ? faults.MISSING_TOOL_NAME() : unknownTool(name, deps.registry.cards);
    if (client.era === 'modern') throw toProtocolError(context, fault);
    return toResult(toPlainAnswer(fault));
  }
  const startedAt = performance.now();
  const reporter = toReporter(ctx);
  const answer = await responder.call({
    name,
    card,
    args: withoutMeta(params['arguments']),
    key: keyOf(params['_meta']),
    era: client.era,
    caller: client.caller,
    signal: ctx.mcpReq.signal,
    ...(reporter === undefined ? undefined : { progress: reporter.progress }),
  });
  await reporter?.flushed();
  if (client.era === 'modern' || client.wantsLogs()) {
    const facts = { tool: card.name, ok: answer.ok, ms: Math.round(performance.now() - startedAt) };
    await ctx.mcpReq.log(answer.ok ? 'info' : 'warning', facts, 'tools');
  }
  return toResult(answer);
}

export function handleTools(server: Server, context: HandlerContext): void {
  const { responder, client } = context;
  server.setRequestHandler('tools/call', { params: anyParams }, (params, ctx) => call(context, params, ctx));
  server.setRequestHandler('tools/list', { params: anyParams }, (params) => {
    try {
      const page = responder.listing.page(client.caller, cursorOf(params));
      if (page === undefined)
        throw faults.INVALID_PARAMS({ why: 'the cursor is not from this list' }, { fix: cursorFix });
      return { ...page };
    } catch (error) {
      throw toProtocolError(context, error);
    }
  });
}
