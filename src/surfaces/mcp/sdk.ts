import type { Implementation, Server, ServerOptions } from '@modelcontextprotocol/server';
import { metaKeys } from './protocol.ts';

/**
 * The SDK's server, but its whole identity goes out with `initialize` and `server/discover` alone. The 2026 era wants a few
 * words of it in every answer, and icons would outweigh most answers.
 */
function toSlimServer(Base: typeof Server) {
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
      if (method !== 'server/discover') return super._wrapHandler(method, handler);
      return super._wrapHandler(method, async (request, ctx) => ({
        ...(await handler(request, ctx)),
        _meta: { [metaKeys.serverInfo]: this.#whole },
      }));
    }
  };
}

/**
 * The SDK as far as we use it. It costs some forty milliseconds to load, so it is imported when the first message comes
 * that the front cannot answer.
 */
export async function loadSdk() {
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  return {
    SlimServer: toSlimServer(sdk.Server),
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

/** Apart, because few clients ask for skills. */
export const loadSkillEntry = async () => (await import('@modelcontextprotocol/server/ext/skills')).skillEntry;
