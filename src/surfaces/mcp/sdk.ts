import { toSlimServer } from './slim-server.ts';

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
