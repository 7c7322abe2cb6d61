import type { Implementation, Server, ServerOptions } from '@modelcontextprotocol/server';
import { metaKeys } from './protocol.ts';

/**
 * The SDK's server, but its whole identity goes out with `initialize` and `server/discover` alone. The 2026 era wants a few
 * words of it in every answer, and icons would outweigh most answers.
 */
export function toSlimServer(Base: typeof Server) {
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
