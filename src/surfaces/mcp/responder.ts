import type { Call, Caller } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { toFault } from '#kernel/fault/to-fault.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { unknownNameFix } from '#kernel/tool/argument-fix.ts';
import type { Card } from '#kernel/tool/card.ts';
import { type Era, toRpcError } from '#kernel/tool/fault-forms.ts';
import type { Outcome } from '#kernel/tool/invoke.ts';
import { createAnswers, errorText, type ToolAnswer, toPlainAnswer } from './answers.ts';
import { discoverText } from './introduction.ts';
import { createListing } from './listing.ts';
import type { McpDeps } from './mcp-deps.ts';
import { type FastPathCall, type FastPathRequest, keyOf, type PlainRequest, withoutMeta } from './recognise.ts';

export interface ToolRequest {
  /** As the client spelled it: an alias may carry more information than the tool's name. */
  readonly name: string;
  readonly card: Card;
  readonly args: unknown;
  readonly key: string | undefined;
  readonly era: Era;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly progress?: Call['progress'];
}

export type Responder = ReturnType<typeof createResponder>;

const nameless = toPlainAnswer(faults.MISSING_TOOL_NAME());

/** Answers requests for both transports, on the fast path and in the SDK's handlers. */
export function createResponder(deps: McpDeps) {
  const { invoke, ids, log } = deps;
  const answers = createAnswers(deps);
  const listing = createListing(deps);

  function run({ name, args, key, caller, signal, progress }: ToolRequest): Promise<Outcome> {
    const invocation = {
      name,
      args,
      caller,
      signal,
      ...(key === undefined ? undefined : { idempotencyKey: key }),
      ...(progress === undefined ? undefined : { progress }),
    };
    return invoke(invocation);
  }

  /** `invoke` reports its own bugs; this covers a bug before or after it. */
  function reportBug(error: unknown, card: Card | undefined): Outcome {
    const report = (id: string) => log.error({ id, tool: card?.name, err: error }, 'answering a message failed');
    return { ok: false, card, fault: toFault(error, ids, report) };
  }

  const call = (request: ToolRequest): Promise<ToolAnswer> =>
    run(request).then(
      (outcome) => answers.toToolAnswer(outcome, request.era),
      (error: unknown) => answers.toToolAnswer(reportBug(error, request.card), request.era),
    );

  return {
    answers,
    listing,
    run,
    call,

    answerCall: (request: FastPathCall, caller: Caller, signal: AbortSignal): Promise<string> =>
      call({ ...request, caller, signal }).then((answer) => answers.toolText(request.id, request.era, answer)),

    answerNow(request: Exclude<FastPathRequest, FastPathCall>, caller: Caller): string {
      const { id, era } = request;
      switch (request.kind) {
        case 'nameless':
          return answers.toolText(id, era, nameless);
        case 'list':
          return answers.cacheableText(id, era, listing.firstPage(caller));
        case 'discover':
          return discoverText(deps, id);
      }
    },

    /** Undefined for a notification, which has no answer. */
    async answerPlain(
      { id, era, method, card, params }: PlainRequest,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<string | undefined> {
      if (card === undefined) {
        const fix = unknownNameFix(method, deps.registry.cards);
        const error = toRpcError(faults.METHOD_NOT_FOUND({ method: method.slice(0, 200) }, { fix }), era);
        return id === undefined ? undefined : errorText(id, error);
      }
      const key = keyOf(isObject(params) ? params['_meta'] : undefined);
      const args = params === undefined ? {} : withoutMeta(params);
      const outcome = await run({ name: method, card, args, key, era, caller, signal }).catch((error: unknown) =>
        reportBug(error, card),
      );
      return id === undefined ? undefined : answers.plainText(id, era, outcome);
    },
  };
}
