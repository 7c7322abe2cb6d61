/** The position after the string that begins at `at`. */
function stringEnd(text: string, at: number): number {
  const quote = text[at]!;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === quote) return end + 1;
    else if (text[end] === '\n' && quote !== '`') return end;
  }
  return text.length;
}

/** The position after the comment that begins at `at`, or `at` if none does. */
export function commentEnd(text: string, at: number): number {
  if (text[at] !== '/') return at;
  if (text.startsWith('//', at)) {
    const end = text.indexOf('\n', at);
    return end === -1 ? text.length : end;
  }
  if (!text.startsWith('/*', at)) return at;
  const end = text.indexOf('*/', at + 2);
  return end === -1 ? text.length : end + 2;
}

/** The position after the comment or string that begins at `at`, or `at` if none does. */
export function commentOrStringEnd(text: string, at: number): number {
  const char = text[at];
  return char === '"' || char === "'" || char === '`' ? stringEnd(text, at) : commentEnd(text, at);
}

export function behindBlanks(text: string, at: number): number {
  let next = at;
  while (next < text.length && text[next]!.trim() === '') next += 1;
  return next;
}

/** The position of the last character before `at` that is not blank, or -1. */
export function beforeBlanks(text: string, at: number): number {
  let before = at - 1;
  while (before >= 0 && text[before]!.trim() === '') before -= 1;
  return before;
}
