import { type Ambiguity, findCycles, findDoubling, findSpreading } from './ambiguity.ts';
import { type Look, PatternTooLarge, toAutomaton } from './automaton.ts';
import { parsePattern } from './parse.ts';
import { type Part, PatternSyntaxError } from './syntax.ts';

/**
 * How a pattern can take more time than its text is long. `doubling`: exponential, `(a+)+$`. `spreading`: a power of
 * the length, `a*a*$`. `restarting`: the square of it, because each place where it could start reads far ahead, `\s+$`.
 */
export interface Explosion {
  readonly kind: 'doubling' | 'spreading' | 'restarting' | 'unreadable';
  readonly why: string;
}

const tell = (kind: Explosion['kind'], { a, b }: Ambiguity): Explosion => ({
  kind,
  why:
    a.at === -1
      ? `the loop at character ${b.at} is entered anew at every place of the text and can fail after it`
      : `the parts at characters ${a.at} and ${b.at} repeat and can read the same text`,
});

function holdsLoop(part: Part): boolean {
  switch (part.kind) {
    case 'repeat':
      return part.max === Number.POSITIVE_INFINITY || holdsLoop(part.body);
    case 'sequence':
      return part.parts.some(holdsLoop);
    case 'choice':
      return part.options.some(holdsLoop);
    case 'group':
    case 'look':
      return holdsLoop(part.body);
    default:
      return false;
  }
}

function judgeLook({ body, at, isAtStart }: Look): Explosion | undefined {
  if (!isAtStart && holdsLoop(body)) {
    return {
      kind: 'restarting',
      why: `the look-around at character ${at} reads far ahead from every place of the text`,
    };
  }
  // Whatever follows the look-around can fail, so none of its ends is a final one.
  const end: Part = { kind: 'assertion', type: 'other' };
  return judge({ kind: 'sequence', parts: [body, end] }, true);
}

function judge(whole: Part, sticky: boolean): Explosion | undefined {
  const { positions, looks, emptyCountedAt } = toAutomaton(whole, { sticky });
  const emptyAt = emptyCountedAt[0];
  if (emptyAt !== undefined) {
    return { kind: 'doubling', why: `the part at character ${emptyAt} can be empty and is repeated by number` };
  }
  const cycles = findCycles(positions);
  for (const cycle of cycles) {
    const doubling = findDoubling(positions, cycle);
    if (doubling !== undefined) return tell('doubling', doubling);
  }
  for (const earlier of cycles) {
    for (const later of cycles) {
      const spreading = earlier === later ? undefined : findSpreading(positions, earlier, later);
      if (spreading !== undefined) return tell(spreading.a.at === -1 ? 'restarting' : 'spreading', spreading);
    }
  }
  for (const look of looks) {
    const explosion = judgeLook(look);
    if (explosion !== undefined) return explosion;
  }
  return undefined;
}

/**
 * What could make a regular expression of ours explode on somebody's text, or undefined. In doubt it finds something:
 * it takes assertions for true, references for anything their group reads, high counts for loops.
 */
export function findExplosion(source: string, flags = ''): Explosion | undefined {
  try {
    return judge(parsePattern(source, flags), flags.includes('y'));
  } catch (error) {
    if (error instanceof PatternSyntaxError) return { kind: 'unreadable', why: `${error.message} (${error.at})` };
    if (error instanceof PatternTooLarge) return { kind: 'unreadable', why: 'too large to judge' };
    throw error;
  }
}

export const isExplosive = (source: string, flags = ''): boolean => findExplosion(source, flags) !== undefined;
