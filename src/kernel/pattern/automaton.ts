import { type CharSet, lineEnds, negate } from './char-set.ts';
import type { Part } from './syntax.ts';

export class PatternTooLarge extends Error {}

/** One character of the pattern: what it reads, and in how many ways the pattern goes on from it to each other. */
export interface Position {
  readonly set: CharSet;
  /** Where it stands in the source; -1 for the search that tries every start. */
  readonly at: number;
  readonly next: Map<number, number>;
  /** The pattern may end here whatever follows: a search that comes here never turns back. */
  isFinal: boolean;
}

export interface Automaton {
  readonly positions: readonly Position[];
  /** Look-arounds, to be judged each on its own. */
  readonly looks: readonly Look[];
  /** A part that can be empty is repeated a fixed number of times: 2 to that number ways to match nothing. */
  readonly emptyCountedAt: readonly number[];
}

export interface Look {
  readonly body: Part;
  readonly at: number;
  /** It stands at the very beginning and is tried once. */
  readonly isAtStart: boolean;
}

/** Where a part can begin: nowhere else than at the start (2), at a line's start (1), anywhere (0). */
type Anchor = 0 | 1 | 2;

/** A part in the making. `ways` counts, up to 2, how many ways there are: with two on a cycle the search doubles. */
interface Fragment {
  readonly first: ReadonlyMap<number, { readonly ways: number; readonly anchor: Anchor }>;
  readonly last: ReadonlyMap<number, { readonly ways: number; readonly guarded: boolean }>;
  /** The ways to match nothing; `guarded` when each of them holds an assertion. */
  readonly empty: { readonly ways: number; readonly guarded: boolean; readonly anchor: Anchor };
}

/** A count up to this is written out; a higher one is taken for "any number of times". */
const writtenOutMax = 4;
/** One character may be written out more often. */
const writtenOutCharMax = 128;
/** How many ways written-out ranges may multiply to before the next one is taken for a loop. */
const choicesMax = 256;

/** A pattern with more characters than this, written out, is refused unseen. */
const positionsMax = 2_000;

const atMostTwo = (ways: number): number => Math.min(ways, 2);
const nothing: Fragment = { first: new Map(), last: new Map(), empty: { ways: 1, guarded: false, anchor: 0 } };
const deadEnd: Fragment = { ...nothing, empty: { ways: 0, guarded: false, anchor: 0 } };

const canBeEmpty = ({ first, empty }: Fragment): boolean => empty.ways > 0 && first.size > 0;
const unwrap = (part: Part): Part => (part.kind === 'group' ? unwrap(part.body) : part);

