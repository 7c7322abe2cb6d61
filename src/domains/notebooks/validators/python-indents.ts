import type { Node, Tree } from 'web-tree-sitter';
import type { SyntaxFault } from './find-faults.ts';

const faultAt = ({ startPosition: { row, column }, startIndex, endIndex }: Node, message: string): SyntaxFault => ({
  entry: { message, code: 'INDENTATION', line: row + 1, column: column + 1 },
  start: startIndex,
  end: endIndex,
});

/** Statements of one block begin in one column. The grammar only counts in and out, and takes an empty block. */
export function findPythonFaults({ rootNode }: Tree): readonly SyntaxFault[] {
  const flaws: SyntaxFault[] = [];
  for (const block of [rootNode, ...rootNode.descendantsOfType('block')]) {
    const statements = block.namedChildren.filter((node) => node.type !== 'comment');
    const [first] = statements;
    if (first === undefined) {
      if (block !== rootNode)
        flaws.push(faultAt(block.parent ?? block, `expected an indented block in ${nameOf(block)}`));
      continue;
    }
    const column = block === rootNode ? 0 : first.startPosition.column;
    let row = -1;
    for (const node of statements) {
      const { row: startRow, column: startColumn } = node.startPosition;
      if (startRow !== row && startColumn !== column)
        flaws.push(faultAt(node, 'the indentation does not match that of the lines before'));
      row = node.endPosition.row;
    }
  }
  return flaws;
}

const nameOf = (block: Node): string => (block.parent?.type ?? 'block').replaceAll('_', ' ');
