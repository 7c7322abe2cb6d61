import type { TenantId } from '../call.ts';
import { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import type { MatchInput, MatchOutput, MatchRange } from './regex-task.ts';
import { defineTask } from './task.ts';
import type { Workers } from './workers.ts';

export const regexLimits = {
  patternChars: 1_000,
  /** All texts of one query together. */
  patternTextChars: 8 * 1024 * 1024,
  patternMatchesPerTextCount: 100,
  patternMatchesCount: 10_000,
  patternWallMs: 1_000,
} as const;

export interface RegexQuery {
  readonly source: string;
  /** Any of `i`, `m`, `s` and one of `u`, `v`. */
  readonly flags?: string;
  readonly texts: readonly string[];
  readonly tenant: TenantId;
  readonly signal?: AbortSignal;
  readonly wallMs?: number;
  readonly matchesPerTextCount?: number;
}

export interface RegexMatches {
  /** One list per text, in the order of the query. */
  readonly texts: readonly (readonly MatchRange[])[];
  /** There may be more matches than these. */
  readonly cut: boolean;
}

/** Runs users' regular expressions in the worker pool, where one that backtracks forever is stopped at its deadline. */
export interface RegexRunner {
  test(query: RegexQuery): Promise<readonly boolean[]>;
  findAll(query: RegexQuery): Promise<RegexMatches>;
}

const matchTask = defineTask<MatchInput, MatchOutput>('regex/match');

const patternFaults: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'RESOURCE_LIMIT', 'JOB_TIMEOUT', 'JOB_MEMORY']);

/** The pattern cannot run on these texts, as opposed to a busy pool or a cancelled call. */
export const isPatternFault = (error: unknown): error is Fault =>
  error instanceof Fault && patternFaults.has(error.code);

/** V8 writes `Invalid regular expression: /(a/: Unterminated group`; only the last part is worth repeating. */
const toReason = (message: string): string => message.slice(message.lastIndexOf(': ') + 2);

/** Why a pattern does not compile. Compiling is cheap for every pattern; only running one can take long. */
export function findSyntaxError(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return toReason((error as Error).message);
  }
}

function check({ source, flags = '', texts }: RegexQuery): void {
  if (source.length > regexLimits.patternChars) {
    throw faults.RESOURCE_LIMIT({ what: 'The pattern', limit: regexLimits.patternChars, unit: 'characters' });
  }
  if (
    !/^[imsuv]{0,5}$/.test(flags) ||
    new Set(flags).size < flags.length ||
    (flags.includes('u') && flags.includes('v'))
  ) {
    throw faults.VALIDATION_ERROR(
      { why: 'The flags of a pattern are any of i, m, s and one of u, v' },
      { flags: flags.slice(0, 20) },
    );
  }
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  if (chars > regexLimits.patternTextChars) {
    throw faults.RESOURCE_LIMIT({
      what: 'The text to search',
      limit: regexLimits.patternTextChars,
      unit: 'characters',
    });
  }
}

export function createRegexRunner(workers: Workers): RegexRunner {
  async function find(query: RegexQuery, perTextMax: number, totalMax: number): Promise<RegexMatches> {
    check(query);
    const { source, flags = '', texts, tenant, signal, wallMs = regexLimits.patternWallMs } = query;
    const found = await workers.run(
      matchTask,
      { source, flags, texts, perTextMax, totalMax },
      { tenant, wallMs, what: 'The pattern', ...(signal === undefined ? {} : { signal }) },
    );
    if (found.kind === 'found') return found;
    const reason = toReason(found.message);
    throw faults.VALIDATION_ERROR({ why: `The pattern is not valid: ${reason}` }, { reason });
  }

  return {
    async test(query) {
      const { texts } = await find(query, 1, query.texts.length);
      return texts.map((ranges) => ranges.length > 0);
    },
    async findAll(query) {
      const perTextMax = query.matchesPerTextCount ?? regexLimits.patternMatchesPerTextCount;
      const { texts, cut } = await find(query, perTextMax, regexLimits.patternMatchesCount);
      return { texts, cut };
    },
  };
}
