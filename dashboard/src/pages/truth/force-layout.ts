export interface LayoutNode {
  readonly id: string;
  x: number;
  y: number;
}

export interface LayoutEdge {
  readonly source: number;
  readonly target: number;
}

/** A spiral: every node has a place of its own, the same one each time. */
export const startPlaces = (ids: readonly string[]): LayoutNode[] =>
  ids.map((id, i) => {
    const angle = i * 2.399963;
    const radius = Math.sqrt(i);
    return { id, x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });

/**
 * One step of a force layout: all nodes push each other away, linked ones pull. `heat` limits how far a node moves.
 * Returns the longest move. Comparing every pair is fast enough for the few hundred nodes of a graph.
 */
export function stepLayout(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[], heat: number): number {
  const dx = new Float64Array(nodes.length);
  const dy = new Float64Array(nodes.length);
  for (let i = 0; i < nodes.length; i += 1) {
    for (let j = i + 1; j < nodes.length; j += 1) {
      const x = nodes[i]!.x - nodes[j]!.x;
      const y = nodes[i]!.y - nodes[j]!.y;
      const push = 1 / Math.max(0.01, x * x + y * y);
      dx[i]! += x * push;
      dy[i]! += y * push;
      dx[j]! -= x * push;
      dy[j]! -= y * push;
    }
  }
  for (const { source, target } of edges) {
    const x = nodes[target]!.x - nodes[source]!.x;
    const y = nodes[target]!.y - nodes[source]!.y;
    const pull = Math.hypot(x, y) * 0.5;
    dx[source]! += x * pull;
    dy[source]! += y * pull;
    dx[target]! -= x * pull;
    dy[target]! -= y * pull;
  }
  let longest = 0;
  for (const [i, node] of nodes.entries()) {
    // Keeps parts without a link in view.
    const x = dx[i]! - node.x * 0.05;
    const y = dy[i]! - node.y * 0.05;
    const length = Math.hypot(x, y);
    const move = Math.min(length, heat);
    if (length > 0) {
      node.x += (x / length) * move;
      node.y += (y / length) * move;
    }
    longest = Math.max(longest, move);
  }
  return longest;
}
