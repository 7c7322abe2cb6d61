import { readSet } from './read-set.ts';

/** One step of a pattern. `fork` reads nothing: it goes on behind itself, or behind the two steps that follow. */
export type Step =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'one'; readonly has: (code: number) => boolean }
  | { readonly kind: 'star' | 'deep' | 'fork' };

const slash = 0x2f;
const notSlash = (code: number): boolean => code !== slash;

const isDeep = (pattern: string, from: number, to: number): boolean => {
  const isAtStep = from === 0 || pattern[from - 1] === '/';
  const endsStep = to === pattern.length || pattern[to] === '/' || pattern.startsWith('\\/', to);
  return to - from > 1 && isAtStep && endsStep;
};

/** The steps of a pattern; undefined: it matches nothing, whatever it is held against. */
export function parseGlob(pattern: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at]!;
    if (char === '*') {
      const from = at;
      while (pattern[at] === '*') at += 1;
      const deep = isDeep(pattern, from, at);
      if (deep && pattern[at] === '/') steps.push({ kind: 'fork' });
      steps.push({ kind: deep ? 'deep' : 'star' });
      continue;
    }
    if (char === '?') steps.push({ kind: 'one', has: notSlash });
    else if (char === '[') {
      const set = readSet(pattern, at);
      if (set === undefined) return undefined;
      steps.push({ kind: 'one', has: (code) => notSlash(code) && set.codes.has(code) !== set.isNegated });
      at = set.end;
      continue;
    } else {
      if (char === '\\') at += 1;
      if (at === pattern.length) return undefined;
      steps.push({ kind: 'char', code: pattern.charCodeAt(at) });
    }
    at += 1;
  }
  return steps;
}

/** Whether the step reads the character; a star may read on afterwards. */
function reads(step: Step, code: number): boolean {
  if (step.kind === 'char') return step.code === code;
  if (step.kind === 'one') return step.has(code);
  return step.kind === 'deep' || (step.kind === 'star' && code !== slash);
}

/** What reads nothing is passed. */
function passOn(open: Uint8Array, steps: readonly Step[]): void {
  for (const [i, { kind }] of steps.entries()) {
    if (open[i] === 0 || kind === 'char' || kind === 'one') continue;
    open[i + 1] = 1;
    if (kind === 'fork') open[i + 3] = 1;
  }
}

/** All ways at once, a character at a time: a pattern full of stars takes no longer than its length times that of the text. */
export function matchesGlob(steps: readonly Step[], text: string): boolean {
  const last = steps.at(-1);
  // Most patterns end in letters, and most names in others.
  const mustEnd = last?.kind === 'char' && steps.at(-3)?.kind !== 'fork';
  if (mustEnd && last.code !== text.charCodeAt(text.length - 1)) return false;
  let open = new Uint8Array(steps.length + 1);
  open[0] = 1;
  passOn(open, steps);
  for (let at = 0; at < text.length; at += 1) {
    const next = new Uint8Array(open.length);
    const code = text.charCodeAt(at);
    for (const [i, step] of steps.entries()) {
      if (open[i] === 1 && reads(step, code)) next[step.kind === 'star' || step.kind === 'deep' ? i : i + 1] = 1;
    }
    open = next;
    passOn(open, steps);
  }
  return open[steps.length] === 1;
}

/** Where the first sign stands that is no plain character. */
export function plainLength(pattern: string): number {
  const at = pattern.search(/[*?[\\]/);
  return at === -1 ? pattern.length : at;
}
