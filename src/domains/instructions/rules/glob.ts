/**
 * Globs of file paths: `**` matches any folders, `*` and `?` match inside one name, `{a,b}` matches either. Brackets
 * are literal, because frameworks use them in names. A glob is simulated as a nondeterministic automaton, so that the
 * cost is at most the length of the path times the length of the glob.
 */
export type Glob = (text: string) => boolean;

type Step =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' }
  /** Consumes any character except a slash, or moves on without consuming. */
  | { readonly kind: 'name' }
  | { readonly kind: 'any' }
  /** Moves to each of these states without consuming. */
  | { readonly kind: 'fork'; readonly to: readonly number[] }
  | { readonly kind: 'end' };

/** The commas and the closing brace of a `{`. An unmatched brace is literal. */
interface Group {
  readonly cuts: readonly number[];
  readonly close: number;
}

function findGroups(glob: readonly string[]): ReadonlyMap<number, Group> {
  const groups = new Map<number, Group>();
  const open: { at: number; cuts: number[] }[] = [];
  glob.forEach((char, at) => {
    if (char === '{') open.push({ at, cuts: [] });
    else if (char === ',') open.at(-1)?.cuts.push(at);
    else if (char === '}') {
      const group = open.pop();
      if (group !== undefined) groups.set(group.at, { cuts: group.cuts, close: at });
    }
  });
  return groups;
}

function toSteps(glob: readonly string[]): readonly Step[] {
  const steps: Step[] = [];
  const groups = findGroups(glob);

  function addGroup(at: number, { cuts, close }: Group): void {
    const fork = steps.push({ kind: 'end' }) - 1;
    const starts: number[] = [];
    const exits: number[] = [];
    let from = at + 1;
    for (const to of [...cuts, close]) {
      starts.push(steps.length);
      addRange(from, to);
      exits.push(steps.push({ kind: 'end' }) - 1);
      from = to + 1;
    }
    steps[fork] = { kind: 'fork', to: starts };
    for (const exit of exits) steps[exit] = { kind: 'fork', to: [steps.length] };
  }

  function addRange(from: number, to: number): void {
    let at = from;
    while (at < to) {
      const char = glob[at]!;
      const group = groups.get(at);
      if (group !== undefined) {
        addGroup(at, group);
        at = group.close + 1;
      } else if (char === '*') {
        const start = at;
        while (at < to && glob[at] === '*') at += 1;
        steps.push({ kind: at - start > 1 ? 'any' : 'name' });
      } else {
        steps.push(char === '?' ? { kind: 'one' } : { kind: 'char', char });
        at += 1;
      }
    }
  }

  addRange(0, glob.length);
  steps.push({ kind: 'end' });
  return steps;
}

/**
 * A state is twice the step number, plus one while a slash may be skipped: `**` at the start of a name may match no
 * folder, and then the slash after it is not in the path either.
 */
function createWalk(steps: readonly Step[]): Glob {
  const endState = (steps.length - 1) * 2;
  /** The round in which a state was last entered, so that the set need not be cleared for each character. */
  const enteredIn = new Uint32Array(steps.length * 2);
  let round = 0;

  /** Adds a state and all states that it reaches without consuming a character. */
  function enter(first: number, isNameStart: boolean, into: number[]): void {
    const left = [first];
    for (let state = left.pop(); state !== undefined; state = left.pop()) {
      if (enteredIn[state] === round) continue;
      enteredIn[state] = round;
      into.push(state);
      const at = state >> 1;
      const mayPass = state & 1;
      const step = steps[at]!;
      if (step.kind === 'fork') for (const to of step.to) left.push(to * 2 + mayPass);
      else if (step.kind === 'any') left.push((at + 1) * 2 + (isNameStart ? 1 : 0));
      else if (step.kind === 'name') left.push((at + 1) * 2);
      else if (mayPass === 1 && step.kind === 'char' && step.char === '/') left.push((at + 1) * 2);
    }
  }

  function follow(state: number, char: string, into: number[]): void {
    const at = state >> 1;
    const step = steps[at]!;
    const isSlash = char === '/';
    if (step.kind === 'any' || (step.kind === 'name' && !isSlash)) enter(at * 2, isSlash, into);
    else if ((step.kind === 'char' && step.char === char) || (step.kind === 'one' && !isSlash)) {
      enter((at + 1) * 2, isSlash, into);
    }
  }

  function nextRound(): void {
    round += 1;
    if (round < 0xffff_ffff) return;
    enteredIn.fill(0);
    round = 1;
  }

  return (text) => {
    let states: number[] = [];
    nextRound();
    enter(0, true, states);
    for (const char of text) {
      const next: number[] = [];
      nextRound();
      for (const state of states) follow(state, char, next);
      if (next.length === 0) return false;
      states = next;
    }
    return states.some((state) => (state & ~1) === endState);
  };
}

const special = /[*?{]/;

/** Matches the whole text. */
export function compileGlob(glob: string): Glob {
  const plainChars = glob.search(special);
  if (plainChars === -1) return (text) => text === glob;
  const prefix = glob.slice(0, plainChars);
  const suffix = glob.slice(1 + Math.max(...['*', '?', '{', '}', ',', '/'].map((char) => glob.lastIndexOf(char))));
  let walk: Glob | undefined;
  return (text) => {
    // Most paths do not match, and the ends already show it.
    if (!text.startsWith(prefix) || !text.endsWith(suffix)) return false;
    walk ??= createWalk(toSteps([...glob]));
    return walk(text);
  };
}
