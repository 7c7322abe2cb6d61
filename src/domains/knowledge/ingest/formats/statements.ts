export interface Statement {
  /** The doc comment before it. */
  readonly comment: string | undefined;
  readonly code: string;
}

/** What begins so begins a statement, also where nobody wrote a semicolon before it. */
const beginning =
  /(?:export|declare|import|interface|type|class|abstract|enum|namespace|module|function|const|let|var)\b|\/\*\*/y;
/** Ends with its closing brace. */
const braced =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:class|interface|enum|const\s+enum|namespace|module|global)\b/;

/** Behind the string that begins at `at`. */
function stringEnd(text: string, at: number): number {
  const quote = text[at]!;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === quote) return end + 1;
    else if (text[end] === '\n' && quote !== '`') return end;
  }
  return text.length;
}

/** Behind the comment that begins at `at`; `at` itself when none does. */
function commentEnd(text: string, at: number): number {
  if (text.startsWith('//', at)) {
    const end = text.indexOf('\n', at);
    return end === -1 ? text.length : end;
  }
  if (!text.startsWith('/*', at)) return at;
  const end = text.indexOf('*/', at + 2);
  return end === -1 ? text.length : end + 2;
}

function behindBlanks(text: string, at: number): number {
  let next = at;
  while (next < text.length && text[next]!.trim() === '') next += 1;
  return next;
}

/** The brace belonged to a type inside of the head: `extends Base<{ a: 1 }> {`. */
const goesOn = (text: string, at: number): boolean => '>,&|[.)'.includes(text[behindBlanks(text, at)] ?? ' ');

/** Behind the statement that begins at `from`. */
function statementEnd(text: string, from: number): number {
  const endsWithBrace = braced.test(text.slice(from, from + 200));
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const char = text[at]!;
    const behind = char === '/' ? commentEnd(text, at) : at;
    if (behind > at) {
      at = behind;
      continue;
    }
    if (char === '"' || char === "'" || char === '`') {
      at = stringEnd(text, at);
      continue;
    }
    if (char === '{' || char === '(' || char === '[') depth += 1;
    else if (char === '}' || char === ')' || char === ']') {
      depth = Math.max(0, depth - 1);
      if (depth === 0 && char === '}' && endsWithBrace && !goesOn(text, at + 1)) return at + 1;
    } else if (depth === 0 && char === ';') return at + 1;
    else if (depth === 0 && char === '\n') {
      const next = behindBlanks(text, at);
      beginning.lastIndex = next;
      if (beginning.test(text)) return at;
      at = next - 1;
    }
    at += 1;
  }
  return text.length;
}

/** The statements of a declaration file, each with the doc comment before it. One walk, whatever stands there. */
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
