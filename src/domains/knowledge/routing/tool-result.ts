import type { z } from 'zod';

/** What a tool of the document answers when it is called directly. */
export interface ToolResult {
  /** The payload as JSON. */
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly tool: string };
}

/** A tool as the document's modules know it. */
export interface RoutedTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  execute(params: unknown, signal: AbortSignal): Promise<ToolResult>;
}
