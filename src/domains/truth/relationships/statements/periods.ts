import { faults } from '#kernel/fault/kernel-faults.ts';
import { showTime } from '../../iso-time.ts';

/** When an edge holds, and its metadata during that time. */
export interface Period {
  readonly effective_at: number;
  /** Exclusive; null is open. */
  readonly effective_until: number | null;
  /** Characters of the times as they were stated. 0: the start was not stated, so it is the time of recording. */
  readonly at_chars: number;
  readonly until_chars: number;
  /** Canonical JSON. */
  readonly metadata: string | null;
}

/** A period that was recorded. */
export interface SourcedPeriod extends Period {
  /** `call`: stated with a tool; otherwise the kind of document it follows from. */
  readonly source_kind: string;
  readonly source_id: string | null;
  readonly submission_id: string | null;
}

/** Times that were not stated are absent. The characters are those of a moment unless a day, month or year was stated. */
export interface StatedPeriod {
  readonly at?: number | undefined;
  readonly atChars?: number | undefined;
  readonly until?: number | undefined;
  readonly untilChars?: number | undefined;
  /** The start if none is stated; default: now. An edge that holds then is not changed. */
  readonly otherwise?: number | undefined;
}

const momentChars = 24;

const covers = ({ effective_at, effective_until }: Period, at: number): boolean =>
  effective_at <= at && (effective_until === null || effective_until > at);

/** Periods may overlap; the one that started last counts. */
export const periodAt = <P extends Period>(periods: readonly P[], at: number): P | undefined =>
  periods
    .filter((period) => covers(period, at))
    .reduce<P | undefined>(
      (last, one) => (last === undefined || one.effective_at > last.effective_at ? one : last),
      undefined,
    );

const invalidEnd = (why: string) => faults.VALIDATION_ERROR({ why }, { field: 'effective_until' });

function checkEnd(period: Period): Period {
  const { effective_at, effective_until, at_chars, until_chars } = period;
  if (effective_until === null || effective_until > effective_at) return period;
  const start = showTime(effective_at, at_chars === 0 ? undefined : at_chars);
  throw invalidEnd(`effective_until ${showTime(effective_until, until_chars)} is not after effective_at ${start}`);
}

const endOf = ({ until, untilChars = momentChars }: StatedPeriod) => ({
  effective_until: until ?? null,
  until_chars: until === undefined ? 0 : untilChars,
});

/** Ends every period that is open at that time; ending one of two that overlap would change nothing. */
function planEnd(
  periods: readonly Period[],
  stated: StatedPeriod & { readonly until: number },
  metadata: string | undefined,
  now: number,
): readonly Period[] {
  const { until } = stated;
  const started = periods.filter(({ effective_at }) => effective_at < until);
  const open = started.filter(({ effective_until }) => effective_until === null || effective_until > until);
  if (open.length > 0) {
    return open.map((period) => ({ ...period, ...endOf(stated), metadata: metadata ?? period.metadata }));
  }
  const ended = started.find(({ effective_until }) => effective_until === until);
  if (ended !== undefined) {
    return metadata === undefined || metadata === ended.metadata ? [] : [{ ...ended, metadata }];
  }
  const effective_at = stated.otherwise ?? now;
  if (until <= effective_at) {
    throw invalidEnd(
      `The relationship does not hold before effective_until ${showTime(until, stated.untilChars)}, so there is nothing to end; state effective_at too`,
    );
  }
  return [{ effective_at, at_chars: 0, ...endOf(stated), metadata: metadata ?? null }];
}

/** The periods to record. None if the edge already is as stated. */
export function planPeriods(
  periods: readonly Period[],
  stated: StatedPeriod,
  metadata: string | undefined,
  now: number,
): readonly Period[] {
  const { until, otherwise = now, at = otherwise, atChars = momentChars } = stated;
  if (stated.at === undefined && until !== undefined) return planEnd(periods, { ...stated, until }, metadata, now);
  const current = periodAt(periods, at);
  if (stated.at === undefined) {
    if (current === undefined) return [{ effective_at: at, at_chars: 0, ...endOf(stated), metadata: metadata ?? null }];
    if (metadata === undefined || metadata === current.metadata) return [];
    return [{ ...current, effective_at: at, at_chars: 0, metadata }];
  }
  const same = periods.find(({ effective_at }) => effective_at === at);
  const period = checkEnd({
    effective_at: at,
    at_chars: atChars,
    ...endOf(stated),
    metadata: metadata ?? (same ?? current)?.metadata ?? null,
  });
  const isSame = same?.effective_until === period.effective_until && same.metadata === period.metadata;
  return isSame ? [] : [period];
}

export const edgePhases = { live: 0, ended: 1, deleted: 2 } as const;

/** The columns of an edge that follow from its statements. */
export interface ShownPeriod extends SourcedPeriod {
  readonly phase: number;
  /** Null: never. */
  readonly next_change_at: number | null;
}

const firstOf = (times: readonly (number | null)[]): number | null => {
  const later = times.filter((time) => time !== null);
  return later.length === 0 ? null : Math.min(...later);
};

/** The period of now, else the next one, else the last one; of two that end together, the one that started last. */
export function choosePeriod<P extends Period>(periods: readonly P[], now: number): P {
  const current = periodAt(periods, now);
  if (current !== undefined) return current;
  const [first, ...others] = periods;
  if (first === undefined) throw new Error('bug: an edge has no period');
  return others.reduce((best, one) => {
    const [isNext, isBestNext] = [one.effective_at > now, best.effective_at > now];
    if (isNext !== isBestNext) return isNext ? one : best;
    if (isNext) return one.effective_at < best.effective_at ? one : best;
    const isLater = one.effective_until! - best.effective_until! || one.effective_at - best.effective_at;
    return isLater > 0 ? one : best;
  }, first);
}

/** Only the fields of a period. */
export const toPeriod = (row: SourcedPeriod): SourcedPeriod => ({
  effective_at: row.effective_at,
  effective_until: row.effective_until,
  at_chars: row.at_chars,
  until_chars: row.until_chars,
  metadata: row.metadata,
  source_kind: row.source_kind,
  source_id: row.source_id,
  submission_id: row.submission_id,
});

export function showPeriods(periods: readonly SourcedPeriod[], isDeleted: boolean, now: number): ShownPeriod {
  const shown = toPeriod(choosePeriod(periods, now));
  const { effective_at, effective_until } = shown;
  if (isDeleted) return { ...shown, phase: edgePhases.deleted, next_change_at: null };
  const isOver = effective_until !== null && effective_until <= now;
  if (isOver) return { ...shown, phase: edgePhases.ended, next_change_at: null };
  const starts = periods.map((period) => period.effective_at).filter((at) => at > now && at !== effective_at);
  return { ...shown, phase: edgePhases.live, next_change_at: firstOf([effective_until, ...starts]) };
}
