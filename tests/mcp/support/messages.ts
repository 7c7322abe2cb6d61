/** Messages as a client of each era writes them. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const initialize = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tester', version: '1' } },
};

export const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

export const request = (id: unknown, method: string, params?: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

export const call = (id: unknown, name: string, args: object = {}, meta?: object) =>
  request(id, 'tools/call', { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) });

export const modernCall = (id: unknown, name: string, args: object = {}, meta: object = {}) =>
  call(id, name, args, { ...envelope, ...meta });
