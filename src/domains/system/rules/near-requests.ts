import { absentRequests, everydayRequests } from './everyday-requests.ts';
import { requestVectors } from './request-vectors.ts';

/** Set with bench/judged/tool-requests.ts. If no tool is this similar, all cosines are noise. */
const similarMin = 0.35;
/** What no tool serves must be clearly meant. */
const absentMin = 0.5;
/** Tools behind this place are as similar as any text is to any other. */
const similarCount = 60;
/** The similarity that counts fully, if no tool has more. */
const fullSimilarity = 0.45;

export interface NearRequests {
  /** By canonical name, from 0 to 1. */
  readonly tools: ReadonlyMap<string, number>;
  /** What to say if the request means something that no tool does. */
  readonly absent: string | undefined;
}

let known: readonly Int8Array[] | undefined;
const vectors = (): readonly Int8Array[] => {
  known ??= requestVectors.vectors.map((text) => new Int8Array(Buffer.from(text, 'base64')));
  return known;
};

function cosine(vector: Float32Array, other: Int8Array): number {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < other.length; i += 1) {
    const own = other[i]!;
    sum += vector[i]! * own;
    squares += own * own;
  }
  return sum / Math.sqrt(squares);
}

/** The tools whose everyday requests mean something similar. The vector must be of the model of the requests. */
export function nearRequests(vector: Float32Array): NearRequests {
  const cosines = vectors().map((other) => cosine(vector, other));
  const names = Object.keys(everydayRequests);
  const ofTools = cosines.slice(0, names.length);
  const ofAbsent = cosines.slice(names.length);
  const sorted = ofTools.toSorted((a, b) => b - a);
  const isNoise = sorted[0]! < similarMin;
  const high = Math.max(fullSimilarity, sorted[0]!);
  const low = sorted[similarCount - 1]!;
  const tools = new Map<string, number>();
  ofTools.forEach((one, i) => {
    if (!isNoise && one > low) tools.set(names[i]!, (one - low) / (high - low));
  });
  const best = Math.max(...ofAbsent);
  const isAbsent = best >= absentMin && best > sorted[0]!;
  return { tools, absent: isAbsent ? absentRequests[ofAbsent.indexOf(best)]!.say : undefined };
}
