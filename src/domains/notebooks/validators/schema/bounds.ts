import { notebookLimits } from '../../notebook-limits.ts';

/** Why a schema is not even tried; undefined when it may be. Walks without recursion: it is here to stop depth. */
export function findExcess(schema: unknown): string | undefined {
  const stack: { readonly value: unknown; readonly depth: number }[] = [{ value: schema, depth: 0 }];
  let bytes = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, depth } = next;
    if (depth > notebookLimits.schemaDepth) return `it nests deeper than ${notebookLimits.schemaDepth} levels`;
    bytes += 2;
    if (typeof value === 'string') bytes += value.length;
    if (bytes > notebookLimits.appliedSchemaBytes)
      return `it is larger than ${notebookLimits.appliedSchemaBytes} bytes`;
    if (Array.isArray(value)) for (const item of value) stack.push({ value: item, depth: depth + 1 });
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        bytes += name.length + 3;
        stack.push({ value: member, depth: depth + 1 });
      }
  }
  return undefined;
}
