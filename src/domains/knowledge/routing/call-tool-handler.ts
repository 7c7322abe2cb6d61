import { Router } from './router.ts';
import type { ToolRegistry } from './tool-registry.ts';
import type { ToolResult } from './tool-result.ts';

export interface CallToolRequest {
  readonly name: string;
  readonly arguments?: unknown;
}

export type CallTool = (request: CallToolRequest) => Promise<ToolResult>;

/** Calls tools by name, over either module. Throws an Error where the tool, or finding it, fails. */
export function callToolHandler(over: Router | ToolRegistry): CallTool {
  const router = over instanceof Router ? over : new Router(over);
  return async ({ name, arguments: params }) => {
    const answer = await router.route({ toolName: name, params });
    if (!answer.success) throw new Error(answer.error.message, { cause: answer.error });
    return answer.data;
  };
}
