import { knowledgeLimits } from '../../knowledge-limits.ts';
import type { Block, PageOutline } from '../page-sections.ts';
import { type Member, readBody } from './declared-members.ts';
import { beforeBlanks, behindBlanks, commentEnd, commentOrStringEnd } from './scan-code.ts';

interface Statement {
  readonly comment: string | undefined;
  readonly code: string;
}

/** These words begin a statement even without a semicolon before them. */
const beginning =
  /(?:export|declare|import|interface|type|class|abstract|enum|namespace|module|function|const|let|var)\b|\/\*\*/y;
/** Statements that end with their closing brace. */
const braced =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:class|interface|enum|const\s+enum|namespace|module|global)\b/;

/** Nothing ends behind these: `interface Name<`, `type A =`. */
const isOpen = (text: string, at: number): boolean => '<,|&=(:?'.includes(text[beforeBlanks(text, at)] ?? ' ');

/** The brace belonged to a type in the head: `extends Base<{ a: 1 }> {`. */
const goesOn = (text: string, at: number): boolean => '>,&|[.)='.includes(text[behindBlanks(text, at)] ?? ' ');

/** The position after the statement that begins at `from`. */
function statementEnd(text: string, from: number): number {
  const endsWithBrace = braced.test(text.slice(from, from + 200));
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const behind = commentOrStringEnd(text, at);
    if (behind > at) {
      at = behind;
      continue;
    }
    const char = text[at]!;
    if (char === '{' || char === '(' || char === '[') depth += 1;
    else if (char === '}' || char === ')' || char === ']') {
      depth = Math.max(0, depth - 1);
      if (depth === 0 && char === '}' && endsWithBrace && !goesOn(text, at + 1)) return at + 1;
    } else if (depth === 0 && char === ';') return at + 1;
    else if (depth === 0 && char === '\n') {
      const next = behindBlanks(text, at);
      beginning.lastIndex = next;
      if (beginning.test(text) && !isOpen(text, at)) return at;
      at = next - 1;
    }
    at += 1;
  }
  return text.length;
}

/** Runs in linear time on any input. */
export function readStatements(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let comment: string | undefined;
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    if (char === ';' || char.trim() === '') {
      at += 1;
      continue;
    }
    const behind = commentEnd(text, at);
    if (behind > at) {
      comment = text.startsWith('/**', at) ? text.slice(at, behind) : comment;
      at = behind;
      continue;
    }
    const end = statementEnd(text, at);
    statements.push({ comment, code: text.slice(at, end).trimEnd() });
    comment = undefined;
    at = Math.max(end, at + 1);
  }
  return statements;
}

/** Matches the kind and the name: `export declare abstract class Name<T>`. */
const declarationPattern =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:(async\s+function|function|class|interface|type|enum|const\s+enum|const|let|var|namespace|module)\s+)(["'][^"'\n]*["']|[\w$.]+)/;
const globalPattern = /^declare\s+global\s*\{/;
const namespaceKeywords: ReadonlySet<string> = new Set(['namespace', 'module']);

/** The name of a declaration is within its first characters. */
const headChars = 300;

const toProse = (comment: string): string =>
  comment
    .slice('/**'.length, comment.endsWith('*/') ? -'*/'.length : undefined)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();

/** The characters that the fence adds. */
const fenceChars = 16;

/** Splits code that is too long for one section between lines. */
function toFences(code: string): readonly string[] {
  const charsMax = knowledgeLimits.sectionChars - fenceChars;
  const fences: string[] = [];
  let open: string[] = [];
  let chars = 0;
  function close(): void {
    if (open.length > 0) fences.push(`\`\`\`ts\n${open.join('\n')}\n\`\`\``);
    open = [];
    chars = 0;
  }
  for (const line of code.split('\n')) {
    if (chars + line.length + 1 > charsMax) close();
    open.push(line.slice(0, charsMax));
    chars += line.length + 1;
  }
  close();
  return fences;
}

interface Declaration {
  readonly title: string;
  readonly statements: Statement[];
}

/** Overloads, and an interface and a constant of the same name, share one section. */
function collectDeclarations(
  statements: readonly Statement[],
  prefix: string,
  depth: number,
  into: Map<string, Declaration>,
): void {
  for (const statement of statements) {
    const match = declarationPattern.exec(statement.code.slice(0, headChars));
    const isGlobal = globalPattern.test(statement.code);
    if (match === null && !isGlobal) continue;
    const name = isGlobal ? '' : match![2]!.replaceAll(/["']/g, '');
    const title = [prefix, name].filter((part) => part !== '').join('.');
    const brace = statement.code.indexOf('{');
    const isSpace = isGlobal || namespaceKeywords.has(match![1]!);
    if (isSpace && brace !== -1 && depth < knowledgeLimits.declarationDepth) {
      // Additions to another package's module keep their own name.
      const inner = isGlobal || /^["']/.test(match![2]!) ? prefix : title;
      collectDeclarations(
        readStatements(statement.code.slice(brace + 1, statement.code.lastIndexOf('}'))),
        inner,
        depth + 1,
        into,
      );
    } else if (into.has(title)) into.get(title)!.statements.push(statement);
    else into.set(title, { title, statements: [statement] });
  }
}

/** Longer declarations are hard to read whole, and their members hard to find. */
const isSplit = (statements: readonly Statement[]): boolean =>
  statements.reduce((sum, { code }) => sum + code.length, 0) > knowledgeLimits.declarationChars;

/** The head of a declaration, with the members that have no section of their own, and the names of those that do. */
function toOutline(head: string, members: readonly Member[]): string {
  const named = new Set(members.flatMap(({ name }) => name ?? []));
  const others = members.flatMap(({ name, comment, code }) =>
    name === undefined ? [comment, code].filter((part) => part !== undefined).map((part) => `  ${part}`) : [],
  );
  return [`${head} {`, `  // Sections of their own: ${[...named].join(', ')}`, ...others, '}'].join('\n');
}

/** The members of a long class or interface become declarations of their own: `Context.json`. */
function splitMembers({ title, statements }: Declaration): readonly Declaration[] {
  if (!isSplit(statements)) return [{ title, statements }];
  const own: Statement[] = [];
  const members = new Map<string, Declaration>();
  for (const statement of statements) {
    const body = readBody(statement.code);
    if (body === undefined || body.members.every(({ name }) => name === undefined)) {
      own.push(statement);
      continue;
    }
    own.push({ comment: statement.comment, code: toOutline(body.head, body.members) });
    for (const { name, comment, code } of body.members) {
      if (name === undefined) continue;
      const of = members.get(name) ?? { title: `${title}.${name}`, statements: [] };
      of.statements.push({ comment, code });
      members.set(name, of);
    }
  }
  return [{ title, statements: own }, ...members.values()];
}

/** One section per name, with its doc comment and code. */
export function readDeclarations(text: string): PageOutline {
  const found = new Map<string, Declaration>();
  collectDeclarations(readStatements(text), '', 0, found);
  const blocks: Block[] = [];
  for (const { title, statements } of [...found.values()].flatMap(splitMembers)) {
    blocks.push({ kind: 'heading', level: 2, title });
    for (const { comment, code } of statements) {
      const prose = comment === undefined ? '' : toProse(comment);
      if (prose !== '') blocks.push({ kind: 'text', text: prose });
      for (const fence of toFences(code)) blocks.push({ kind: 'code', text: fence });
    }
  }
  return { title: undefined, blocks };
}
