import { expect, test } from 'vitest';
import { findGlobalViolations, findGuardViolations, stdoutGuard } from './globals.ts';
import { parse } from './parsed.ts';
import { readProgram, readSource } from './tree.ts';

const violationsOf = (path: string, text: string) => findGlobalViolations([parse({ path, text })]);

test('environment, stdout, clock, requests and SQL are used only in their places', () => {
  expect(findGlobalViolations(readProgram().map(parse))).toEqual([]);
});

test('main guards stdout before it loads anything else', () => {
  expect(findGuardViolations(parse(readSource('src/main.ts')), parse(readSource(stdoutGuard)))).toEqual([]);
});

test.for([
  ['reads process.env', `const home = process.env.HOME;`],
  ['reads process.env', `const home = process['env'].HOME;`],
  ['reads process.env', `const home = globalThis.process.env.HOME;`],
  ['hands process on', `const { env } = process;`],
  ['hands process on', `const p = process;`],
  ['hands process on', `start({ process });`],
  ['writes to stdout', `process.stdout.write('hello');`],
  ['writes to stdout', `import { writeSync } from 'node:fs'; writeSync(1, 'hello');`],
  ['writes to stdout', `import * as fs from 'node:fs'; fs.writeSync(1, 'hello');`],
  ['uses console', `console.log('hello');`],
  ['uses console', `const { log } = console;`],
  ['uses console', `list.forEach(console.info);`],
  ['ends the process', `process.exit(1);`],
  ['sends a request that is not checked', `await fetch(url);`],
  ['sends a request that is not checked', `const load = globalThis.fetch;`],
  ['builds code from text', `eval('1');`],
  ['builds code from text', `new Function('return 1');`],
  ['reads the clock past kernel/clock', `const at = Date.now();`],
  ['reads the clock past kernel/clock', `const at = new Date();`],
  ['holds SQL', 'const q = sql`select 1`;'],
  ['holds SQL', 'const q = sql<Row>`select 1`;'],
])('rejects a domain that %s: %s', ([what, text]) => {
  expect(violationsOf('src/domains/truth/truth.ts', text!)).toEqual([`src/domains/truth/truth.ts:1 ${what}`]);
});

test.for([
  ['src/entry/run-main.ts', `run(process.argv, process.env); process.exit(1);`],
  ['src/entry/stdout-guard.ts', `const { stdout } = process; process.stdout.write = write;`],
  ['src/config/a.ts', `const home = process.env.HOME;`],
  ['src/kernel/keys/a.ts', `const id = process.pid; const on = process.platform === 'win32';`],
  ['src/kernel/clock/clock.ts', `const at = Date.now();`],
  ['src/app/a.ts', `writeSync(2, 'line'); const at = new Date(0); const o = { process: 1, console: 2, fetch: 3 };`],
  ['src/app/a.ts', `o.console.x = o.fetch; interface A { fetch: string; process(): void } // console.log(process.env)`],
  ['src/domains/truth/truth-store.ts', 'const q = sql`select 1`;'],
  ['src/migrations/0009-a.ts', 'const q = sql`select 1`;'],
])('in %s, accepts %s', ([path, text]) => {
  expect(violationsOf(path!, text!)).toEqual([]);
});

test('finds a guard that is loaded late or loads other modules', () => {
  const main = (text: string) => parse({ path: 'src/main.ts', text });
  const guard = (text: string) => parse({ path: stdoutGuard, text });
  const early = main(`import type { A } from '#app/a.ts'; import './entry/stdout-guard.ts'; import 'zod';`);
  const late = main(`import 'zod'; import './entry/stdout-guard.ts';`);
  expect(findGuardViolations(early, guard(`import type { Writable } from 'node:stream';`))).toEqual([]);
  expect(findGuardViolations(late, guard(''))).toEqual(['src/main.ts does not load the guard of stdout first']);
  expect(findGuardViolations(main(''), guard(''))).toHaveLength(1);
  expect(findGuardViolations(early, guard(`import 'zod';`))).toEqual([
    'src/entry/stdout-guard.ts loads zod before it guards',
  ]);
});
