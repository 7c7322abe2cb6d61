import type { Tools } from './tools.ts';

export type ToolName = keyof Tools;
export type Input<N extends ToolName> = Tools[N]['input'];
export type Output<N extends ToolName> = Tools[N]['output'];

/** A refused or failed call, with what the person can do about it. */
export class ToolError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fix: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, details: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = 'ToolError';
    this.status = status;
    const code = details['code'] ?? details['name'];
    this.code = typeof code === 'string' ? code : String(status);
    const fix = details['fix'] ?? details['suggestion'];
    this.fix = typeof fix === 'string' ? fix : undefined;
    this.details = details;
  }
}

type Json = Readonly<Record<string, unknown>>;
const asObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/** The families of tools answer errors in different forms; each has a message, and details or data. */
function toError(status: number, body: unknown): ToolError {
  const error = asObject(asObject(body)['error']);
  const code = typeof error['code'] === 'string' ? { code: error['code'] } : {};
  const details = { ...asObject(error['data']), ...asObject(error['details']), ...code };
  const message = typeof error['message'] === 'string' ? error['message'] : `The server answered ${status}.`;
  return new ToolError(status, message, details);
}

export async function request(path: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, credentials: 'same-origin' });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ToolError(0, 'The server does not answer.', {
      code: 'OFFLINE',
      fix: 'Check that it is running. This page tries again by itself.',
    });
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw toError(response.status, body);
  return body;
}

/** Calls a tool of the program as the signed-in person. */
export async function callTool<N extends ToolName>(name: N, input: Input<N>, signal?: AbortSignal): Promise<Output<N>> {
  const answer = await request(`/api/tools/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
    ...(signal && { signal }),
  });
  return answer as Output<N>;
}

export const isSignedOut = (error: unknown): boolean => error instanceof ToolError && error.status === 401;
