import type { RoutedTool } from './tool-result.ts';

/** Tools by name. */
export class ToolRegistry {
  private readonly tools = new Map<string, RoutedTool>();

  register(tool: RoutedTool): this {
    if (this.tools.has(tool.name)) throw new Error(`two tools are called ${tool.name}`);
    this.tools.set(tool.name, tool);
    return this;
  }

  get(name: string): RoutedTool | undefined {
    return this.tools.get(name);
  }

  names(): readonly string[] {
    return [...this.tools.keys()];
  }
}
