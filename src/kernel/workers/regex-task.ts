/** Runs in a worker thread, because a user's pattern may take any time. */
export interface MatchInput {
  readonly source: string;
  readonly flags: string;
  readonly texts: readonly string[];
  readonly perTextMax: number;
  /** For all texts together. */
  readonly totalMax: number;
}

/** In UTF-16 units, the end excluded. */
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
