/** Events of the reader; offsets count UTF-16 units. */
export interface JsonVisitor {
  value?(at: number): void;
  open?(isObject: boolean): void;
  key?(name: string, at: number): void;
  close?(): void;
}

export interface JsonError {
  readonly at: number;
  readonly message: string;
}

const blank = /[ \t\n\r]*/y;
const plainChars = /(?:[^"\\\p{Cc}]|[\x7f-\x9f])*/uy;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /[\p{L}\p{N}_$]+/uy;

type Expected = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'colon' | 'comma-or-close' | 'end';

const wanted: Readonly<Record<Expected, (isObject: boolean) => string>> = {
  value: () => 'a value',
  'value-or-close': () => 'a value or "]"',
  key: () => 'a property name in double quotes',
  'key-or-close': () => 'a property name in double quotes or "}"',
  colon: () => '":"',
  'comma-or-close': (isObject) => (isObject ? '"," or "}"' : '"," or "]"'),
  end: () => 'the end of the text',
};

/** Strict JSON (RFC 8259). Stops at the first error. Not recursive, so nesting depth is unlimited. */
export function readJson(text: string, visitor: JsonVisitor = {}): JsonError | undefined {
  const { length } = text;
  const open: boolean[] = [];
  let at = 0;
  let expected: Expected = 'value';

  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };

  function describe(): string {
    if (at >= length) return 'the end of the text';
    word.lastIndex = at;
    const found = word.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(at)!);
    if (found === '\uFEFF') return 'a byte order mark';
    return JSON.stringify(found.length > 40 ? `${found.slice(0, 40)}…` : found);
  }

  const unexpected = (): JsonError => {
    const hint = text[at] === "'" ? '; use double quotes' : '';
    const isTrailing = expected === 'key' || (expected === 'value' && !open.at(-1));
    const comma = isTrailing && (text[at] === '}' || text[at] === ']') ? '; remove the comma before it' : '';
    return { at, message: `expected ${wanted[expected](open.at(-1) === true)}, found ${describe()}${hint}${comma}` };
  };

  function readString(): JsonError | undefined {
    const start = at;
    at += 1;
    for (;;) {
      match(plainChars);
      const char = text[at];
      if (char === '"') {
        at += 1;
        return undefined;
      }
      if (char === undefined) return { at: start, message: 'the string is never closed' };
      if (char === '\\') {
        if (match(escaped)) continue;
        return { at, message: `unknown escape ${JSON.stringify(text.slice(at, at + 2))} in a string` };
      }
      if (char === '\n' || char === '\r') return { at, message: 'a string ends before the end of its line' };
      return { at, message: `control character U+${hex(text.charCodeAt(at))} in a string; write it as an escape` };
    }
  }

  function afterValue(): void {
    expected = open.length === 0 ? 'end' : 'comma-or-close';
  }

  function readScalar(): JsonError | undefined {
    const char = text[at]!;
    if (char === '"') {
      const fault = readString();
      if (fault !== undefined) return fault;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      const start = at;
      if (!match(number)) return { at, message: 'a number needs a digit after its minus' };
      const next = text[at];
      if (next !== undefined && /[\w.+-]/.test(next)) {
        const whole = /^[\w.+-]+/.exec(text.slice(start, start + 40))?.[0] ?? '';
        return { at: start, message: `${JSON.stringify(whole)} is not a JSON number` };
      }
    } else {
      const name = ['true', 'false', 'null'].find((known) => text.startsWith(known, at));
      if (name === undefined || /\w/.test(text[at + name.length] ?? '')) return unexpected();
      at += name.length;
    }
    afterValue();
    return undefined;
  }

  function readValue(): JsonError | undefined {
    const char = text[at];
    if (char !== '{' && char !== '[') {
      if (char === undefined || !/["\-0-9tfn]/.test(char)) return unexpected();
      visitor.value?.(at);
      return readScalar();
    }
    visitor.value?.(at);
    visitor.open?.(char === '{');
    open.push(char === '{');
    expected = char === '{' ? 'key-or-close' : 'value-or-close';
    at += 1;
    return undefined;
  }

  function close(): void {
    open.pop();
    at += 1;
    visitor.close?.();
    afterValue();
  }

  function step(): JsonError | undefined {
    const char = text[at];
    const closing = open.at(-1) ? '}' : ']';
    switch (expected) {
      case 'value-or-close':
        if (char === closing) return close() ?? undefined;
        return readValue();
      case 'value':
        return readValue();
      case 'key-or-close':
      case 'key': {
        if (char === closing && expected === 'key-or-close') return close() ?? undefined;
        if (char !== '"') return unexpected();
        const start = at;
        const fault = readString();
        if (fault !== undefined) return fault;
        if (visitor.key !== undefined) visitor.key(toName(text.slice(start, at)), start);
        expected = 'colon';
        return undefined;
      }
      case 'colon':
        if (char !== ':') return unexpected();
        at += 1;
        expected = 'value';
        return undefined;
      case 'comma-or-close':
        if (char === closing) return close() ?? undefined;
        if (char !== ',') return unexpected();
        at += 1;
        expected = closing === '}' ? 'key' : 'value';
        return undefined;
      default:
        return unexpected();
    }
  }

  for (;;) {
    match(blank);
    if (at >= length) break;
    const fault = step();
    if (fault !== undefined) return fault;
  }
  return (expected as Expected) === 'end' ? undefined : unexpected();
}

const toName = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0');
