import { expect, test } from 'vitest';
import { parse } from './parsed.ts';
import { findStepViolations } from './steps.ts';
import { readProgram } from './tree.ts';

/** `kernel/storage` drives the steps; there `db` is also the name of the engine's own handle. */
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
])('a step that is dropped is found: %s', (line) => {
  expect(violationsOf(line)).toEqual(['src/domains/pads/pads.ts:2 drops a step: yield* it']);
});

test('a step that is yielded without its star is found', () => {
  expect(violationsOf('const row = yield db.get(q);')).toEqual([
    'src/domains/pads/pads.ts:2 yields a step without its star',
  ]);
});

test.for([
  'yield* db.run(q);',
  'const pad = yield* findPad(db, id);',
  'return yield* db.all(q);',
  'log.info(fields, "x");',
])('what is yielded is in order: %s', (line) => {
  expect(violationsOf(line)).toEqual([]);
});
