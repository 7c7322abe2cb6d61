import { type SyntheticEvent, useId, useState } from 'react';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/form.tsx';
import { useSearchState } from '../../kit/search-state.ts';

interface ScrubberProps {
  readonly label: string;
  /** Oldest first. */
  readonly moments: readonly string[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

const marksCount = 120;
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const minute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const toDay = (moment: string): string => {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) || moment.length <= 10
    ? moment
    : (moment.endsWith('T00:00:00.000Z') ? day : minute).format(date);
};

/** The last moment at or before the value; a value before all of them belongs to the first. */
function positionOf(moments: readonly string[], value: string | undefined): number {
  if (value === undefined) return moments.length;
  const at = Date.parse(value);
  const next = Number.isNaN(at) ? -1 : moments.findIndex((moment) => Date.parse(moment) > at);
  return next === -1 ? moments.length - 1 : Math.max(0, next - 1);
}

/** Moves through the moments at which something changed; the last place is now. Any other date can be typed. */
function Scrubber({ label, moments, value, onChange }: ScrubberProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const position = positionOf(moments, value);
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (typed.trim() !== '') onChange(typed.trim());
    setTyped('');
  }
  return (
    <form className="scrubber" onSubmit={submit}>
      <label htmlFor={id}>{label}</label>
      <div>
        <div className="scrubber-marks" aria-hidden="true">
          {moments.length < marksCount && [...moments, 'now'].map((moment) => <i key={moment} />)}
        </div>
        <input
          id={id}
          type="range"
          min={0}
          max={moments.length}
          step={1}
          value={position}
          aria-valuetext={value === undefined ? 'now' : toDay(value)}
          onChange={(event) => onChange(moments[Number(event.target.value)])}
        />
      </div>
      <output htmlFor={id}>{value === undefined ? 'now' : toDay(value)}</output>
      <div className="row">
        <input
          className="input"
          aria-label={`${label}: type a date`}
          placeholder="or type a date"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {value !== undefined && (
          <Button kind="quiet" onClick={() => onChange(undefined)}>
            Now
          </Button>
        )}
      </div>
    </form>
  );
}

const oldestFirst = (moments: readonly { readonly at: string }[]): readonly string[] =>
  moments.map(({ at }) => at).toReversed();

/** The time of the question: when it was true, and what was known by then. Both are part of the address. */
export function TimeScrubber({ entityId }: { readonly entityId: string }) {
  const [{ at, as_known_at: knownAt }, setSearch] = useSearchState();
  const { data } = useTool('list_entity_moments', { entity_id: entityId });
  const recorded = oldestFirst(data?.recorded ?? []);
  return (
    <div className="stack">
      <Scrubber
        label="True at"
        moments={oldestFirst(data?.effective ?? [])}
        value={at}
        onChange={(value) => setSearch({ at: value }, 'replace')}
      />
      <Checkbox
        label="Only what was known at a time"
        checked={knownAt !== undefined}
        onChange={(event) =>
          setSearch({ as_known_at: event.target.checked ? (recorded.at(-1) ?? new Date().toISOString()) : undefined })
        }
      />
      {knownAt !== undefined && (
        <Scrubber
          label="As known at"
          moments={recorded}
          value={knownAt}
          onChange={(value) => setSearch({ as_known_at: value }, 'replace')}
        />
      )}
      {data?.truncated && <small className="soft">Earlier moments are not marked; type a date to go there.</small>}
    </div>
  );
}
