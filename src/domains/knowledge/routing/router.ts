import { Fault } from '#kernel/fault/fault.ts';
import { toParamErrors } from '#kernel/tool/issues.ts';
import { routingLimits } from './routing-limits.ts';
import type { ToolRegistry } from './tool-registry.ts';
import type { RoutedTool, ToolResult } from './tool-result.ts';

export interface RouteRequest {
  readonly toolName: string;
  readonly params?: unknown;
}

export type RouteErrorCode = 'INVALID_PARAMS' | 'TIMEOUT' | 'INTERNAL_ERROR';

export interface RouteError {
  readonly code: RouteErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export type ToolResponse =
  | { readonly success: true; readonly data: ToolResult }
  | { readonly success: false; readonly error: RouteError };

export interface RouterOptions {
  readonly timeoutMs?: number;
}

const failure = (
  code: RouteErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ToolResponse => ({ success: false, error: { code, message, details } });

/** Finds the tool, checks what it is given, runs it within a time. Every failure is an answer: it never throws. */
export class Router {
  private readonly registry: ToolRegistry;
  private readonly timeoutMs: number;

  constructor(registry: ToolRegistry, { timeoutMs = routingLimits.timeoutMs }: RouterOptions = {}) {
    this.registry = registry;
    this.timeoutMs = timeoutMs;
  }

  async route({ toolName, params = {} }: RouteRequest): Promise<ToolResponse> {
    if (typeof toolName !== 'string' || toolName === '') return failure('INVALID_PARAMS', 'Missing tool name');
    const tool = this.registry.get(toolName);
    if (tool === undefined) return failure('INVALID_PARAMS', `Unknown tool: ${toolName}`, { toolName });
    const checked = tool.input.safeParse(params);
    if (checked.success) return this.run(tool, checked.data);
    const errors = toParamErrors(checked.error.issues, params);
    const [first] = errors;
    const where = first?.instancePath === '' ? '' : `${first?.instancePath} `;
    return failure('INVALID_PARAMS', `Invalid params: ${where}${first?.message}`, { errors });
  }

  private async run(tool: RoutedTool, params: unknown): Promise<ToolResponse> {
    const { timeoutMs } = this;
    const stop = new AbortController();
    const { promise: late, resolve } = Promise.withResolvers<ToolResponse>();
    const timer = setTimeout(() => {
      resolve(failure('TIMEOUT', `${tool.name} took longer than ${timeoutMs} ms and was stopped`, { timeoutMs }));
      stop.abort();
    }, timeoutMs);
    try {
      return await Promise.race([execute(tool, params, stop.signal), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

async function execute(tool: RoutedTool, params: unknown, signal: AbortSignal): Promise<ToolResponse> {
  try {
    return { success: true, data: await tool.execute(params, signal) };
  } catch (error) {
    if (!(error instanceof Fault)) return failure('INTERNAL_ERROR', (error as Error).message);
    const code =
      error.code === 'INVALID_PARAMS' || error.code === 'VALIDATION_ERROR' ? 'INVALID_PARAMS' : 'INTERNAL_ERROR';
    return failure(code, error.message, { ...error.details, fault: error.code });
  }
}
