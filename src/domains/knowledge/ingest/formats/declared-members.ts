import { beforeBlanks, behindBlanks, commentEnd, commentOrStringEnd } from './scan-code.ts';

export interface Member {
  /** Undefined for call signatures, index signatures, constructors and names that are not public. */
  readonly name: string | undefined;
  readonly comment: string | undefined;
  readonly code: string;
}

export interface Body {
  /** What is before the opening brace. */
  readonly head: string;
  readonly members: readonly Member[];
}

const opening = '{([<';
const closing = '})]>';

/** Whether the sign at `at` closes a bracket: the `>` of an arrow does not. */
const closes = (text: string, at: number): boolean => closing.includes(text[at]!) && !text.startsWith('=>', at - 1);

/** Where the block that ends the declaration begins and ends, or undefined if it does not end with one. */
function findBlock(code: string): readonly [from: number, to: number] | undefined {
  const open: number[] = [];
  let block: readonly [number, number] | undefined;
  for (let at = 0; at < code.length; ) {
    const behind = commentOrStringEnd(code, at);
    if (behind > at) {
      at = behind;
      continue;
    }
    const char = code[at]!;
    if (opening.includes(char)) {
      open.push(at);
      block = undefined;
    } else if (closes(code, at)) {
      const from = open.pop();
      if (open.length === 0 && from !== undefined && char === '}') block = [from, at];
    } else if (char.trim() !== '' && char !== ';') block = undefined;
    at += 1;
  }
  return block;
}

/** A line that begins so continues the member before it. */
const goesOn = /^(?:[|&?:=>.,)\]}]|extends\b|is\b)/;
/** Nothing ends behind these signs. */
const isUnfinished = (text: string, at: number): boolean => '|&=(:?<'.includes(text[beforeBlanks(text, at)] ?? '(');

/** The position after the member that begins at `from`. */
function memberEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const behind = commentOrStringEnd(text, at);
    if (behind > at) {
      at = behind;
      continue;
    }
    const char = text[at]!;
    if (opening.includes(char)) depth += 1;
    else if (closes(text, at)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && (char === ';' || char === ',')) return at + 1;
    else if (depth === 0 && char === '\n' && !isUnfinished(text, at)) {
      const next = behindBlanks(text, at);
      if (!goesOn.test(text.slice(next, next + 8))) return at;
      at = next - 1;
    }
    at += 1;
  }
  return text.length;
}

const modifiers =
  /^(?:(?:public|protected|static|abstract|readonly|declare|override|async|get|set|accessor)\s+(?=[\w$"'[]))+/;
const notNames: ReadonlySet<string> = new Set(['constructor', 'new']);

/** A name is followed by a type, arguments, or the end: `private x` is not a member named `private`. */
function nameOf(code: string): string | undefined {
  const bare = code.replace(modifiers, '');
  const [name] = /^[A-Za-z][\w$]*/.exec(bare) ?? [];
  if (name === undefined || notNames.has(name)) return undefined;
  const next = bare[behindBlanks(bare, name.length)];
  return next === undefined || '?!:(<;,='.includes(next) ? name : undefined;
}

function readMembers(text: string): readonly Member[] {
  const members: Member[] = [];
  let comment: string | undefined;
  for (let at = 0; at < text.length; ) {
    const char = text[at]!;
    if (char === ';' || char === ',' || char.trim() === '') {
      at += 1;
      continue;
    }
    const behind = commentEnd(text, at);
    if (behind > at) {
      if (text.startsWith('/**', at)) comment = text.slice(at, behind);
      at = behind;
      continue;
    }
    const end = memberEnd(text, at);
    const code = text.slice(at, end).trimEnd();
    members.push({ name: nameOf(code), comment, code });
    comment = undefined;
    at = Math.max(end, at + 1);
  }
  return members;
}

const withMembers = /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:class|interface|type)\s/;

/** The members of a class, an interface or an object type; undefined for other declarations. Runs in linear time. */
export function readBody(code: string): Body | undefined {
  if (!withMembers.test(code)) return undefined;
  const block = findBlock(code);
  if (block === undefined) return undefined;
  const [from, to] = block;
  const head = code.slice(0, from).trimEnd();
  // Of other types, such as unions and conditions, the last block is only a part.
  if (/^(?:export\s+)?(?:declare\s+)?type\s/.test(code) && !head.endsWith('=')) return undefined;
  return { head, members: readMembers(code.slice(from + 1, to)) };
}
