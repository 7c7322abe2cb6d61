import type { AnyTool, ToolCall } from '#kernel/tool/tool.ts';
import type { Knowledge } from '../knowledge.ts';
import { knowledgeToolset } from '../knowledge-toolset.ts';
import { ToolRegistry } from './tool-registry.ts';
import type { RoutedTool } from './tool-result.ts';

const toRouted = (tool: AnyTool<Knowledge>, knowledge: Knowledge, call: ToolCall): RoutedTool => ({
  name: tool.name,
  description: tool.summary,
  input: tool.input,
  async execute(params, signal) {
    const payload = await tool.run(knowledge, params as never, { ...call, signal });
    return { content: JSON.stringify(payload), metadata: { tool: tool.name, title: tool.title, effect: tool.effect } };
  },
});

/** The tools of this memory for direct calls, in the name of one caller. */
export function createKnowledgeTools(knowledge: Knowledge, call: ToolCall): ToolRegistry {
  const registry = new ToolRegistry();
  for (const tool of knowledgeToolset.tools) registry.register(toRouted(tool, knowledge, call));
  return registry;
}
