import type { TenantId } from '../call.ts';
import type { Fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { defineTask } from '../workers/task.ts';
import type { Workers } from '../workers/workers.ts';
import type { MatchInput, MatchOutput, MatchRange } from './match-task.ts';
import { parsePattern } from './parse.ts';
import { PatternSyntaxError } from './syntax.ts';

export const patternLimits = {
  patternChars: 1_000,
  /** All texts of one search together. */
  patternTextChars: 8 * 1024 * 1024,
  patternMatchesPerTextCount: 100,
  patternMatchesCount: 10_000,
  patternWallMs: 1_000,
} as const;

export interface PatternQuery {
  readonly source: string;
  /** Of `i`, `m`, `s`, `u`, `v`. */
  readonly flags?: string;
  readonly texts: readonly string[];
  readonly tenant: TenantId;
  readonly signal?: AbortSignal;
  readonly wallMs?: number;
  readonly matchesPerTextCount?: number;
}

export interface PatternMatches {
  /** One list a text, in the order of the query. */
  readonly texts: readonly (readonly MatchRange[])[];
  /** There may be more matches than these. */
  readonly cut: boolean;
}

/** Users' regular expressions. They run in the worker pool, so that one that explodes ends at its time and hurts nobody. */
export interface Patterns {
  /** Which of the texts match. */
  test(query: PatternQuery): Promise<readonly boolean[]>;
  /** Where each of the texts matches. */
  findAll(query: PatternQuery): Promise<PatternMatches>;
}

const matchTask = defineTask<MatchInput, MatchOutput>('pattern/match');

/** The engine names no place; our own reading of the pattern does. */
function toSyntaxFault({ source, flags = '' }: PatternQuery, engineMessage: string): Fault {
  try {
    parsePattern(source, flags);
  } catch (error) {
    if (!(error instanceof PatternSyntaxError)) throw error;
    const place = `character ${error.at + 1}`;
    return faults.VALIDATION_ERROR(
      { why: `The pattern is not valid at ${place}: ${error.message}` },
      { at: error.at, reason: error.message },
    );
  }
  const reason = engineMessage.slice(engineMessage.lastIndexOf(': ') + 2);
  return faults.VALIDATION_ERROR({ why: `The pattern is not valid: ${reason}` }, { reason });
}

function check({ source, flags = '', texts }: PatternQuery): void {
  if (source.length > patternLimits.patternChars) {
    throw faults.RESOURCE_LIMIT({ what: 'The pattern', limit: patternLimits.patternChars, unit: 'characters' });
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
  if (chars > patternLimits.patternTextChars) {
    throw faults.RESOURCE_LIMIT({
      what: 'The text to search',
      limit: patternLimits.patternTextChars,
      unit: 'characters',
    });
  }
}

export function createPatterns(workers: Workers): Patterns {
  async function find(query: PatternQuery, perTextMax: number, totalMax: number): Promise<PatternMatches> {
    check(query);
    const { source, flags = '', texts, tenant, signal, wallMs = patternLimits.patternWallMs } = query;
    const found = await workers.run(
      matchTask,
      { source, flags, texts, perTextMax, totalMax },
      { tenant, wallMs, what: 'The pattern', ...(signal === undefined ? {} : { signal }) },
    );
    if (found.kind === 'invalid') throw toSyntaxFault(query, found.message);
    return found;
  }

  return {
    async test(query) {
      const { texts } = await find(query, 1, query.texts.length);
      return texts.map((ranges) => ranges.length > 0);
    },
    async findAll(query) {
      const perTextMax = query.matchesPerTextCount ?? patternLimits.patternMatchesPerTextCount;
      const { texts, cut } = await find(query, perTextMax, patternLimits.patternMatchesCount);
      return { texts, cut };
    },
  };
}
