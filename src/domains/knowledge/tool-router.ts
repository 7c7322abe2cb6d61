import type { z } from 'zod';
import { Fault } from '#kernel/fault/fault.ts';
import { toParamErrors } from '#kernel/tool/issues.ts';

/** A tool that runs longer is stopped, unless the router was created with another limit. */
export const routerTimeoutMs = 30_000;

export interface ToolResult {
  /** The payload as JSON. */
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly tool: string };
}

export interface RoutedTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  execute(params: unknown, signal: AbortSignal): Promise<ToolResult>;
}

export class ToolRegistry {
  private readonly tools = new Map<string, RoutedTool>();

  register(tool: RoutedTool): this {
    if (this.tools.has(tool.name)) throw new Error(`a tool named ${tool.name} is already registered`);
    this.tools.set(tool.name, tool);
    return this;
  }

  get(name: string): RoutedTool | undefined {
    return this.tools.get(name);
  }
}

interface RouteError {
  readonly code: 'INVALID_PARAMS' | 'TIMEOUT' | 'INTERNAL_ERROR';
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export type ToolResponse =
  | { readonly success: true; readonly data: ToolResult }
  | { readonly success: false; readonly error: RouteError };

const failure = (code: RouteError['code'], message: string, details: RouteError['details'] = {}): ToolResponse => ({
  success: false,
  error: { code, message, details },
});

async function execute(tool: RoutedTool, params: unknown, signal: AbortSignal): Promise<ToolResponse> {
  try {
    return { success: true, data: await tool.execute(params, signal) };
  } catch (error) {
    if (!(error instanceof Fault)) return failure('INTERNAL_ERROR', (error as Error).message);
    const isParams = error.code === 'INVALID_PARAMS' || error.code === 'VALIDATION_ERROR';
    const details = { ...error.details, fault: error.code };
    return failure(isParams ? 'INVALID_PARAMS' : 'INTERNAL_ERROR', error.message, details);
  }
}

/** Finds the tool, checks its parameters and runs it within a time limit. Reports every failure and never throws. */
export class Router {
  private readonly registry: ToolRegistry;
  private readonly timeoutMs: number;

  constructor(registry: ToolRegistry, { timeoutMs = routerTimeoutMs }: { readonly timeoutMs?: number } = {}) {
    this.registry = registry;
    this.timeoutMs = timeoutMs;
  }

  async route({ toolName, params = {} }: { toolName: string; params?: unknown }): Promise<ToolResponse> {
    if (typeof toolName !== 'string' || toolName === '') return failure('INVALID_PARAMS', 'Missing tool name');
    const tool = this.registry.get(toolName);
    if (tool === undefined) return failure('INVALID_PARAMS', `Unknown tool: ${toolName}`, { toolName });
    const checked = tool.input.safeParse(params);
    if (checked.success) return this.run(tool, checked.data);
    const { errors } = toParamErrors(checked.error.issues, params);
    const [first] = errors;
    const where = first?.instancePath === '' ? '' : `${first?.instancePath} `;
    return failure('INVALID_PARAMS', `Invalid params: ${where}${first?.message}`, { errors });
  }

  private async run(tool: RoutedTool, params: unknown): Promise<ToolResponse> {
    const { timeoutMs } = this;
    const stop = new AbortController();
    const { promise: timeout, resolve } = Promise.withResolvers<ToolResponse>();
    const timer = setTimeout(() => {
      resolve(failure('TIMEOUT', `${tool.name} took longer than ${timeoutMs} ms and was stopped`, { timeoutMs }));
      stop.abort();
    }, timeoutMs);
    try {
      return await Promise.race([execute(tool, params, stop.signal), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}

type CallTool = (request: { readonly name: string; readonly arguments?: unknown }) => Promise<ToolResult>;

/** Calls tools by name. Throws an Error if the tool is unknown or fails. */
export function callToolHandler(over: Router | ToolRegistry): CallTool {
  const router = over instanceof Router ? over : new Router(over);
  return async ({ name, arguments: params }) => {
    const answer = await router.route({ toolName: name, params });
    if (!answer.success) throw new Error(answer.error.message, { cause: answer.error });
    return answer.data;
  };
}
