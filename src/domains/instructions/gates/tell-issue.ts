import type { z } from 'zod';
import { toPointer } from '#kernel/json/is-object.ts';

type Issue = z.core.$ZodIssue;

const firstOf = (issues: readonly Issue[]): Issue | undefined => issues[0];

/** Of a union, the member that was meant: the one with which most was right, told by how deep its first mistake is. */
function innermost(issue: Issue, path: readonly PropertyKey[]): { issue: Issue; path: readonly PropertyKey[] } {
  const here = [...path, ...issue.path];
  if (issue.code !== 'invalid_union') return { issue, path: here };
  let best: { issue: Issue; path: readonly PropertyKey[] } = { issue, path: here };
  for (const member of issue.errors) {
    const first = firstOf(member);
    if (first === undefined) continue;
    const found = innermost(first, here);
    if (found.path.length > best.path.length) best = found;
  }
  return best;
}

/** `/where/status Invalid option: …`: the place and the first mistake there. */
export function tellIssue(error: z.ZodError): string {
  const first = firstOf(error.issues);
  if (first === undefined) return 'is not valid';
  const { issue, path } = innermost(first, []);
  return path.length === 0 ? issue.message : `${toPointer(path)} ${issue.message}`;
}
