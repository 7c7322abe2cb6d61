import { envelope } from './messages.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The message in the body: bare, or the data of the last event of a stream. */
  readonly text: string;
}

const both = 'application/json, text/event-stream';

async function toAnswer(response: Response): Promise<HttpAnswer> {
  const body = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const text = isStream ? ((body.match(/^data: (.*)$/gm) ?? []).at(-1)?.slice(6) ?? '') : body;
  return { status: response.status, headers: response.headers, text };
}

export const post = async (
  url: string,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> =>
  toAnswer(
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: both, ...headers },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    }),
  );

interface Request {
  readonly method: string;
  readonly params?: { readonly name?: unknown; readonly uri?: unknown };
}

/** The headers that the 2026 era requires in addition to the body. */
export function modernHeaders({ method, params }: Request): Record<string, string> {
  const name = params?.name ?? params?.uri;
  return {
    'mcp-protocol-version': envelope['io.modelcontextprotocol/protocolVersion'],
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  };
}

/** Opens a 2025-era session; returns the headers of its requests. */
export async function openSession(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const clientInfo = { name: 'tester', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { headers: answered } = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
  const session = {
    ...headers,
    'mcp-session-id': answered.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return session;
}