export function toAutomaton(whole: Part, options: { readonly sticky: boolean }): Automaton {
  const positions: Position[] = [];
  const looks: Look[] = [];
  const emptyCountedAt: number[] = [];
  const groups = new Map<number | string, Part>();
  let choices = 1;

  function link(from: Fragment['last'], to: Fragment['first']): void {
    for (const [source, exit] of from) {
      const { next } = positions[source]!;
      for (const [target, entry] of to) next.set(target, atMostTwo((next.get(target) ?? 0) + exit.ways * entry.ways));
    }
  }

  function addPosition(set: CharSet, at: number): number {
    if (positions.length > positionsMax * 2) throw new PatternTooLarge();
    positions.push({ set, at, next: new Map(), isFinal: false });
    return positions.length - 1;
  }

  function fromChars(set: CharSet, at: number): Fragment {
    if (set.length === 0) return deadEnd;
    const position = addPosition(set, at);
    return {
      first: new Map([[position, { ways: 1, anchor: 0 }]]),
      last: new Map([[position, { ways: 1, guarded: false }]]),
      empty: { ways: 0, guarded: false, anchor: 0 },
    };
  }

  function join(a: Fragment, b: Fragment): Fragment {
    link(a.last, b.first);
    const first = new Map(a.first);
    if (a.empty.ways > 0) {
      for (const [position, { ways, anchor }] of b.first) {
        first.set(position, {
          ways: atMostTwo(ways * a.empty.ways),
          anchor: Math.max(anchor, a.empty.anchor) as Anchor,
        });
      }
    }
    const last = new Map(b.last);
    if (b.empty.ways > 0) {
      for (const [position, { ways, guarded }] of a.last) {
        last.set(position, { ways: atMostTwo(ways * b.empty.ways), guarded: guarded || b.empty.guarded });
      }
    }
    return {
      first,
      last,
      empty: {
        ways: atMostTwo(a.empty.ways * b.empty.ways),
        guarded: a.empty.guarded || b.empty.guarded,
        anchor: Math.max(a.empty.anchor, b.empty.anchor) as Anchor,
      },
    };
  }

  function either(a: Fragment, b: Fragment): Fragment {
    const empties = [a.empty, b.empty].filter(({ ways }) => ways > 0);
    return {
      first: new Map([...a.first, ...b.first]),
      last: new Map([...a.last, ...b.last]),
      empty: {
        ways: atMostTwo(a.empty.ways + b.empty.ways),
        guarded: empties.every(({ guarded }) => guarded),
        anchor: Math.min(...empties.map(({ anchor }) => anchor), 2) as Anchor,
      },
    };
  }

  /** An optional part that matched nothing counts as left out, so there is one way to nothing. */
  const optional = (body: Fragment): Fragment => ({ ...body, empty: nothing.empty });

  function loop(body: Fragment, min: number): Fragment {
    link(body.last, body.first);
    return min === 0 ? optional(body) : body;
  }

  function sequence(parts: readonly Part[], isAtStart: boolean): Fragment {
    let joined = nothing;
    for (const part of parts) {
      const isAnchored = joined.first.size === 0 && (isAtStart || joined.empty.anchor === 2);
      joined = join(joined, build(part, isAnchored));
    }
    return joined;
  }

  const copies = (part: Part, count: number): Fragment =>
    sequence(
      Array.from({ length: count }, () => part),
      false,
    );

  /** x{0,3} as (x(x(x)?)?)?: each length is reached in one way. */
  function upTo(part: Part, count: number): Fragment {
    let inner = nothing;
    for (let i = 0; i < count; i += 1) inner = optional(join(build(part, false), inner));
    return inner;
  }

  function repeat({ body, min, max, at }: Extract<Part, { kind: 'repeat' }>): Fragment {
    if (max === 0) return nothing;
    if (max === 1) return min === 1 ? build(body, false) : optional(build(body, false));
    if (min <= 1 && max === Number.POSITIVE_INFINITY) return loop(build(body, false), min);
    const isChar = unwrap(body).kind === 'chars';
    const countMax = isChar ? writtenOutCharMax : writtenOutMax;
    const isSmall = max <= countMax && choices * (max - min + 1) <= choicesMax && positions.length < positionsMax;
    if (!isSmall) return repeatOften(body, min, at, isChar);
    choices *= max - min + 1;
    const fixed = copies(body, min);
    if (canBeEmpty(fixed)) choices *= 2 ** min;
    if (choices > choicesMax) emptyCountedAt.push(at);
    return join(fixed, upTo(body, max - min));
  }

  function repeatOften(body: Part, min: number, at: number, isChar: boolean): Fragment {
    if (isChar && min > 1 && min <= writtenOutCharMax) {
      return join(copies(body, min - 1), loop(build(body, false), 1));
    }
    const once = build(body, false);
    if (min > writtenOutMax && canBeEmpty(once)) emptyCountedAt.push(at);
    return loop(once, min);
  }

  function build(part: Part, isAtStart: boolean): Fragment {
    switch (part.kind) {
      case 'chars':
        return fromChars(part.set, part.at);
      case 'sequence':
        return sequence(part.parts, isAtStart);
      case 'choice':
        return part.options.map((option) => build(option, isAtStart)).reduce(either);
      case 'repeat':
        return repeat(part);
      case 'group': {
        const body = build(part.body, isAtStart);
        groups.set(part.index, part.body);
        if (part.name !== undefined) groups.set(part.name, part.body);
        return body;
      }
      case 'reference': {
        // Reads what its group could read; before the group is closed it reads nothing.
        const target = groups.get(part.to);
        return target === undefined ? nothing : build(target, false);
      }
      case 'look':
        looks.push({ body: part.body, at: part.at, isAtStart });
        return { ...nothing, empty: { ways: 1, guarded: true, anchor: 0 } };
      case 'assertion': {
        const anchor = part.type === 'start' ? 2 : part.type === 'line' ? 1 : 0;
        return { ...nothing, empty: { ways: 1, guarded: true, anchor } };
      }
    }
  }

  /** A search tries every place to start, as if the pattern began with "anything": that makes two loops of one. */
  function addSearch(first: Fragment['first']): void {
    const starts = [...first].filter(([, { anchor }]) => anchor < 2);
    if (options.sticky || starts.length === 0) return;
    const skipped = addPosition(negate(lineEnds), -1);
    const lineEnd = addPosition(lineEnds, -1);
    for (const from of [skipped, lineEnd]) positions[from]!.next.set(skipped, 1).set(lineEnd, 1);
    for (const [target, { anchor }] of starts) {
      positions[lineEnd]!.next.set(target, 1);
      if (anchor === 0) positions[skipped]!.next.set(target, 1);
    }
  }

  const fragment = build(whole, false);
  for (const [position, { guarded }] of fragment.last) positions[position]!.isFinal = !guarded;
  addSearch(fragment.first);
  return { positions, looks, emptyCountedAt };
}
