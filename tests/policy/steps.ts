import type { ESTree } from 'rolldown/utils';
import { isName, type Parsed, walk } from './parsed.ts';

/** What the handle of a transaction is called everywhere. */
const handle = 'db';
const isOfHandle = ({ callee, arguments: args }: ESTree.CallExpression): boolean =>
  (callee.type === 'MemberExpression' && isName(callee.object, handle)) || isName(args[0], handle);

/**
 * Calls that take the transaction's handle and whose answer is dropped. A step or a generator does nothing until it is
 * yielded with `yield*`, so such a line looks like a write and is none.
 */
export const findStepViolations = (files: readonly Parsed[]): readonly string[] =>
  files.flatMap((file) => {
    const found: string[] = [];
    for (const { node } of walk(file.program)) {
      if (
        node.type === 'ExpressionStatement' &&
        node.expression.type === 'CallExpression' &&
        isOfHandle(node.expression)
      ) {
        found.push(`${file.at(node)} drops a step: yield* it`);
      }
      if (
        node.type === 'YieldExpression' &&
        !node.delegate &&
        node.argument?.type === 'CallExpression' &&
        isOfHandle(node.argument)
      ) {
        found.push(`${file.at(node)} yields a step without its star`);
      }
    }
    return found;
  });
