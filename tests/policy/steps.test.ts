import type { ESTree } from 'rolldown/utils';
import { expect, test } from 'vitest';
import { isName, type Parsed, parse, walk } from './parsed.ts';
import { readProgram } from './tree.ts';

/** The name of every transaction handle. */
const handle = 'db';
const isOfHandle = ({ callee, arguments: args }: ESTree.CallExpression): boolean =>
  (callee.type === 'MemberExpression' && isName(callee.object, handle)) || isName(args[0], handle);

/**
 * Calls on a transaction handle whose result is dropped. A step does nothing until it is yielded with `yield*`, so such
 * a line looks like a write but has no effect.
 */
const findStepViolations = (files: readonly Parsed[]): readonly string[] =>
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

/** `kernel/storage` runs the steps; there `db` is also the handle of the engine. */
const yielding = () => readProgram().filter(({ path }) => !/^src\/kernel\/storage\/(?:sqlite|postgres)\//.test(path));

test('every step of a transaction is yielded', () => {
  expect(findStepViolations(yielding().map(parse))).toEqual([]);
});

const violationsOf = (line: string) =>
  findStepViolations([
    parse({ path: 'src/domains/pads/pads.ts', text: `storage.write(call, function* (db) {\n${line}\n});` }),
  ]);

test.for([
  'db.run(q);',
  'db.changed(t, id, "create", hash);',
  'putInTrash(db, t, id, text);',
  'if (a) insertPad(db, pad);',
])('finds a dropped step: %s', (line) => {
  expect(violationsOf(line)).toEqual(['src/domains/pads/pads.ts:2 drops a step: yield* it']);
});

test('finds a step that is yielded without a star', () => {
  expect(violationsOf('const row = yield db.get(q);')).toEqual([
    'src/domains/pads/pads.ts:2 yields a step without its star',
  ]);
});

test.for([
  'yield* db.run(q);',
  'const pad = yield* findPad(db, id);',
  'return yield* db.all(q);',
  'log.info(fields, "x");',
])('accepts a yielded step: %s', (line) => {
  expect(violationsOf(line)).toEqual([]);
});
