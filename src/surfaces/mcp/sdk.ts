import type { Implementation, Server, ServerOptions } from '@modelcontextprotocol/server';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { toRpcError } from '#kernel/tool/fault-forms.ts';
import { logLevels, metaKeys, setsLogLevel } from './protocol.ts';

type ProtocolErrorClass = new (code: number, message: string, data?: unknown) => Error;

function toLevelError(ProtocolError: ProtocolErrorClass): Error {
  const fix = `Use one of: ${[...logLevels].join(', ')}.`;
  const { code, message, data } = toRpcError(faults.INVALID_PARAMS({ why: 'unknown log level' }, { fix }), 'legacy');
  return new ProtocolError(code, message, data);
}

/**
 * The SDK's server, which sends its full identity only with `initialize` and `server/discover`. The 2026 era requires
 * an identity in every answer, and icons would outweigh most answers.
 */
function toSlimServer(Base: typeof Server, ProtocolError: ProtocolErrorClass) {
  return class SlimServer extends Base {
    readonly #identity: Implementation;
    readonly #whole: Implementation;

    constructor(whole: Implementation, identity: Implementation, options: ServerOptions) {
      super(whole, options);
      this.#identity = identity;
      this.#whole = whole;
    }

    protected override _outboundServerInfo(): Implementation {
      return this.#identity;
    }

    protected override _wrapHandler(...[method, handler]: Parameters<Server['_wrapHandler']>) {
      if (method === 'logging/setLevel') {
        // The SDK would answer with the issues of its schema, as an internal error.
        return super._wrapHandler(method, (request, ctx) => {
          if (!setsLogLevel(request)) throw toLevelError(ProtocolError);
          return handler(request, ctx);
        });
      }
      if (method !== 'server/discover') return super._wrapHandler(method, handler);
      return super._wrapHandler(method, async (request, ctx) => ({
        ...(await handler(request, ctx)),
        _meta: { [metaKeys.serverInfo]: this.#whole },
      }));
    }
  };
}

/**
 * The parts of the SDK that we use. Loading takes about forty milliseconds, so it waits for the first message that the
 * fast path cannot answer.
 */
export async function loadSdk() {
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  return {
    SlimServer: toSlimServer(sdk.Server, sdk.ProtocolError),
    ProtocolError: sdk.ProtocolError,
    ResourceNotFoundError: sdk.ResourceNotFoundError,
    SessionTransport: sdk.WebStandardStreamableHTTPServerTransport,
    createMcpHandler: sdk.createMcpHandler,
    isLegacyRequest: sdk.isLegacyRequest,
    isMessage: (value: unknown): boolean =>
      sdk.isJSONRPCRequest(value) || sdk.isJSONRPCNotification(value) || sdk.isJSONRPCResponse(value),
    serveStdio: stdio.serveStdio,
  };
}

export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** Separate, because few clients ask for skills. */
export const loadSkillEntry = async () => (await import('@modelcontextprotocol/server/ext/skills')).skillEntry;
