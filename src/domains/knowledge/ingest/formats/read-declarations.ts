import { knowledgeLimits } from '../../knowledge-limits.ts';
import type { Block, Outline } from '../sections/block.ts';
import { readStatements, type Statement } from './statements.ts';

/** `export declare abstract class Name<T>`: what it is, and its name. */
const declared =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:(async\s+function|function|class|interface|type|enum|const\s+enum|const|let|var|namespace|module)\s+)(["'][^"'\n]*["']|[\w$.]+)/;
const globals = /^declare\s+global\s*\{/;
const spaces: ReadonlySet<string> = new Set(['namespace', 'module']);

/** Where the name of a declaration stands, if it has one. */
const headChars = 300;

/** A doc comment as its reader sees it. */
const toProse = (comment: string): string =>
  comment
    .slice('/**'.length, comment.endsWith('*/') ? -'*/'.length : undefined)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();

/** Room for a fence around the code. */
const fenceChars = 16;

/** Code in fences, cut between lines where it is too long for one section. */
function toFences(code: string): readonly string[] {
  const room = knowledgeLimits.sectionChars - fenceChars;
  const fences: string[] = [];
  let open: string[] = [];
  let chars = 0;
  function close(): void {
    if (open.length > 0) fences.push(`\`\`\`ts\n${open.join('\n')}\n\`\`\``);
    open = [];
    chars = 0;
  }
  for (const line of code.split('\n')) {
    if (chars + line.length + 1 > room) close();
    open.push(line.slice(0, room));
    chars += line.length + 1;
  }
  close();
  return fences;
}

interface Declared {
  readonly title: string;
  readonly statements: Statement[];
}

/** Overloads, and an interface beside a constant of its name, are one. */
function collect(statements: readonly Statement[], prefix: string, depth: number, into: Map<string, Declared>): void {
  for (const statement of statements) {
    const match = declared.exec(statement.code.slice(0, headChars));
    const isGlobal = globals.test(statement.code);
    if (match === null && !isGlobal) continue;
    const name = isGlobal ? '' : match![2]!.replaceAll(/["']/g, '');
    const title = [prefix, name].filter((part) => part !== '').join('.');
    const brace = statement.code.indexOf('{');
    const isSpace = isGlobal || spaces.has(match![1]!);
    if (isSpace && brace !== -1 && depth < knowledgeLimits.declarationDepth) {
      // What a module of another package is given is known by its own name.
      const inner = isGlobal || /^["']/.test(match![2]!) ? prefix : title;
      collect(readStatements(statement.code.slice(brace + 1, statement.code.lastIndexOf('}'))), inner, depth + 1, into);
    } else if (into.has(title)) into.get(title)!.statements.push(statement);
    else into.set(title, { title, statements: [statement] });
  }
}

/** Type declarations: one section a name, with its doc comment and its code. */
export function readDeclarations(text: string): Outline {
  const found = new Map<string, Declared>();
  collect(readStatements(text), '', 0, found);
  const blocks: Block[] = [];
  for (const { title, statements } of found.values()) {
    blocks.push({ kind: 'heading', level: 2, title });
    for (const { comment, code } of statements) {
      const prose = comment === undefined ? '' : toProse(comment);
      if (prose !== '') blocks.push({ kind: 'text', text: prose });
      for (const fence of toFences(code)) blocks.push({ kind: 'code', text: fence });
    }
  }
  return { title: undefined, blocks };
}
