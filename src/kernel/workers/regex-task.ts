/** Runs in a worker thread: a pattern of a user may take any time, to compile and to match. */
export interface MatchInput {
  readonly source: string;
  readonly flags: string;
  readonly texts: readonly string[];
  /** At most this many matches of each text. */
  readonly perTextMax: number;
  /** At most this many altogether. */
  readonly totalMax: number;
}

/** In UTF-16 units, the end not included. */
export interface MatchRange {
  readonly start: number;
  readonly end: number;
}

export type MatchOutput =
  | { readonly kind: 'invalid'; readonly message: string }
  /** `cut`: there may be more matches than these. */
  | { readonly kind: 'found'; readonly texts: readonly (readonly MatchRange[])[]; readonly cut: boolean };

function compile(source: string, flags: string): RegExp | string {
  try {
    return new RegExp(source, `${flags}g`);
  } catch (error) {
    return (error as Error).message;
  }
}

export function matchTexts({ source, flags, texts, perTextMax, totalMax }: MatchInput): MatchOutput {
  const pattern = compile(source, flags);
  if (typeof pattern === 'string') return { kind: 'invalid', message: pattern };
  let leftCount = totalMax;
  let cut = false;
  const found = texts.map((text) => {
    const ranges: MatchRange[] = [];
    const max = Math.min(perTextMax, leftCount);
    if (max === 0) cut = true;
    else {
      for (const match of text.matchAll(pattern)) {
        ranges.push({ start: match.index, end: match.index + match[0].length });
        if (ranges.length < max) continue;
        cut = true;
        break;
      }
    }
    leftCount -= ranges.length;
    return ranges;
  });
  return { kind: 'found', texts: found, cut };
}
