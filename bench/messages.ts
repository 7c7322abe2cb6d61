export const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});

export const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const listTools = (id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });

export const callTool =
  (name: string, args: object, era: 'legacy' | 'modern') =>
  (id: number): string =>
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: era === 'legacy' ? { name, arguments: args } : { name, arguments: args, _meta: modernMeta },
    });

export const modernHeaders = (name: string): Readonly<Record<string, string>> => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
});
